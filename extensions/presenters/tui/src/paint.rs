//! Puts a [`Line`] into the cells of a buffer.
//!
//! It measures text by [`units`] alone, so that what was wrapped and clipped by that measure stands
//! where it was reckoned to. It lays nothing out, and writes nowhere but in the row it is given. All
//! that draws rows calls it.

use crate::theme::Theme;
use fen_cells::{Line, Unit, units};
use ratatui::buffer::{Buffer, Cell, CellDiffOption, CellWidth as _};
use ratatui::style::Style;
use std::num::NonZeroU16;

/// Draws a line from a place on, over at most so many cells; what was in them is gone. What does not
/// fit is left out, and so is what lies outside the buffer.
pub(crate) fn paint_line(
    buffer: &mut Buffer,
    x: u16,
    y: u16,
    max_width: u16,
    line: &Line,
    theme: &Theme,
) {
    let row = line.fill.map_or(theme.ground(), |role| theme.fill(role));
    let mut cells = row_of(buffer, x, y, max_width);
    for cell in cells.iter_mut() {
        set(cell, " ", row);
    }
    for span in &line.spans {
        let style = row.patch(theme.style(span.look));
        for unit in units(span.text()) {
            let left = std::mem::take(&mut cells);
            let Some((taken, rest)) = left.split_at_mut_checked(unit.width) else { return };
            cells = rest;
            let mut taken = taken.iter_mut();
            // What has no width is in no line, and has no place in one.
            let Some(first) = taken.next() else { continue };
            set(first, unit.text, style);
            first.set_diff_option(width_told(unit));
            // The terminal draws the first one over the others.
            taken.for_each(|covered| set(covered, " ", style));
        }
    }
}

/// The cells of the buffer from a place on.
fn row_of(buffer: &mut Buffer, x: u16, y: u16, max_width: u16) -> &mut [Cell] {
    let area = buffer.area;
    let end = x.saturating_add(max_width).min(area.right());
    if x < area.left() || x >= end || y < area.top() || y >= area.bottom() {
        return &mut [];
    }
    let row = usize::from(y - area.top()) * usize::from(area.width);
    let columns = usize::from(x - area.left())..usize::from(end - area.left());
    buffer.content.get_mut(row + columns.start..row + columns.end).unwrap_or_default()
}

fn set(cell: &mut Cell, symbol: &str, style: Style) {
    cell.reset();
    cell.set_symbol(symbol).set_style(style);
}

/// The width of a cell where the drawing library would measure another one.
fn width_told(unit: Unit<'_>) -> CellDiffOption {
    let width = u16::try_from(unit.width).unwrap_or(1);
    match NonZeroU16::new(width) {
        Some(told) if unit.text.cell_width() != width => CellDiffOption::ForcedWidth(told),
        _ => CellDiffOption::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Depth, Themes};
    use fen_cells::{Look, Role, Span};
    use proptest::prelude::*;
    use ratatui::layout::Rect;
    use ratatui::style::{Color, Modifier};
    use std::sync::Arc;

    fn theme(name: &str) -> Arc<Theme> {
        Themes::load(None, Depth::True).0.get(name).unwrap()
    }

    /// A buffer that is full of something else.
    fn full(width: u16, height: u16) -> Buffer {
        let mut dirty = Cell::new("#");
        dirty.set_bg(Color::Red).modifier = Modifier::UNDERLINED;
        Buffer::filled(Rect::new(3, 2, width, height), dirty)
    }

    fn shown(buffer: &Buffer, x: u16, y: u16, width: u16) -> String {
        let mut text = String::new();
        let mut at = x;
        while at < x + width {
            let symbol = buffer[(at, y)].symbol();
            text.push_str(symbol);
            at += fen_cells::width(symbol).max(1) as u16;
        }
        text
    }

    #[test]
    fn text_stands_in_its_cells_and_the_rest_is_cleared() {
        let mut buffer = full(8, 1);
        let line = Line::from(vec![Span::new("a来", Role::Accent), Span::new("b", Role::Text)]);
        paint_line(&mut buffer, 3, 2, 8, &line, &theme("dark"));
        let symbols: Vec<&str> = (3..11).map(|x| buffer[(x, 2)].symbol()).collect();
        assert_eq!(symbols, ["a", "来", " ", "b", " ", " ", " ", " "]);
        let accent = theme("dark").style(Role::Accent.into()).fg.unwrap();
        assert_eq!(buffer[(4, 2)].fg, accent);
        assert_eq!(buffer[(5, 2)].fg, accent);
        assert_eq!(buffer[(6, 2)].fg, Color::Reset);
        for x in 3..11 {
            assert_eq!(buffer[(x, 2)].bg, Color::Reset);
            assert_eq!(buffer[(x, 2)].modifier, Modifier::empty());
        }
    }

    #[test]
    fn a_wide_character_that_does_not_fit_is_left_out_with_all_after_it() {
        let mut buffer = full(4, 1);
        paint_line(&mut buffer, 3, 2, 3, &Line::of("ab来c", Role::Text), &theme("dark"));
        assert_eq!(shown(&buffer, 3, 2, 4), "ab #");
    }

    #[test]
    fn a_fill_reaches_the_rows_end_and_is_below_what_has_no_background() {
        let theme = theme("dark");
        let mut buffer = full(6, 1);
        let mut line = Line::from(vec![
            Span::new("a", Role::Keyword),
            Span::new("b", Role::Selection),
            Span::new("c", Look::of(Role::Text).bold()),
        ]);
        line.fill = Some(Role::Added);
        paint_line(&mut buffer, 3, 2, 6, &line, &theme);
        let [added, chosen] =
            [Role::Added, Role::Selection].map(|role| theme.background(role).unwrap());
        let backgrounds: Vec<Color> = (3..9).map(|x| buffer[(x, 2)].bg).collect();
        assert_eq!(backgrounds, [added, chosen, added, added, added, added]);
        assert_eq!(buffer[(5, 2)].modifier, Modifier::BOLD);
    }

    #[test]
    fn a_fill_is_seen_without_colours() {
        let mut buffer = full(4, 1);
        let mut line = Line::of("ab", Look::of(Role::Text).bold());
        line.fill = Some(Role::Selection);
        paint_line(&mut buffer, 3, 2, 4, &line, &theme("no-colour"));
        let modifiers: Vec<Modifier> = (3..7).map(|x| buffer[(x, 2)].modifier).collect();
        let (chosen, bold) = (Modifier::REVERSED, Modifier::REVERSED | Modifier::BOLD);
        assert_eq!(modifiers, [bold, bold, chosen, chosen]);
    }

    #[test]
    fn all_stands_on_the_ground_of_the_theme() {
        let theme = theme("high-contrast");
        let mut buffer = full(4, 1);
        paint_line(&mut buffer, 3, 2, 4, &Line::of("ab", Role::CodeBlock), &theme);
        for x in 3..7 {
            assert_eq!(Some(buffer[(x, 2)].bg), theme.ground().bg);
        }
        assert_eq!(Some(buffer[(6, 2)].fg), theme.ground().fg);
    }

    #[test]
    fn a_width_that_the_library_sees_otherwise_is_told_to_it() {
        let odd = "\u{ff76}\u{ff9e}";
        let line = Line::of(odd, Role::Text);
        let mut buffer = full(4, 1);
        paint_line(&mut buffer, 3, 2, 4, &line, &theme("dark"));
        assert_eq!(
            buffer[(3, 2)].cell_width() as usize,
            fen_cells::units(odd).next().unwrap().width
        );
    }

    proptest! {
        #[test]
        fn nothing_is_written_outside_and_the_cells_show_the_beginning(
            texts in proptest::collection::vec(("\\PC{0,6}|[来👍🏽é❤\u{fe0f}a-c]{0,4}", 0usize..33), 0..5),
            x in 0u16..20, y in 0u16..8, width in prop_oneof![0u16..16, Just(u16::MAX)],
            filled: bool,
        ) {
            let spans: Vec<Span> = texts
                .iter()
                .map(|(text, role)| Span::new(text, Role::ALL[role % Role::ALL.len()]))
                .collect();
            let mut line = Line::from(spans);
            line.fill = filled.then_some(Role::Removed);
            let mut buffer = full(10, 4);
            paint_line(&mut buffer, x, y, width, &line, &theme("light"));
            let inside = |at: u16, row: u16| {
                row == y && x >= 3 && at >= x && u32::from(at) < u32::from(x) + u32::from(width)
            };
            let untouched = full(1, 1).content[0].clone();
            for (at, row) in (2..6).flat_map(|row| (3..13).map(move |at| (at, row))) {
                if !inside(at, row) {
                    prop_assert_eq!(&buffer[(at, row)], &untouched);
                }
            }
            if inside(x, y) && x < 13 && (2..6).contains(&y) {
                let cells = width.min(13 - x);
                let shown = shown(&buffer, x, y, cells);
                let text = line.text();
                let (end, taken) = cut_by_spans(&line, usize::from(cells));
                let expected = text[..end].to_owned() + &" ".repeat(usize::from(cells) - taken);
                prop_assert_eq!(shown, expected);
                let total: u16 = (0..cells)
                    .scan(x, |at, _| {
                        let cell = (*at < x + cells).then(|| &buffer[(*at, y)])?;
                        *at += cell.cell_width();
                        Some(cell.cell_width())
                    })
                    .sum();
                prop_assert_eq!(total, cells, "the library measures as we do");
            }
        }
    }

    /// How much of a line fits, span by span: pieces never join over the border of two spans.
    fn cut_by_spans(line: &Line, cells: usize) -> (usize, usize) {
        let (mut end, mut taken) = (0, 0);
        for span in &line.spans {
            let (bytes, width) = fen_cells::cut(span.text(), cells - taken);
            (end, taken) = (end + bytes, taken + width);
            if bytes < span.text().len() {
                break;
            }
        }
        (end, taken)
    }
}
