//! Gathers a command's output in bounded memory: the end for the result, all of it for the spill.

use std::path::PathBuf;

use super::live::Live;
use super::spill::{CAP, Spill};
use crate::bounds::{MAX_BYTES, MAX_LINES, plural, size, tail};
use crate::text::Decoder;

/// The output so far.
pub(super) struct Collector<'a> {
    live: Live<'a>,
    spill_dir: Option<PathBuf>,
    decoder: Decoder,
    /// The end of the text; all of it until a spill is made.
    end: String,
    bytes: u64,
    line_ends: u64,
    spill: SpillState,
}

enum SpillState {
    NotNeeded,
    Open(Spill),
    Failed(String),
}

/// What the result says of the output.
pub(super) struct Collected {
    /// The end of the output.
    pub(super) text: String,
    /// What was left out and where it is, in words.
    pub(super) note: Option<String>,
    pub(super) spill: Option<PathBuf>,
    pub(super) bytes: u64,
    pub(super) lines: u64,
}

impl<'a> Collector<'a> {
    pub(super) fn new(live: Live<'a>, spill_dir: Option<PathBuf>) -> Self {
        Collector {
            live,
            spill_dir,
            decoder: Decoder::default(),
            end: String::new(),
            bytes: 0,
            line_ends: 0,
            spill: SpillState::NotNeeded,
        }
    }

    /// Takes the next bytes.
    pub(super) async fn push(&mut self, bytes: &[u8]) {
        let text = self.decoder.push(bytes);
        self.push_text(&text).await;
    }

    async fn push_text(&mut self, text: &str) {
        self.live.push(text);
        self.bytes += text.len() as u64;
        self.line_ends += memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64;
        self.end.push_str(text);
        let too_long = self.too_long();
        match &mut self.spill {
            SpillState::NotNeeded if too_long => self.begin_spill().await,
            SpillState::Open(spill) => {
                if let Err(error) = spill.write(text).await {
                    // A part would pass for the whole.
                    let _ = std::fs::remove_file(&spill.path);
                    self.spill = SpillState::Failed(error.to_string());
                }
            }
            SpillState::NotNeeded | SpillState::Failed(_) => {}
        }
        if self.end.len() > 4 * MAX_BYTES {
            // One byte more than is shown tells whether the shown part begins with a line.
            let cut = self.end.floor_char_boundary(self.end.len() - MAX_BYTES - 1);
            self.end.drain(..cut);
        }
    }

    fn lines(&self) -> u64 {
        self.line_ends + u64::from(!self.end.is_empty() && !self.end.ends_with('\n'))
    }

    fn too_long(&self) -> bool {
        self.bytes > MAX_BYTES as u64 || self.lines() > MAX_LINES as u64
    }

    async fn begin_spill(&mut self) {
        let begun = async {
            let mut spill = Spill::make(self.spill_dir.clone()).await?;
            spill.write(&self.end).await?;
            Ok::<_, std::io::Error>(spill)
        };
        self.spill = match begun.await {
            Ok(spill) => SpillState::Open(spill),
            Err(error) => SpillState::Failed(error.to_string()),
        };
    }

    /// Ends the output.
    pub(super) async fn finish(mut self) -> Collected {
        let rest = self.decoder.finish();
        self.push_text(rest).await;
        let lines = self.lines();
        let shown = tail(&self.end, MAX_LINES, MAX_BYTES);
        let mut collected =
            Collected { text: shown.to_owned(), note: None, spill: None, bytes: self.bytes, lines };
        if !self.too_long() {
            return collected;
        }
        let whole = match &mut self.spill {
            SpillState::NotNeeded => "The rest is lost".to_owned(),
            SpillState::Failed(reason) => format!("The rest could not be kept: {reason}"),
            SpillState::Open(spill) => match spill.finish().await {
                Err(error) => format!("The rest could not be kept: {error}"),
                Ok(()) => {
                    let words = if spill.full {
                        format!("The first {}", size(CAP))
                    } else {
                        "Full output".to_owned()
                    };
                    collected.spill = Some(spill.path.clone());
                    format!("{words}: {}", spill.path.display())
                }
            },
        };
        collected.note = Some(format!(
            "Shown: the last {} of {}, {} of {}. {whole}",
            plural(crate::bounds::count_lines(shown) as u64, "line"),
            lines,
            size(shown.len() as u64),
            size(self.bytes),
        ));
        collected
    }
}
