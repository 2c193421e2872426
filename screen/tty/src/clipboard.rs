//! Copying text to where a person can paste it from.
//!
//! Owns the two ways there are: a sequence to the terminal, which also works over a connection, and
//! a program of the desktop. It must never run a shell, and never make the caller wait.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The most that terminals take, in bytes of Base64.
pub const OSC52_LIMIT: usize = 100_000;

/// How long a program may take to accept the text.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often it is looked at meanwhile.
const LOOK: Duration = Duration::from_millis(10);

/// GNU screen passes on no longer pieces than 768 bytes, its wrapping included.
const SCREEN_PIECE: usize = 700;

/// The value of an environment variable.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The bytes that have the terminal put the text into its clipboard (`OSC 52`), or none when it is
/// longer than terminals take ([`OSC52_LIMIT`]). Whether the terminal does so it does not tell.
///
/// In tmux the sequence is there twice, once for tmux itself and once wrapped to be passed on, since
/// which one is heeded depends on its settings. In GNU screen it is wrapped, in pieces.
pub fn osc52(text: &str, lookup: Lookup<'_>) -> Option<Vec<u8>> {
    // Looked at before the work is done.
    if text.len() > OSC52_LIMIT {
        return None;
    }
    let encoded = STANDARD.encode(text);
    if encoded.len() > OSC52_LIMIT {
        return None;
    }
    let sequence = format!("\x1b]52;c;{encoded}\x07");
    let bytes = if lookup("TMUX").is_some() {
        let doubled = sequence.replace('\x1b', "\x1b\x1b");
        format!("{sequence}\x1bPtmux;{doubled}\x1b\\").into_bytes()
    } else if lookup("STY").is_some() {
        let pieces = sequence.as_bytes().chunks(SCREEN_PIECE);
        pieces.flat_map(|piece| [b"\x1bP", piece, b"\x1b\\"].concat()).collect()
    } else {
        sequence.into_bytes()
    };
    Some(bytes)
}

/// Why no program took the text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CopyError {
    /// None of them is there.
    #[error(
        "no program for the clipboard was found; wl-copy (Wayland), xclip or xsel (X11), pbcopy or \
         clip.exe would do"
    )]
    NoProgram,
    /// The last one that was tried did not take it.
    #[error("{program} did not copy: {words}")]
    Failed {
        /// Which one.
        program: &'static str,
        /// What happened.
        words: String,
    },
}

/// A program that puts what it reads into the clipboard.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    name: &'static str,
    arguments: &'static [&'static str],
    path: PathBuf,
}

/// Hands the text to the first program that takes it: `wl-copy` where `WAYLAND_DISPLAY` is set,
/// `xclip` and `xsel` where `DISPLAY` is, `pbcopy`, `clip.exe`. Returns at once; `done` is called on
/// a thread of its own with the program's name, after five seconds for each that hangs.
pub fn system_copy(
    text: String,
    lookup: Lookup<'_>,
    done: impl FnOnce(Result<&'static str, CopyError>) + Send + 'static,
) {
    let programs = programs(lookup);
    let work = move || done(first_that_takes(&text, &programs));
    // Without a thread there is nobody to tell: the closure went with the attempt.
    let _ = std::thread::Builder::new().name("clipboard".to_owned()).spawn(work);
}

/// The programs that there are, best first.
fn programs(lookup: Lookup<'_>) -> Vec<Program> {
    let has = |name| lookup(name).is_some_and(|value| !value.is_empty());
    let (wayland, x11) = (has("WAYLAND_DISPLAY"), has("DISPLAY"));
    let known: [(bool, &str, &[&str]); 5] = [
        (wayland, "wl-copy", &[]),
        (x11, "xclip", &["-selection", "clipboard", "-in"]),
        (x11, "xsel", &["--clipboard", "--input"]),
        (true, "pbcopy", &[]),
        (true, "clip.exe", &[]),
    ];
    let folders = lookup("PATH").unwrap_or_default();
    let find = |name: &str| {
        // A folder that is not absolute would run what lies in the project.
        let folders = std::env::split_paths(&folders).filter(|folder| folder.is_absolute());
        folders.map(|folder| folder.join(name)).find(|path| {
            let is_program =
                |data: std::fs::Metadata| data.is_file() && data.permissions().mode() & 0o111 != 0;
            path.metadata().is_ok_and(is_program)
        })
    };
    known
        .into_iter()
        .filter(|(usable, ..)| *usable)
        .filter_map(|(_, name, arguments)| Some(Program { name, arguments, path: find(name)? }))
        .collect()
}

fn first_that_takes(text: &str, programs: &[Program]) -> Result<&'static str, CopyError> {
    let mut failure = CopyError::NoProgram;
    for program in programs {
        match run(program, text) {
            Ok(()) => return Ok(program.name),
            Err(words) => failure = CopyError::Failed { program: program.name, words },
        }
    }
    Err(failure)
}

fn run(program: &Program, text: &str) -> Result<(), String> {
    let mut child = Command::new(&program.path)
        .args(program.arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // Some stay in the background to serve the text; a stop of this program's group is not
        // meant for them.
        .process_group(0)
        .spawn()
        .map_err(|error| error.to_string())?;
    let input = child.stdin.take();
    std::thread::scope(|scope| {
        let writer = std::thread::Builder::new().name("clipboard-text".to_owned());
        let writing = writer.spawn_scoped(scope, move || match input {
            Some(mut input) => input.write_all(text.as_bytes()),
            None => Ok(()),
        });
        // Killing a child that hangs also ends the writing to it.
        let ended = wait(&mut child);
        let written = match writing.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(written)) => written.map_err(|error| error.to_string()),
            Ok(Err(_)) => Err("writing to it failed".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        ended.and(written)
    })
}

/// Waits for the end, within bounds.
fn wait(child: &mut Child) -> Result<(), String> {
    let began = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("it ended with {status}")),
            Ok(None) if began.elapsed() < PATIENCE => std::thread::sleep(LOOK),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("it did not end".to_owned());
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::sync::mpsc;

    #[test]
    fn the_terminal_is_given_base64() {
        assert_eq!(osc52("hé", &|_| None).unwrap(), b"\x1b]52;c;aMOp\x07");
        assert_eq!(osc52("", &|_| None).unwrap(), b"\x1b]52;c;\x07");
    }

    #[test]
    fn what_terminals_do_not_take_is_refused() {
        let longest = OSC52_LIMIT / 4 * 3;
        assert!(osc52(&"x".repeat(longest), &|_| None).is_some());
        assert!(osc52(&"x".repeat(longest + 1), &|_| None).is_none());
        assert!(osc52(&"x".repeat(OSC52_LIMIT * 3), &|_| None).is_none());
    }

    #[test]
    fn tmux_has_it_for_itself_and_to_pass_on() {
        let tmux = |name: &str| (name == "TMUX").then(|| "/run/tmux".to_owned());
        assert_eq!(
            osc52("hi", &tmux).unwrap(),
            b"\x1b]52;c;aGk=\x07\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\"
        );
    }

    #[test]
    fn screen_has_it_in_pieces_that_join_to_the_whole() {
        let screen = |name: &str| (name == "STY").then(|| "1.pts".to_owned());
        let text = "x".repeat(2_000);
        let wrapped = osc52(&text, &screen).unwrap();
        let mut joined = Vec::new();
        for piece in String::from_utf8(wrapped).unwrap().split("\x1b\\").filter(|p| !p.is_empty()) {
            assert!(piece.len() <= 764);
            joined.extend_from_slice(piece.strip_prefix("\x1bP").unwrap().as_bytes());
        }
        assert_eq!(joined, osc52(&text, &|_| None).unwrap());
    }

    fn program(folder: &Path, name: &str, script: &str) {
        let path = folder.join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn copied(text: &str, variables: &[(&str, &str)]) -> Result<&'static str, CopyError> {
        let (tell, told) = mpsc::channel();
        let lookup = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        system_copy(text.to_owned(), &lookup, move |result| tell.send(result).unwrap());
        told.recv().unwrap()
    }

    #[test]
    fn the_first_program_of_the_desktop_takes_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let clip = folder.path().join("clip");
        let script = |name: &str| format!("echo {name} \"$@\" >{0}; cat >>{0}", clip.display());
        for name in ["wl-copy", "xclip", "xsel"] {
            program(folder.path(), name, &script(name));
        }
        let text = "a\n".repeat(100_000);
        let all = [("PATH", path), ("WAYLAND_DISPLAY", "wayland-0"), ("DISPLAY", ":0")];
        assert_eq!(copied(&text, &all), Ok("wl-copy"));
        assert_eq!(std::fs::read_to_string(&clip).unwrap(), format!("wl-copy\n{text}"));
        let x11 = [("PATH", path), ("DISPLAY", ":0"), ("WAYLAND_DISPLAY", "")];
        assert_eq!(copied("hi", &x11), Ok("xclip"));
        assert_eq!(std::fs::read_to_string(&clip).unwrap(), "xclip -selection clipboard -in\nhi");
    }

    #[test]
    fn one_that_fails_makes_room_for_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        program(folder.path(), "xclip", "exit 3");
        program(folder.path(), "xsel", "cat >/dev/null");
        assert_eq!(copied("hi", &[("PATH", path), ("DISPLAY", ":0")]), Ok("xsel"));
        program(folder.path(), "xsel", "exit 4");
        let error = copied("hi", &[("PATH", path), ("DISPLAY", ":0")]).unwrap_err();
        assert!(error.to_string().contains("xsel did not copy"), "{error}");
        assert!(error.to_string().contains('4'), "{error}");
    }

    #[test]
    fn without_a_program_the_answer_names_those_that_would_do() {
        let error = copied("hi", &[("PATH", "relative:/nowhere"), ("DISPLAY", ":0")]).unwrap_err();
        assert_eq!(error, CopyError::NoProgram);
        assert!(error.to_string().contains("xclip"));
    }
}
