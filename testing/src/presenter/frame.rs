//! Where everything stands on the screen.
//!
//! Pure: a scene goes in, exactly as many rows as the screen has come out, none of them too wide.
//! Where there is not room for all, the input comes before the status row, that before questions,
//! those before panels, and the transcript has a third of the rest for itself.

use super::cells::{clip, ending, one_line, row_width, segment, width};
use super::questions::{Asked, Form, Outcome};
use super::transcript::Transcript;
use fen_contract::kinds::{Placement, Side};
use fen_contract::ui::{PanelView, Row, Segment, StatusView};

/// One panel has at most this share of the screen: a third.
const PANEL_SHARE: usize = 3;
/// What stands between two status items.
const GAP: &str = "  ";

/// What is to be drawn.
pub(crate) struct Scene<'a> {
    pub width: u16,
    pub height: u16,
    pub status: &'a [StatusView],
    pub info: Option<&'a str>,
    pub panels: &'a [PanelView],
    pub transcript: &'a Transcript,
    pub questions: &'a [Asked],
    pub input: &'a str,
}

/// Draws a scene.
pub(crate) fn draw(scene: &Scene<'_>) -> Vec<Row> {
    let (columns, rows) = (usize::from(scene.width), usize::from(scene.height));
    let mut room = rows.saturating_sub(2);
    let mut questions = question_rows(scene.questions, columns);
    questions.truncate(room);
    room -= questions.len();

    let mut panel_room = room - room / PANEL_SHARE;
    let mut placed = |placement: Placement| -> Vec<Row> {
        let panels = scene.panels.iter().filter(|panel| panel.placement == placement);
        let mut drawn: Vec<Row> =
            panels.flat_map(|panel| panel_rows(panel, columns, rows / PANEL_SHARE)).collect();
        drawn.truncate(panel_room);
        panel_room -= drawn.len();
        drawn
    };
    let below_status = placed(Placement::BelowStatus);
    let above_input = placed(Placement::AboveInput);
    room -= below_status.len() + above_input.len();

    let mut frame = Vec::with_capacity(rows);
    if rows > 1 {
        frame.push(status_row(scene, columns));
    }
    frame.extend(below_status);
    let mut transcript = scene.transcript.end(columns, room);
    transcript.resize(room, Row::new());
    frame.extend(transcript);
    frame.extend(above_input);
    frame.extend(questions);
    if rows > 0 {
        frame.push(input_row(scene.input, columns));
    }
    frame
}

/// What the status row has to say, whole and without the space between.
pub(crate) fn status_segments(scene: &Scene<'_>, side: Side) -> Row {
    let items = scene.status.iter().filter(|item| item.side == side);
    let mut segments: Row = items.map(|item| item.segment.clone()).collect();
    if let (Side::Left, Some(info)) = (side, scene.info) {
        segments.push(segment(info, Some("status")));
    }
    segments
}

fn status_row(scene: &Scene<'_>, columns: usize) -> Row {
    let side = |side| {
        let segments = status_segments(scene, side);
        let spaced = segments.into_iter().flat_map(|item| [segment(GAP, None), item]);
        spaced.skip(1).collect::<Row>()
    };
    let mut row = clip(&side(Side::Left), columns);
    // The two sides never touch.
    let right = clip(&side(Side::Right), columns.saturating_sub(row_width(&row) + 1));
    if !right.is_empty() {
        let space = columns - row_width(&row) - row_width(&right);
        row.push(segment(&" ".repeat(space), None));
        row.extend(right);
    }
    row
}

fn panel_rows(panel: &PanelView, columns: usize, share: usize) -> Vec<Row> {
    let wanted = panel.height.map_or(usize::MAX, usize::from);
    let title =
        panel.title.as_deref().map(|title| clip(&[segment(title, Some("accent"))], columns));
    let rows = panel.rows.iter().take(wanted.min(share.max(1))).map(|row| clip(row, columns));
    title.into_iter().chain(rows).collect()
}

fn question_rows(questions: &[Asked], columns: usize) -> Vec<Row> {
    let open = questions.iter().filter(|asked| asked.outcome == Outcome::Open);
    let words = open.map(|asked| match &asked.form {
        Form::Prompt { initial: Some(initial), .. } => format!("? {} [{initial}]", asked.text),
        Form::Prompt { initial: None, .. } => format!("? {}", asked.text),
        Form::Select { labels, .. } => format!("? {} ({})", asked.text, labels.join(" / ")),
    });
    words.map(|words| clip(&[segment(&words, Some("accent"))], columns)).collect()
}

/// The input; of a long one its end.
fn input_row(input: &str, columns: usize) -> Row {
    let mark = clip(&[segment("> ", Some("dim"))], columns);
    let line = one_line(input);
    let shown: Segment = segment(ending(&line, columns - row_width(&mark)), Some("user"));
    let mut row = mark;
    if width(&shown.text) > 0 {
        row.push(shown);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use fen_contract::events::{AssistantText, Event, Info, User};
    use fen_contract::record::Extra;
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr as _;

    fn panel(
        placement: Placement,
        height: Option<u16>,
        title: Option<&str>,
        text: &str,
    ) -> PanelView {
        PanelView {
            owner: "x".into(),
            name: "p".to_owned(),
            title: title.map(str::to_owned),
            placement,
            order: 50.0,
            height,
            rows: text
                .split('|')
                .map(|text| vec![Segment { text: text.into(), style: None }])
                .collect(),
        }
    }

    fn status(side: Side, text: &str) -> StatusView {
        StatusView {
            owner: "x".into(),
            name: "s".to_owned(),
            side,
            order: 50.0,
            segment: Segment { text: text.to_owned(), style: None },
        }
    }

    fn lines(frame: &[Row]) -> Vec<String> {
        frame.iter().map(|row| row.iter().map(|segment| &*segment.text).collect()).collect()
    }

    fn transcript(text: &str) -> Transcript {
        let mut transcript = Transcript::default();
        let events: [Event; 3] = [
            User { line: "hi".to_owned(), extra: Extra::new() }.into(),
            AssistantText { text: text.to_owned(), is_final: None, extra: Extra::new() }.into(),
            Info { info: Some(text.to_owned()), text: None, extra: Extra::new() }.into(),
        ];
        for event in &events {
            transcript.hear(event);
        }
        transcript
    }

    #[test]
    fn everything_has_its_place() {
        let frame = draw(&Scene {
            width: 20,
            height: 12,
            status: &[status(Side::Left, "a"), status(Side::Right, "z"), status(Side::Left, "b")],
            info: Some("wait"),
            panels: &[
                panel(Placement::AboveInput, Some(2), Some("Plan"), "one|two|three"),
                panel(Placement::BelowStatus, Some(9), None, "below"),
            ],
            transcript: &transcript("yes\nno"),
            questions: &[],
            input: "typed",
        });
        assert_eq!(
            lines(&frame),
            [
                "a  b  wait         z",
                "below",
                "> hi",
                "yes",
                "no",
                "info: yes no",
                "",
                "",
                "Plan",
                "one",
                "two",
                "> typed"
            ]
        );
    }

    #[test]
    fn a_tall_panel_has_a_third_of_the_screen() {
        let tall = vec!["row"; 100].join("|");
        let frame = draw(&Scene {
            width: 20,
            height: 9,
            status: &[],
            info: None,
            panels: &[panel(Placement::AboveInput, None, None, &tall)],
            transcript: &transcript("yes"),
            questions: &[],
            input: "",
        });
        let rows = lines(&frame);
        assert_eq!(rows.iter().filter(|row| *row == "row").count(), 3);
    }

    proptest! {
        #[test]
        fn every_size_is_filled_and_not_exceeded(
            width in 1u16..40, height in 1u16..20, text: String, other in "[a-z字\u{200d}👩❤\u{fe0f}\n|]*",
            wanted: Option<u16>, below: bool, titled: bool,
        ) {
            let placement = if below { Placement::BelowStatus } else { Placement::AboveInput };
            let title = titled.then_some(&*text);
            let asked = Asked {
                text: text.clone(),
                form: Form::Select { labels: vec![other.clone()], initial_query: None },
                outcome: Outcome::Open,
            };
            let frame = draw(&Scene {
                width,
                height,
                status: &[status(Side::Left, &text), status(Side::Right, &other)],
                info: Some(&other),
                panels: &[panel(placement, wanted, title, &other), panel(placement, None, None, &text)],
                transcript: &transcript(&format!("{text}{other}")),
                questions: &[asked],
                input: &other,
            });
            prop_assert_eq!(frame.len(), usize::from(height));
            for line in lines(&frame) {
                prop_assert!(line.width() <= usize::from(width), "{:?}", line);
                prop_assert!(!line.chars().any(char::is_control), "{:?}", line);
            }
        }
    }
}
