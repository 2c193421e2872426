//! What a full-screen program cannot do without: modes, one frame with a status row and an input line,
//! and the echo of keys. The floor that a start of fen's full screen is compared with. Ctrl-d leaves.

#![allow(clippy::unwrap_used, reason = "a measurement that fails may say so and stop")]

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableBracketedPaste, DisableFocusChange, DisableMouseCapture, EnableBracketedPaste,
    EnableFocusChange, EnableMouseCapture, Event, KeyCode, KeyModifiers, KeyboardEnhancementFlags,
    PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::{Constraint, Layout, Position};
use ratatui::style::Style;
use ratatui::text::Line;
use std::io::Stdout;

const SIGN: &str = "› ";

fn main() {
    enable_raw_mode().unwrap();
    let flags = KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES
        | KeyboardEnhancementFlags::REPORT_ALTERNATE_KEYS;
    execute!(
        std::io::stdout(),
        EnterAlternateScreen,
        PushKeyboardEnhancementFlags(flags),
        EnableBracketedPaste,
        EnableFocusChange,
        EnableMouseCapture,
    )
    .unwrap();
    let mut terminal = Terminal::new(CrosstermBackend::new(std::io::stdout())).unwrap();
    let mut typed = String::new();
    loop {
        draw(&mut terminal, &typed);
        let Event::Key(key) = event::read().unwrap() else { continue };
        match key.code {
            KeyCode::Char('d') if key.modifiers == KeyModifiers::CONTROL => break,
            KeyCode::Char(letter) => typed.push(letter),
            KeyCode::Backspace => drop(typed.pop()),
            _ => {}
        }
    }
    execute!(
        std::io::stdout(),
        DisableMouseCapture,
        DisableFocusChange,
        DisableBracketedPaste,
        PopKeyboardEnhancementFlags,
        LeaveAlternateScreen,
    )
    .unwrap();
    disable_raw_mode().unwrap();
}

fn draw(terminal: &mut Terminal<CrosstermBackend<Stdout>>, typed: &str) {
    let frame = |frame: &mut ratatui::Frame<'_>| {
        let parts = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)];
        let [status, _, input] = Layout::vertical(parts).areas(frame.area());
        frame.render_widget(Line::from(" fen ").style(Style::new().reversed()), status);
        frame.render_widget(Line::from(vec![SIGN.into(), typed.into()]), input);
        let column = u16::try_from(2 + typed.chars().count()).unwrap_or(u16::MAX);
        frame.set_cursor_position(Position::new(input.x + column, input.y));
    };
    terminal.draw(frame).unwrap();
}
