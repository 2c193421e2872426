//! Colours as themes write them, and what becomes of them on a terminal that has fewer.
//!
//! It is pure, and knows nothing of roles. The theme's files call it while they are read, and never
//! the painting.

use ratatui::style::Color;

/// How many colours a terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    /// None: only bold, dim, reversed and the like.
    None,
    /// The 16 that the terminal's own scheme gives.
    Ansi16,
    /// Those, a cube of 216 and a ramp of 24 greys.
    Ansi256,
    /// All of 24 bits.
    True,
}

/// The names of the 16 colours, by their numbers.
pub(super) const ANSI_NAMES: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

/// The same in the drawing library's words, where `Gray` is the white of most text.
const ANSI: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// What the 16 look like in xterm. Each scheme has its own, so this is a guess.
const ANSI_RGB: [[u8; 3]; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];

/// The steps of the cube of 216.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The contrast below which text is no longer easy to read.
const LEGIBLE: f64 = 3.0;

/// A colour that stands for itself: `#rrggbb`, `#rgb`, one of the 16 names, `0` to `255`, `default`.
pub(super) fn parse(text: &str) -> Option<Color> {
    if text == "default" {
        return Some(Color::Reset);
    }
    if let Some(hex) = text.strip_prefix('#') {
        return parse_hex(hex);
    }
    if let Some(at) = ANSI_NAMES.iter().position(|name| *name == text) {
        return ANSI.get(at).copied();
    }
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok().map(Color::Indexed)).flatten()
}

fn parse_hex(hex: &str) -> Option<Color> {
    if !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(hex, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    match hex.len() {
        6 => Some(Color::Rgb(red, green, blue)),
        3 => {
            let [red, green, blue] = [8, 4, 0].map(|shift| ((number >> shift) & 0xf) as u8 * 17);
            Some(Color::Rgb(red, green, blue))
        }
        _ => None,
    }
}

/// A foreground and a background as a terminal of that depth has them. What could be read before
/// can be read after.
pub(super) fn reduce_pair(
    fg: Option<Color>,
    bg: Option<Color>,
    depth: Depth,
) -> (Option<Color>, Option<Color>) {
    let (small_fg, small_bg) =
        (fg.map(|color| reduce(color, depth)), bg.map(|color| reduce(color, depth)));
    let (Some(text), Some(ground)) = (small_fg, small_bg) else { return (small_fg, small_bg) };
    let legible = |fg, bg| contrast(fg, bg).is_none_or(|contrast| contrast >= LEGIBLE);
    if legible(text, ground) || fg.zip(bg).is_some_and(|(fg, bg)| !legible(fg, bg)) {
        return (small_fg, small_bg);
    }
    // One of the two can always be read.
    let other = if legible(Color::White, ground) { Color::White } else { Color::Black };
    (Some(other), small_bg)
}

/// The nearest colour that a terminal of that depth has.
pub(crate) fn reduce(color: Color, depth: Depth) -> Color {
    match depth {
        Depth::None => Color::Reset,
        Depth::True => color,
        Depth::Ansi256 => match color {
            Color::Rgb(red, green, blue) => Color::Indexed(nearest_256([red, green, blue])),
            other => other,
        },
        Depth::Ansi16 => match (color, rgb(color)) {
            (Color::Rgb(..) | Color::Indexed(16..), Some(wanted)) => {
                ANSI[nearest(wanted, ANSI_RGB.iter().copied())]
            }
            (Color::Indexed(number), _) => {
                ANSI.get(usize::from(number)).copied().unwrap_or(Color::Reset)
            }
            (other, _) => other,
        },
    }
}

/// The nearest of the 240 whose looks do not depend on the terminal's scheme.
fn nearest_256(wanted: [u8; 3]) -> u8 {
    // Only the nearest of the cube and the nearest grey can win.
    let steps = wanted.map(|part| nearest_step(part) as u8);
    let cube = 16 + 36 * steps[0] + 6 * steps[1] + steps[2];
    // The greys begin at 8, ten apart; the mean is weighted as the distance is.
    let [red, green, blue] = wanted.map(u32::from);
    let mean_tenths = 3 * red + 6 * green + blue;
    let grey = 232 + (mean_tenths.saturating_sub(30) / 100).min(23) as u8;
    let distance_of = |number| distance(wanted, indexed_rgb(number));
    if distance_of(grey) < distance_of(cube) { grey } else { cube }
}

fn nearest_step(part: u8) -> usize {
    let steps = CUBE.iter().enumerate();
    steps.min_by_key(|(_, step)| step.abs_diff(part)).map_or(0, |(at, _)| at)
}

fn nearest(wanted: [u8; 3], palette: impl Iterator<Item = [u8; 3]>) -> usize {
    let measured = palette.map(|color| distance(wanted, color)).enumerate();
    measured.min_by_key(|(_, distance)| *distance).map_or(0, |(at, _)| at)
}

/// How different two colours look: the sum of squares, weighted by how much the eye heeds each part.
fn distance(left: [u8; 3], right: [u8; 3]) -> u32 {
    let part = |at: usize| u32::from(left[at].abs_diff(right[at])).pow(2);
    3 * part(0) + 6 * part(1) + part(2)
}

fn indexed_rgb(number: u8) -> [u8; 3] {
    match number {
        0..16 => ANSI_RGB[usize::from(number)],
        16..232 => {
            let number = usize::from(number) - 16;
            [CUBE[number / 36], CUBE[number / 6 % 6], CUBE[number % 6]]
        }
        232.. => [8 + 10 * (number - 232); 3],
    }
}

/// What a colour looks like; `None` where only the terminal knows.
fn rgb(color: Color) -> Option<[u8; 3]> {
    match color {
        Color::Reset => None,
        Color::Rgb(red, green, blue) => Some([red, green, blue]),
        Color::Indexed(number) => Some(indexed_rgb(number)),
        named => ANSI.iter().position(|ansi| *ansi == named).map(|at| ANSI_RGB[at]),
    }
}

/// The contrast ratio of two colours by WCAG 2: from 1 to 21. `None` where only the terminal knows
/// what one of them looks like.
pub(super) fn contrast(left: Color, right: Color) -> Option<f64> {
    let (left, right) = (luminance(rgb(left)?), luminance(rgb(right)?));
    Some((left.max(right) + 0.05) / (left.min(right) + 0.05))
}

fn luminance(rgb: [u8; 3]) -> f64 {
    let [red, green, blue] = rgb.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn colours_are_written_in_five_ways() {
        for (text, color) in [
            ("#88c0d0", Color::Rgb(0x88, 0xc0, 0xd0)),
            ("#8Cf", Color::Rgb(0x88, 0xcc, 0xff)),
            ("white", Color::Gray),
            ("bright-black", Color::DarkGray),
            ("0", Color::Indexed(0)),
            ("255", Color::Indexed(255)),
            ("default", Color::Reset),
        ] {
            assert_eq!(parse(text), Some(color), "{text}");
        }
        for text in ["", "#", "#12", "#1234567", "#+12345", "256", "-1", "+1", "Red", "#ééé"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_a_terminal_has_stays_and_the_rest_becomes_what_is_near() {
        assert_eq!(reduce(Color::Rgb(255, 0, 0), Depth::Ansi256), Color::Indexed(196));
        assert_eq!(reduce(Color::Rgb(128, 128, 128), Depth::Ansi256), Color::Indexed(244));
        assert_eq!(reduce(Color::Rgb(255, 255, 255), Depth::Ansi256), Color::Indexed(231));
        assert_eq!(reduce(Color::Rgb(250, 5, 5), Depth::Ansi16), Color::LightRed);
        assert_eq!(reduce(Color::Rgb(1, 2, 3), Depth::Ansi16), Color::Black);
        assert_eq!(reduce(Color::Indexed(3), Depth::Ansi16), Color::Yellow);
        assert_eq!(reduce(Color::Indexed(231), Depth::Ansi16), Color::White);
        assert_eq!(reduce(Color::Indexed(3), Depth::Ansi256), Color::Indexed(3));
        assert_eq!(reduce(Color::Red, Depth::Ansi16), Color::Red);
        assert_eq!(reduce(Color::Red, Depth::None), Color::Reset);
        for depth in [Depth::Ansi16, Depth::Ansi256, Depth::True] {
            assert_eq!(reduce(Color::Reset, depth), Color::Reset);
        }
    }

    #[test]
    fn contrast_is_that_of_the_standard() {
        let ratio = |left, right| contrast(left, right).unwrap();
        assert!((ratio(Color::Rgb(255, 255, 255), Color::Rgb(0, 0, 0)) - 21.0).abs() < 0.001);
        assert!((ratio(Color::Rgb(119, 119, 119), Color::White) - 4.478).abs() < 0.001);
        assert_eq!(contrast(Color::Reset, Color::White), None);
    }

    proptest! {
        #[test]
        fn the_nearest_of_256_is_the_nearest_of_all(red: u8, green: u8, blue: u8) {
            let wanted = [red, green, blue];
            let found = distance(wanted, indexed_rgb(nearest_256(wanted)));
            let best = (16..=255).map(|number| distance(wanted, indexed_rgb(number))).min();
            prop_assert_eq!(Some(found), best);
        }

        #[test]
        fn colours_of_a_depth_are_their_own_nearest(number: u8, red: u8, green: u8, blue: u8) {
            for depth in [Depth::None, Depth::Ansi16, Depth::Ansi256, Depth::True] {
                for color in [Color::Indexed(number), Color::Rgb(red, green, blue)] {
                    let once = reduce(color, depth);
                    prop_assert_eq!(reduce(once, depth), once);
                }
            }
            let [red, green, blue] = indexed_rgb(number.max(16));
            let same = reduce(Color::Rgb(red, green, blue), Depth::Ansi256);
            prop_assert_eq!(rgb(same), Some([red, green, blue]));
        }

        #[test]
        fn what_could_be_read_can_be_read_with_fewer_colours(fg: [u8; 3], bg: [u8; 3]) {
            let [fg, bg] = [fg, bg].map(|[red, green, blue]| Color::Rgb(red, green, blue));
            prop_assume!(contrast(fg, bg).unwrap() >= LEGIBLE);
            for depth in [Depth::Ansi16, Depth::Ansi256, Depth::True] {
                let (Some(fg), Some(bg)) = reduce_pair(Some(fg), Some(bg), depth) else {
                    panic!("a colour was lost");
                };
                prop_assert!(contrast(fg, bg).unwrap() >= LEGIBLE);
            }
        }
    }
}
