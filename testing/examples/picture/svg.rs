//! The cells of a terminal as an SVG, and as text.

use std::fmt::Write as _;
use vt100::{Cell, Color, Screen};

/// The size of a cell.
const CELL: (f64, f64) = (8.4, 18.0);
/// The size of the letters, and where in a cell they stand.
const LETTERS: (f64, f64) = (14.0, 13.5);
/// The room around the cells.
const MARGIN: f64 = 12.0;
/// The colours of a terminal of its own.
const FOREGROUND: &str = "#d8dee9";
const BACKGROUND: &str = "#1b1e24";
const ANSI: [&str; 16] = [
    "#1b1e24", "#f2938c", "#a3cf9a", "#e5c07b", "#8fb8ea", "#c6aae8", "#88c0d0", "#d8dee9",
    "#566173", "#f2938c", "#a3cf9a", "#e5c07b", "#8fb8ea", "#c6aae8", "#88c0d0", "#eceff4",
];

/// The screen as text, without what is blank at the ends of its rows.
pub fn text(screen: &Screen) -> String {
    let columns = screen.size().1.get();
    let rows = screen.rows(0, columns).map(|row| row.trim_end().to_owned() + "\n");
    rows.collect()
}

/// How a run of cells looks.
#[derive(PartialEq, Clone)]
struct Style {
    ink: String,
    ground: Option<String>,
    bold: bool,
    italic: bool,
    underline: bool,
    dim: bool,
}

fn colour(colour: Color) -> Option<String> {
    match colour {
        Color::Default => None,
        Color::Rgb(red, green, blue) => Some(format!("#{red:02x}{green:02x}{blue:02x}")),
        Color::Idx(index) => Some(indexed(index)),
    }
}

fn indexed(index: u8) -> String {
    if let Some(known) = ANSI.get(usize::from(index)) {
        return (*known).to_owned();
    }
    let step = |number: u8| if number == 0 { 0 } else { 55 + 40 * number };
    let (red, green, blue) = match index {
        232.. => [8 + 10 * (index - 232); 3].into(),
        _ => {
            let cube = index - 16;
            (step(cube / 36), step(cube / 6 % 6), step(cube % 6))
        }
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn style(cell: &Cell) -> Style {
    let mut ink = colour(cell.fgcolor());
    let mut ground = colour(cell.bgcolor());
    if cell.inverse() {
        let full = |colour: Option<String>, own: &str| Some(colour.unwrap_or(own.to_owned()));
        (ink, ground) = (full(ground, BACKGROUND), full(ink, FOREGROUND));
    }
    Style {
        ink: ink.unwrap_or_else(|| FOREGROUND.to_owned()),
        ground,
        bold: cell.bold(),
        italic: cell.italic(),
        underline: cell.underline(),
        dim: cell.dim(),
    }
}

/// Some cells of a row that look alike.
struct Run {
    style: Style,
    first: u16,
    cells: u16,
    text: String,
}

fn runs(screen: &Screen, row: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for column in 0..screen.size().1.get() {
        let Some(cell) = screen.cell(row, column) else { continue };
        if cell.is_wide_continuation() {
            if let Some(run) = runs.last_mut() {
                run.cells += 1;
            }
            continue;
        }
        let text = if cell.has_contents() { cell.contents() } else { " " };
        let style = style(cell);
        match runs.last_mut() {
            // A wide character's place is told anew, since its width is a matter of the font.
            Some(run) if run.style == style && !cell.is_wide() => {
                run.cells += 1;
                run.text.push_str(text);
            }
            _ => runs.push(Run { style, first: column, cells: 1, text: text.to_owned() }),
        }
    }
    runs
}

/// The screen as an SVG.
pub fn picture(screen: &Screen) -> String {
    let (rows, columns) = (screen.size().0.get(), screen.size().1.get());
    let width = f64::from(columns) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(rows) * CELL.1 + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" \
         font-size=\"{}\">\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n",
        LETTERS.0
    );
    for row in 0..rows {
        for run in runs(screen, row) {
            draw(&mut svg, row, &run);
        }
    }
    if !screen.hide_cursor() {
        let (row, column) = screen.cursor_position();
        let (x, y) = place(row, column);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"2\" height=\"{}\" fill=\"{FOREGROUND}\"/>",
            CELL.1
        );
    }
    svg.push_str("</svg>\n");
    svg
}

fn place(row: u16, column: u16) -> (f64, f64) {
    (MARGIN + f64::from(column) * CELL.0, MARGIN + f64::from(row) * CELL.1)
}

fn draw(svg: &mut String, row: u16, run: &Run) {
    let (x, y) = place(row, run.first);
    let width = f64::from(run.cells) * CELL.0;
    if let Some(ground) = &run.style.ground {
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{}\" fill=\"{ground}\"/>",
            CELL.1
        );
    }
    if run.text.trim().is_empty() {
        return;
    }
    let style = &run.style;
    let mut looks = String::new();
    for (is_set, look) in [
        (style.bold, " font-weight=\"bold\""),
        (style.italic, " font-style=\"italic\""),
        (style.underline, " text-decoration=\"underline\""),
        (style.dim, " opacity=\"0.7\""),
    ] {
        if is_set {
            looks.push_str(look);
        }
    }
    let text = run.text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\" xml:space=\"preserve\" \
         fill=\"{}\"{looks}>{text}</text>",
        y + LETTERS.1,
        style.ink,
    );
}
