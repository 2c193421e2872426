//! The way in: whole blocks, and sessions that grow line by line.
//!
//! Owns the bounds: how many lines, how long a line, how much in all is looked at. A block is a
//! session that is fed all its lines, so the two agree by construction.

use crate::grammar::State;
use crate::language;
use crate::line::Line;
use crate::{Run, Token};

/// Lines of one block after this many stay plain.
pub const MAX_LINES: usize = 3_000;
/// A line longer than this many bytes stays plain.
pub const MAX_LINE_BYTES: usize = 4_000;
/// When the lines of one block that were highlighted reach this many bytes, the rest stays plain.
pub const MAX_BYTES: usize = 512 * 1024;

/// Highlights code. It holds nothing and loads nothing, so it may be made whenever one is needed.
#[derive(Debug, Default)]
pub struct Highlighter(());

impl Highlighter {
    /// A highlighter of all languages.
    pub fn new() -> Self {
        Self(())
    }

    /// Whether a name, an alias or a file extension (without its dot) is of a language that is
    /// highlighted. The case of letters does not matter.
    pub fn knows(language: &str) -> bool {
        language::find(language).is_some()
    }

    /// Highlights a whole block: the runs of each line that `text.lines()` gives.
    ///
    /// An unknown language, and what is beyond [`MAX_LINES`], [`MAX_LINE_BYTES`] or [`MAX_BYTES`],
    /// is plain. `cancelled` is asked before each line; from its first `true` on all lines are plain.
    pub fn block(
        &mut self,
        language: &str,
        text: &str,
        cancelled: &dyn Fn() -> bool,
    ) -> Vec<Vec<Run>> {
        let mut session = self.open(language);
        text.lines()
            .map(|line| {
                if session.is_some() && cancelled() {
                    session = None;
                }
                session.as_mut().map_or_else(|| plain(line), |session| session.line(line))
            })
            .collect()
    }

    /// Begins a block that comes line by line; nothing for a language that is not known.
    pub fn open(&mut self, language: &str) -> Option<Session> {
        let language = language::find(language)?;
        Some(Session { state: State::new(language.grammar), lines: 0, bytes: 0 })
    }
}

/// One block that grows. It keeps what the lexer knows after each line, which is small.
///
/// A clone continues on its own: to show a line that is not whole yet, ask a clone for it.
#[derive(Clone, Debug)]
pub struct Session {
    state: State,
    lines: usize,
    bytes: usize,
}

impl Session {
    /// The runs of the next whole line. They cover what is given, its line ending included if it
    /// has one; the bounds are those of [`Highlighter::block`].
    pub fn line(&mut self, line: &str) -> Vec<Run> {
        let ended = line.strip_suffix('\n');
        let bare = ended.map_or(line, |bare| bare.strip_suffix('\r').unwrap_or(bare));
        self.lines = self.lines.saturating_add(1);
        if self.lines > MAX_LINES || bare.len() > MAX_LINE_BYTES || self.bytes >= MAX_BYTES {
            return plain(line);
        }
        self.bytes += bare.len();
        let mut lexed = Line::new(line);
        lexed.part(bare.len(), |part| self.state.line(part));
        lexed.finish()
    }
}

fn plain(line: &str) -> Vec<Run> {
    match line.len() {
        0 => Vec::new(),
        len => vec![Run { len, token: Token::Plain }],
    }
}
