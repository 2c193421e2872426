//! Offers to choose from, narrowed by typing.

use super::asked::Asked;
use super::{PreviewRequest, Reaction, Sheet, Touch};
use crate::fuzzy::{self, Ranked};
use crate::keymap::Action;
use fen_cells::{Line, Look, Role, Span, clip, units, width, wrap_words};
use fen_contract::ui::{Choice, OfferAction, Picked};
use fen_editor::{Command, Editor};
use tokio::sync::oneshot;

/// How many offers are ranked and shown at the most.
const SHOWN: usize = 1_000;
/// How wide a question is at the most to be the heading alone.
const HEADING_CELLS: usize = 60;
/// What stands before the filter.
const SIGN: &str = "› ";
/// How many offers need no filter.
const FEW: usize = 6;
/// Columns from which on a preview has room beside the offers.
const PREVIEW_CELLS: usize = 90;

/// A picker.
pub(crate) struct Picker {
    choice: Choice,
    answer: Option<oneshot::Sender<Option<Picked>>>,
    query: Editor,
    /// The offers that fit, best first, with the letters that made them fit.
    fitting: Vec<Ranked>,
    selected: usize,
    top: usize,
    height: usize,
    /// The first row of the offers.
    first: usize,
    preview: Option<String>,
    /// A question of several lines above the offers; a short one is the heading.
    asked: Option<Asked>,
    /// The offer whose preview was asked for.
    previewed: Option<usize>,
}

impl Picker {
    pub fn new(choice: Choice, answer: oneshot::Sender<Option<Picked>>) -> Picker {
        let mut query = Editor::default();
        query.set_text(choice.initial_query.as_deref().unwrap_or_default());
        let mut picker = Picker {
            choice,
            answer: Some(answer),
            query,
            fitting: Vec::new(),
            selected: 0,
            top: 0,
            height: 1,
            first: 1,
            preview: None,
            previewed: None,
            asked: None,
        };
        if picker.choice.title.trim().contains('\n') || width(&picker.choice.title) > HEADING_CELLS
        {
            picker.asked = Some(Asked::new(&picker.choice.title));
        }
        picker.narrow();
        let current = picker.choice.current.as_ref();
        let is_current = |fit: &Ranked| Some(&picker.choice.choices[fit.index].value) == current;
        picker.selected = picker.fitting.iter().position(is_current).unwrap_or(0);
        picker
    }

    pub fn is_abandoned(&self) -> bool {
        self.answer.as_ref().is_some_and(oneshot::Sender::is_closed)
    }

    fn narrow(&mut self) {
        let labels: Vec<&str> =
            self.choice.choices.iter().map(|offer| offer.label.as_str()).collect();
        self.fitting = fuzzy::rank(self.query.text().trim(), &labels, SHOWN);
        self.selected = 0;
        self.top = 0;
    }

    /// The preview that is to be made for the chosen offer, once.
    pub fn wants_preview(&mut self) -> Option<PreviewRequest> {
        let make = self.choice.preview.clone()?;
        let Some(fit) = self.fitting.get(self.selected) else {
            (self.previewed, self.preview) = (None, None);
            return None;
        };
        let at = fit.index;
        if self.previewed == Some(at) {
            return None;
        }
        self.previewed = Some(at);
        self.preview = None;
        Some(PreviewRequest { make, value: self.choice.choices[at].value.clone() })
    }

    /// A preview has come. What it is of may be gone.
    pub fn set_preview(&mut self, text: &str) {
        if self.previewed.is_some() {
            self.preview = Some(text.to_owned());
        }
    }

    pub fn touch(&mut self, touch: &Touch<'_>) -> Reaction {
        let page = self.height.saturating_sub(1).max(1) as isize;
        match touch {
            Touch::Key(key) => {
                if let Some(action) = self.choice.actions.iter().find(|action| action.key == *key) {
                    let name = action.name.clone();
                    return self.choose(Some(name));
                }
                return Reaction::Pass;
            }
            Touch::Paste(text) => {
                self.query.paste(text.lines().next().unwrap_or_default());
                self.narrow();
            }
            Touch::Act(Action::Accept) => return self.choose(None),
            Touch::Act(Action::Cancel) => return Reaction::Close,
            Touch::Act(Action::ListUp) => self.step(-1),
            Touch::Act(Action::ListDown) => self.step(1),
            // With a question to read, pages are its.
            Touch::Act(Action::ListPageUp) => match &mut self.asked {
                Some(asked) => asked.scroll_pages(-1),
                None => self.step(-page),
            },
            Touch::Act(Action::ListPageDown) => match &mut self.asked {
                Some(asked) => asked.scroll_pages(1),
                None => self.step(page),
            },
            Touch::Act(Action::ListFirst) => self.step(isize::MIN / 2),
            Touch::Act(Action::ListLast) => self.step(isize::MAX / 2),
            Touch::Act(Action::ListFilterBack) => self.narrow_by(Command::DeleteBack),
            Touch::Act(Action::ListFilterWordBack) => self.narrow_by(Command::DeleteWordBack),
            Touch::Act(Action::ListFilterClear) => self.narrow_by(Command::KillToLineStart),
            Touch::Act(_) => return Reaction::Pass,
            Touch::Wheel(rows) => match &mut self.asked {
                Some(asked) => asked.scroll(*rows),
                None => self.step(*rows),
            },
            Touch::Click(row) => {
                let Some(at) = row.checked_sub(self.first).map(|row| row + self.top) else {
                    return Reaction::Stay;
                };
                if at < self.fitting.len() {
                    let is_again = self.selected == at;
                    self.selected = at;
                    if is_again {
                        return self.choose(None);
                    }
                }
            }
        }
        Reaction::Stay
    }

    fn narrow_by(&mut self, command: Command) {
        self.query.apply(command);
        self.narrow();
    }

    /// Types a character into the query.
    pub fn insert(&mut self, text: &str) {
        self.query.apply(Command::Insert(text.into()));
        self.narrow();
    }

    fn step(&mut self, rows: isize) {
        let last = self.fitting.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(rows).min(last);
    }

    fn choose(&mut self, action: Option<String>) -> Reaction {
        let Some(fit) = self.fitting.get(self.selected) else { return Reaction::Stay };
        let value = self.choice.choices[fit.index].value.clone();
        if let Some(answer) = self.answer.take() {
            // Whoever asked may have given up.
            let _ = answer.send(Some(Picked { value, action }));
        }
        Reaction::Close
    }

    /// Whether there is a row to type a filter in.
    fn has_filter(&self) -> bool {
        self.choice.choices.len() > FEW || !self.query.is_empty()
    }

    pub fn sheet(&mut self, cells: usize, rows: usize) -> Sheet {
        // The offers come first, the question has what they leave.
        let filter = usize::from(self.has_filter());
        let least = (self.choice.choices.len() + filter).min(rows.div_ceil(2));
        let mut above = match &mut self.asked {
            Some(asked) => asked.rows(cells, rows.saturating_sub(least + 1)).to_vec(),
            None => Vec::new(),
        };
        if !above.is_empty() {
            above.push(Line::default());
        }
        let first = above.len() + filter;
        let list = rows.saturating_sub(first);
        self.height = list.max(1);
        self.first = first;
        if self.selected < self.top {
            self.top = self.selected;
        } else if self.selected >= self.top + self.height {
            self.top = self.selected + 1 - self.height;
        }
        let has_preview = self.choice.preview.is_some() && cells >= PREVIEW_CELLS;
        let room = if has_preview { cells / 2 } else { cells };
        let query_at = above.len();
        let mut lines = above;
        if filter > 0 {
            lines.push(self.query_row(cells));
        }
        let shown = (self.top..self.fitting.len()).take(list).map(|at| self.row(at, room));
        lines.extend(shown.collect::<Vec<_>>());
        if self.fitting.is_empty() && list > 0 {
            lines.push(clip(Line::of("  nothing fits", Role::Dim), cells));
        }
        if has_preview {
            lines = self.beside(lines, room, cells, rows);
        }
        let before = width(SIGN) + width(self.query.text_before_cursor());
        let title = match self.asked {
            Some(_) => "A question".to_owned(),
            None => self.choice.title.clone(),
        };
        Sheet {
            title,
            cursor: (filter > 0).then(|| (query_at, before.min(cells.saturating_sub(1)))),
            selected: (!self.fitting.is_empty()).then(|| first + self.selected - self.top),
            rows: lines.into_iter().take(rows).collect(),
            hint: self.hint(),
        }
    }

    fn query_row(&self, cells: usize) -> Line {
        let count = format!("  {} of {}", self.fitting.len(), self.choice.choices.len());
        let line = Line::from(vec![
            Span::new(SIGN, Role::Accent),
            Span::new(&self.query.text(), Role::Text),
            Span::new(&count, Role::Dim),
        ]);
        clip(line, cells)
    }

    fn row(&self, at: usize, cells: usize) -> Line {
        let fit = &self.fitting[at];
        let offer = &self.choice.choices[fit.index];
        let is_current = Some(&offer.value) == self.choice.current.as_ref();
        let mark = if is_current { "● " } else { "  " };
        let mut spans = vec![Span::new(mark, Role::Success)];
        let label = Span::new(&offer.label, Role::Text);
        // Letters are places in what was matched; where that was shown otherwise, none are marked.
        if label.text() == offer.label {
            spans.extend(marked(&offer.label, &fit.positions));
        } else {
            spans.push(label);
        }
        let mut line = Line::from(spans);
        // Where there is no room for all of the detail, its first part may do.
        let detail = offer.detail.as_deref().unwrap_or_default();
        let first = detail.split(" · ").next().unwrap_or_default();
        for words in [detail, first] {
            let words = Span::new(words, Role::Dim);
            let room = cells.saturating_sub(words.width() + 2);
            if words.width() > 0 && room >= cells / 3 {
                line = clip(line, room);
                let gap = cells.saturating_sub(line.width() + words.width());
                line.spans.push(Span::new(&" ".repeat(gap), Role::Text));
                line.spans.push(words);
                return line;
            }
        }
        clip(line, cells)
    }

    /// The list with the preview to its right.
    fn beside(&self, lines: Vec<Line>, room: usize, cells: usize, rows: usize) -> Vec<Line> {
        let width = cells.saturating_sub(room + 3);
        let awaited = if self.previewed.is_some() { "…" } else { "" };
        let text = self.preview.as_deref().unwrap_or(awaited);
        let mut preview: Vec<Line> = Vec::new();
        for line in text.lines().take(rows) {
            let spans = [Span::new(line, Role::Dim)];
            preview.extend(wrap_words(&spans, width, &fen_cells::Prefix::default()));
        }
        let empty = Line::default();
        (0..rows)
            .map(|row| {
                let mut line = lines.get(row).cloned().unwrap_or_default();
                if row == 0 {
                    return line;
                }
                let gap = room.saturating_sub(line.width());
                line.spans.push(Span::new(&" ".repeat(gap), Role::Text));
                line.spans.push(Span::new(" │ ", Role::Border));
                line.spans.extend(preview.get(row - 1).unwrap_or(&empty).spans.clone());
                line
            })
            .collect()
    }

    fn hint(&self) -> String {
        let mut words = vec!["enter chooses".to_owned()];
        if self.asked.as_ref().is_some_and(Asked::is_longer) {
            words.push("pageup pagedown read".to_owned());
        }
        words.extend(
            self.choice
                .actions
                .iter()
                .map(|OfferAction { key, label, .. }| format!("{key} {label}")),
        );
        words.push("esc".to_owned());
        words.join(" · ")
    }
}

/// A label with its matched letters marked: a span for each run of one look. What is one to the reader
/// stays in one piece, marked where any part of it was matched.
fn marked(label: &str, positions: &[usize]) -> Vec<Span> {
    let (plain, matched) = (Look::of(Role::Text), Look::of(Role::Accent).bold());
    let mut spans = Vec::new();
    let (mut from, mut end, mut look) = (0, 0, plain);
    for unit in units(label) {
        let place = end..end + unit.text.len();
        let is_matched = positions.iter().any(|position| place.contains(position));
        let own = if is_matched { matched } else { plain };
        if own != look && end > 0 {
            spans.extend(label.get(from..end).map(|run| Span::new(run, look)));
            from = end;
        }
        look = own;
        end = place.end;
    }
    spans.extend(label.get(from..end).map(|run| Span::new(run, look)));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_a_span_for_each_run_of_one_look() {
        let runs = |label: &str, positions: &[usize]| -> Vec<String> {
            marked(label, positions).iter().map(|span| span.text().to_owned()).collect()
        };
        assert_eq!(runs("model", &[]), ["model"]);
        assert_eq!(runs("model", &[0, 1, 4]), ["mo", "de", "l"]);
        let technologist = "👩\u{200d}💻";
        // A mark on any part of what is one to the reader marks the whole.
        assert_eq!(runs(&format!("a {technologist} b"), &[9]), ["a ", technologist, " b"]);
        assert_eq!(runs("cafe\u{301}s", &[3]), ["caf", "e\u{301}", "s"]);
    }
}
