//! A terminal with fen's full screen in it: what it shows, what is typed, and how it is left.

use super::fen::PROGRAM;
use super::{Fen, GUARD, LOOK};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{Read as _, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Instant;

/// The keys that have no letter, as terminals send them.
pub mod key {
    pub const ENTER: &str = "\r";
    pub const ALT_ENTER: &str = "\x1b\r";
    pub const ALT_Q: &str = "\x1bq";
    pub const ESC: &str = "\x1b";
    pub const DOWN: &str = "\x1b[B";
    pub const PAGE_UP: &str = "\x1b[5~";
    pub const PAGE_DOWN: &str = "\x1b[6~";
    pub const CTRL_HOME: &str = "\x1b[1;5H";
    pub const CTRL_END: &str = "\x1b[1;5F";
    pub const CTRL_C: &str = "\x03";
    pub const CTRL_D: &str = "\x04";
    pub const CTRL_F: &str = "\x06";
    pub const CTRL_G: &str = "\x07";
    pub const CTRL_O: &str = "\x0f";
    pub const CTRL_Z: &str = "\x1a";
}

/// What turns each mode of the full screen on, and off.
const MODES: [(&str, &str); 8] = [
    ("\x1b[?1049h", "\x1b[?1049l"),
    ("\x1b[>5u", "\x1b[<u"),
    ("\x1b[?2004h", "\x1b[?2004l"),
    ("\x1b[?1004h", "\x1b[?1004l"),
    ("\x1b[?1000h", "\x1b[?1000l"),
    ("\x1b[?1002h", "\x1b[?1002l"),
    ("\x1b[?1006h", "\x1b[?1006l"),
    ("\x1b[?25l", "\x1b[?25h"),
];

/// What came from the program.
struct Shown {
    bytes: Vec<u8>,
    parser: vt100::Parser,
    /// Nobody has the terminal open any more.
    is_over: bool,
}

/// fen in a terminal; dropping it kills it.
pub struct Screen {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    shown: Arc<(Mutex<Shown>, Condvar)>,
    master: Box<dyn MasterPty + Send>,
}

fn pty_size(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap()
}

/// What is written in the row of the cursor.
fn row_of_cursor(screen: &vt100::Screen) -> String {
    let (row, _) = screen.cursor_position();
    let (_, columns) = screen.size();
    screen.rows(0, columns.get()).nth(row.into()).unwrap_or_default().trim_end().to_owned()
}

impl Screen {
    /// Starts fen as the only program of a terminal with so many columns and rows.
    pub fn open(fen: &Fen, size: (u16, u16)) -> Self {
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(fen.parts().0);
        Screen::start(command, fen, size)
    }

    /// Runs a script of the shell, to which `"$0" "$@"` is fen with its arguments.
    pub fn script(fen: &Fen, size: (u16, u16), script: &str) -> Self {
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", script, PROGRAM]);
        command.args(fen.parts().0);
        Screen::start(command, fen, size)
    }

    fn start(mut command: CommandBuilder, fen: &Fen, (columns, rows): (u16, u16)) -> Self {
        let pair = native_pty_system().openpty(pty_size(columns, rows)).unwrap();
        let (_, environment, folder) = fen.parts();
        command.env_clear();
        command.env("TERM", "xterm-256color");
        for (name, value) in environment {
            command.env(name, value);
        }
        command.cwd(folder);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let parser = vt100::Parser::new(cells(rows), cells(columns), 0);
        let shown = Shown { bytes: Vec::new(), parser, is_over: false };
        let shown = Arc::new((Mutex::new(shown), Condvar::new()));
        let (mut reader, collected) = (pair.master.try_clone_reader().unwrap(), shown.clone());
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                let mut shown = collected.0.lock().unwrap();
                shown.bytes.extend_from_slice(&buffer[..count]);
                shown.parser.process(&buffer[..count]);
                collected.1.notify_all();
            }
            collected.0.lock().unwrap().is_over = true;
            collected.1.notify_all();
        });
        let keys = pair.master.take_writer().unwrap();
        Screen { child, keys, shown, master: pair.master }
    }

    /// Types keys as the bytes that a terminal sends for them.
    pub fn type_keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Types a line and sends it off, once it can be read in the input; gives back when it is gone from
    /// there, since keys that come along with a line end are taken for a paste.
    pub fn enter(&mut self, line: &str) {
        self.type_keys(line);
        let input = format!("› {line}");
        self.wait("the line in the input", |screen| row_of_cursor(screen) == input);
        self.type_keys(key::ENTER);
        self.wait("the line to go", |screen| row_of_cursor(screen) != input);
    }

    /// Pastes, between the marks of a terminal that knows of pastes.
    pub fn paste(&mut self, text: &str) {
        self.type_keys(&format!("\x1b[200~{text}\x1b[201~"));
    }

    /// Lets the time pass in which keys are taken for the rest of a paste; the paste has to be on the
    /// screen before.
    pub fn pause_after_paste(&self) {
        std::thread::sleep(10 * LOOK);
    }

    /// Gives the window another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        // What is drawn for the new size must not meet the old one.
        let mut shown = self.shown.0.lock().unwrap();
        shown.parser.set_size(cells(rows), cells(columns));
        self.master.resize(pty_size(columns, rows)).unwrap();
    }

    /// The process that was started.
    pub fn id(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.child.process_id().unwrap()).unwrap()).unwrap()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.id(), signal).unwrap();
    }

    /// All that was written to the terminal so far.
    pub fn written(&self) -> String {
        String::from_utf8_lossy(&self.shown.0.lock().unwrap().bytes).into_owned()
    }

    /// Looks at the screen as it is at this moment.
    pub fn look<T>(&self, at: impl FnOnce(&vt100::Screen) -> T) -> T {
        at(self.shown.0.lock().unwrap().parser.screen())
    }

    /// The rows of the screen at this moment.
    pub fn text(&self) -> String {
        self.look(vt100::Screen::contents)
    }

    /// Waits until the screen fits.
    pub fn wait(&self, what: &str, fits: impl Fn(&vt100::Screen) -> bool) {
        self.wait_shown(what, |shown| fits(shown.parser.screen()));
    }

    fn wait_shown(&self, what: &str, fits: impl Fn(&Shown) -> bool) {
        let deadline = Instant::now() + GUARD;
        let mut shown = self.shown.0.lock().unwrap();
        while !fits(&shown) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let text = shown.parser.screen().contents();
                drop(shown);
                panic!("waited for {what}\n{text}\n{:?}", self.written());
            }
            (shown, _) = self.shown.1.wait_timeout(shown, left).unwrap();
        }
    }

    /// Waits until what was written fits.
    pub fn wait_written(&self, what: &str, fits: impl Fn(&str) -> bool) {
        self.wait_shown(what, |shown| fits(&String::from_utf8_lossy(&shown.bytes)));
    }

    /// Waits until the screen shows this text in one row.
    pub fn wait_for(&self, text: &str) {
        self.wait(text, |screen| screen.contents().contains(text));
    }

    /// Waits until the screen does not show this text.
    pub fn wait_gone(&self, text: &str) {
        self.wait(&format!("{text} to go"), |screen| !screen.contents().contains(text));
    }

    /// Waits until a full screen is drawn and no turn is under way.
    pub fn wait_idle(&self) {
        self.wait("an idle screen", |screen| {
            let text = screen.contents();
            let is_busy = ["esc cancels", "cancelling", "enter steers"];
            screen.alternate_screen()
                && text.contains("›")
                && !is_busy.iter().any(|words| text.contains(words))
        });
    }

    /// Whether the terminal edits lines, shows what is typed and makes signals of keys.
    pub fn is_cooked(&self) -> bool {
        let state = self.master.get_termios().unwrap();
        let (local, output) =
            (format!("{:?}", state.local_flags), format!("{:?}", state.output_flags));
        let on = [local.contains("ICANON"), local.contains("ISIG"), output.contains("OPOST")];
        assert!(on == [true; 3] || on == [false; 3], "neither raw nor cooked: {on:?}");
        on[0] && local.contains("ECHO")
    }

    /// Waits for the end and gives the exit code.
    pub fn code(&mut self) -> u32 {
        let deadline = Instant::now() + GUARD;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < deadline, "it does not end\n{}", self.text());
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until all that the program wrote has come.
    pub fn wait_over(&self) {
        self.wait_shown("the end of the output", |shown| shown.is_over);
    }

    /// Fails unless the terminal is as it was: no mode of the full screen is on, lines are edited by
    /// it, and what was written since is plain.
    pub fn assert_restored(&self) {
        assert!(self.is_cooked(), "the terminal is raw");
        let written = self.written();
        for (on, off) in MODES {
            let (last_on, last_off) = (written.rfind(on), written.rfind(off));
            assert!(last_on.is_some(), "{on:?} was never written\n{written:?}");
            assert!(last_on < last_off, "{on:?} is on\n{written:?}");
        }
        let count = |text| written.matches(text).count();
        assert_eq!(count("\x1b[>5u"), count("\x1b[<u"), "modes of the keyboard are on a stack");
        let after = written.rsplit("\x1b[?1049l").next().unwrap();
        let after = after.strip_prefix("\x1b[?25h").unwrap_or(after);
        assert!(!after.contains('\x1b'), "{after:?}");
        let shown = self.shown.0.lock().unwrap();
        let screen = shown.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    }

    /// Waits for the end, and fails unless it has this exit code and the terminal is as it was.
    pub fn ends_with(&mut self, code: u32) {
        assert_eq!(self.code(), code, "{}", self.text());
        self.wait_over();
        self.assert_restored();
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
