//! The keys of vi: what a person presses becomes commands.
//!
//! It holds the mode and what was begun, and neither text nor cursor. Whoever has the keys asks it
//! first while vi is wanted. Unknown keys do nothing.

use crate::command::Command;
use crate::vi_edit::{Motion, Side, ViCommand};

/// The highest count.
const MOST: u32 = 9_999;

/// A key, as far as vi cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViKey {
    /// A character.
    Char(char),
    /// Escape, and `ctrl-[` where a terminal tells them apart.
    Escape,
    /// Backspace.
    Backspace,
    /// A character with the control key.
    Ctrl(char),
    /// Any other.
    Other,
}

impl ViKey {
    /// The key of a name such as `esc`, `ctrl-r` or `f5`, and the text that it types, if any.
    pub fn named(name: &str, text: Option<char>) -> ViKey {
        match (name, text) {
            ("esc" | "ctrl-[", _) => ViKey::Escape,
            ("backspace", _) => ViKey::Backspace,
            (_, Some(c)) => ViKey::Char(c),
            (name, None) => match name.strip_prefix("ctrl-").map(|rest| rest.chars()) {
                Some(mut rest) => match (rest.next(), rest.next()) {
                    (Some(c), None) => ViKey::Ctrl(c),
                    _ => ViKey::Other,
                },
                None => ViKey::Other,
            },
        }
    }
}

/// What is done to what a motion goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Delete,
    Change,
    Copy,
}

impl Operator {
    fn over(self, motion: Motion, count: u32) -> ViCommand {
        match self {
            Operator::Delete => ViCommand::Delete(motion, count),
            Operator::Change => ViCommand::Change(motion, count),
            Operator::Copy => ViCommand::Copy(motion, count),
        }
    }

    fn key(self) -> char {
        match self {
            Operator::Delete => 'd',
            Operator::Change => 'c',
            Operator::Copy => 'y',
        }
    }
}

/// What was begun and needs another key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Begun {
    #[default]
    Nothing,
    /// An operator, with the count before it.
    Operator(Operator, u32),
    /// The same and `i`.
    Inner(Operator),
    Replace,
    Go,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    Insert,
    Normal,
}

/// The state of somebody's vi.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Vi {
    mode: Mode,
    begun: Begun,
    count: Option<u32>,
}

impl Vi {
    /// The mode, for a row of status: `INSERT` or `NORMAL`.
    pub fn mode_name(&self) -> &'static str {
        match self.mode {
            Mode::Insert => "INSERT",
            Mode::Normal => "NORMAL",
        }
    }

    /// Whether a command was begun, which enter then ends: give it the key as [`ViKey::Other`].
    pub fn takes_enter(&self) -> bool {
        self.begun != Begun::Nothing || self.count.is_some()
    }

    /// What a key means, to be carried out in order. Nothing at all if the key means to vi what it means
    /// without it: all keys but escape while inserting, and those that are no characters.
    pub fn key(&mut self, key: ViKey) -> Option<Vec<Command>> {
        if self.mode == Mode::Insert {
            return (key == ViKey::Escape).then(|| {
                self.mode = Mode::Normal;
                vec![Command::Vi(ViCommand::Leave)]
            });
        }
        let was_begun = self.takes_enter();
        match key {
            ViKey::Escape | ViKey::Other | ViKey::Ctrl(_) if was_begun => {
                self.end();
                Some(Vec::new())
            }
            ViKey::Ctrl('r') => Some(vec![Command::Redo, Command::Vi(ViCommand::Settle)]),
            ViKey::Escape | ViKey::Other | ViKey::Ctrl(_) => None,
            ViKey::Backspace if self.begun == Begun::Nothing => Some(self.normal('h')),
            ViKey::Backspace => {
                self.end();
                Some(Vec::new())
            }
            ViKey::Char(c) => Some(self.normal(c)),
        }
    }

    fn end(&mut self) {
        self.begun = Begun::Nothing;
        self.count = None;
    }

    /// A character in normal mode.
    fn normal(&mut self, c: char) -> Vec<Command> {
        if let Some(digit) = c.to_digit(10)
            && (digit > 0 || self.count.is_some())
            && !matches!(self.begun, Begun::Replace | Begun::Inner(_))
        {
            let count = self.count.unwrap_or(0).saturating_mul(10).saturating_add(digit);
            self.count = Some(count.min(MOST));
            return Vec::new();
        }
        let given = self.count;
        let count = given.unwrap_or(1);
        match std::mem::take(&mut self.begun) {
            Begun::Nothing => {
                let commands = self.first(c, given);
                if self.begun == Begun::Nothing || matches!(self.begun, Begun::Operator(..)) {
                    self.count = None;
                }
                commands
            }
            Begun::Operator(operator, before) => {
                let count = count.saturating_mul(before).min(MOST);
                if c == 'i' {
                    self.begun = Begun::Inner(operator);
                    return Vec::new();
                }
                self.count = None;
                match operand(c) {
                    Some(motion) => self.operate(operator, motion, count),
                    None if c == operator.key() => self.operate(operator, Motion::Lines, count),
                    None => Vec::new(),
                }
            }
            Begun::Inner(operator) => {
                self.count = None;
                match c {
                    'w' => self.operate(operator, Motion::InnerWord, 1),
                    _ => Vec::new(),
                }
            }
            Begun::Replace => {
                self.count = None;
                vec![Command::Vi(ViCommand::Replace(c, count))]
            }
            Begun::Go => {
                self.count = None;
                match c {
                    'g' => vec![Command::Vi(ViCommand::Move(Motion::Line, count))],
                    _ => Vec::new(),
                }
            }
        }
    }

    /// The first character of a command.
    fn first(&mut self, c: char, given: Option<u32>) -> Vec<Command> {
        let count = given.unwrap_or(1);
        if let Some(motion) = operand(c) {
            return vec![Command::Vi(ViCommand::Move(motion, count))];
        }
        let command = match c {
            'j' => return vec![Command::CursorDown; count as usize],
            'k' => return vec![Command::CursorUp; count as usize],
            'G' if given.is_some() => ViCommand::Move(Motion::Line, count),
            'G' => ViCommand::Move(Motion::LastLine, 1),
            'g' => return self.begin(Begun::Go),
            'r' => return self.begin(Begun::Replace),
            'd' => return self.begin(Begun::Operator(Operator::Delete, count)),
            'c' => return self.begin(Begun::Operator(Operator::Change, count)),
            'y' => return self.begin(Begun::Operator(Operator::Copy, count)),
            'x' => ViCommand::Delete(Motion::Right, count),
            'X' => ViCommand::Delete(Motion::Left, count),
            'D' => ViCommand::Delete(Motion::LineEnd, 1),
            'p' => ViCommand::Put(Side::After, count),
            'P' => ViCommand::Put(Side::Before, count),
            'u' => {
                let mut commands = vec![Command::Undo; count as usize];
                commands.push(Command::Vi(ViCommand::Settle));
                return commands;
            }
            's' => return self.operate(Operator::Change, Motion::Right, count),
            'C' => return self.operate(Operator::Change, Motion::LineEnd, 1),
            'S' => return self.operate(Operator::Change, Motion::Lines, count),
            'i' => return self.inserting(Vec::new()),
            'I' => {
                let start = ViCommand::Move(Motion::FirstNonBlank, 1);
                return self.inserting(vec![Command::Vi(start)]);
            }
            'a' => return self.inserting(vec![Command::Vi(ViCommand::Append)]),
            'A' => return self.inserting(vec![Command::CursorLineEnd]),
            'o' => return self.inserting(vec![Command::Vi(ViCommand::Open(Side::After))]),
            'O' => return self.inserting(vec![Command::Vi(ViCommand::Open(Side::Before))]),
            _ => return Vec::new(),
        };
        vec![Command::Vi(command)]
    }

    fn begin(&mut self, begun: Begun) -> Vec<Command> {
        self.begun = begun;
        Vec::new()
    }

    fn inserting(&mut self, commands: Vec<Command>) -> Vec<Command> {
        self.mode = Mode::Insert;
        commands
    }

    fn operate(&mut self, operator: Operator, motion: Motion, count: u32) -> Vec<Command> {
        let command = Command::Vi(operator.over(motion, count));
        match operator {
            Operator::Change => self.inserting(vec![command]),
            Operator::Delete | Operator::Copy => vec![command],
        }
    }
}

/// The motions that operators take too.
fn operand(c: char) -> Option<Motion> {
    Some(match c {
        'h' => Motion::Left,
        'l' => Motion::Right,
        'w' => Motion::NextWord,
        'b' => Motion::PreviousWord,
        'e' => Motion::WordEnd,
        '0' => Motion::LineStart,
        '^' => Motion::FirstNonBlank,
        '$' => Motion::LineEnd,
        _ => return None,
    })
}
