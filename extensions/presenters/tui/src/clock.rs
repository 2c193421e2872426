//! Short words for times, sizes and costs.
//!
//! It is pure but for [`time_of_day`], which asks the system for its time zone once, at the first
//! call. Whatever shows numbers calls it.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::sync::OnceLock;
use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// How long something takes: `0.4 s`, `12 s`, `3 m 05 s`, `2 h 10 m`, `3 d 04 h`.
pub(crate) fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0..10 => {
            // Cut, not rounded: 9.96 s is not 10.0 s yet.
            format!("{seconds}.{} s", duration.subsec_millis() / 100)
        }
        10..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{} m {:02} s", seconds / MINUTE, seconds % MINUTE),
        HOUR..DAY => format!("{} h {:02} m", seconds / HOUR, seconds % HOUR / MINUTE),
        _ => format!("{} d {:02} h", seconds / DAY, seconds % DAY / HOUR),
    }
}

/// A count, such as of tokens: `950`, `12.3 k`, `1.2 M`.
pub(crate) fn count(count: u64) -> String {
    scaled(count, &["", " k", " M", " G", " T", " P", " E"])
}

/// A size: `812 B`, `1.2 kB`, `3.4 MB`.
pub(crate) fn bytes(bytes: u64) -> String {
    scaled(bytes, &[" B", " kB", " MB", " GB", " TB", " PB", " EB"])
}

/// By thousands, with one digit more where there are fewer than three before it.
fn scaled(number: u64, units: &[&str; 7]) -> String {
    let mut scale: u64 = 1;
    let mut at = 0;
    // 999,500 would be shown as 1,000 thousands.
    while at + 1 < units.len() && number >= scale.saturating_mul(1_000).saturating_sub(scale / 2) {
        scale = scale.saturating_mul(1_000);
        at += 1;
    }
    let unit = units[at];
    if scale == 1 {
        return format!("{number}{unit}");
    }
    let rounded = |parts: u128| {
        let scale = u128::from(scale);
        (u128::from(number) * parts + scale / 2) / scale
    };
    let tenths = rounded(10);
    if tenths < 1_000 {
        format!("{}.{}{unit}", tenths / 10, tenths % 10)
    } else {
        format!("{}{unit}", rounded(1))
    }
}

/// A cost in dollars: `$0`, `$0.042`, `$1.24`; `<$0.001` where it is less than that.
pub(crate) fn dollars(dollars: f64) -> String {
    match dollars {
        _ if !dollars.is_finite() => "$?".to_owned(),
        0.0 => "$0".to_owned(),
        _ if dollars < 0.0 => format!("-{}", self::dollars(-dollars)),
        _ if dollars < 0.000_5 => "<$0.001".to_owned(),
        _ if dollars < 0.999_5 => format!("${dollars:.3}"),
        _ => format!("${dollars:.2}"),
    }
}

/// The time of day where the person is, as in `09:41`. `None` for a moment out of reach.
pub(crate) fn time_of_day(millis: u64) -> Option<String> {
    static HERE: OnceLock<TimeZone> = OnceLock::new();
    time_in(HERE.get_or_init(TimeZone::system), millis)
}

fn time_in(zone: &TimeZone, millis: u64) -> Option<String> {
    let moment = Timestamp::from_millisecond(i64::try_from(millis).ok()?).ok()?;
    let local = moment.to_zoned_datetime(zone.clone());
    Some(format!("{:02}:{:02}", local.hour(), local.minute()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_have_two_parts_at_most() {
        for (millis, words) in [
            (0, "0.0 s"),
            (449, "0.4 s"),
            (9_999, "9.9 s"),
            (10_000, "10 s"),
            (59_999, "59 s"),
            (185_000, "3 m 05 s"),
            (7_800_000, "2 h 10 m"),
            (273_600_000, "3 d 04 h"),
        ] {
            assert_eq!(duration(Duration::from_millis(millis)), words);
        }
    }

    #[test]
    fn counts_and_sizes_are_scaled_by_thousands() {
        for (number, words) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1.0 k"),
            (12_345, "12.3 k"),
            (99_949, "99.9 k"),
            (99_950, "100 k"),
            (123_456, "123 k"),
            (999_499, "999 k"),
            (999_500, "1.0 M"),
            (1_234_567, "1.2 M"),
            (u64::MAX, "18.4 E"),
        ] {
            assert_eq!(count(number), words, "{number}");
        }
        assert_eq!(bytes(812), "812 B");
        assert_eq!(bytes(1_234_567), "1.2 MB");
    }

    #[test]
    fn costs_keep_what_counts() {
        for (cost, words) in [
            (0.0, "$0"),
            (0.000_1, "<$0.001"),
            (0.000_6, "$0.001"),
            (0.042, "$0.042"),
            (0.999_6, "$1.00"),
            (1.239, "$1.24"),
            (-0.5, "-$0.500"),
            (f64::NAN, "$?"),
            (f64::INFINITY, "$?"),
        ] {
            assert_eq!(dollars(cost), words);
        }
    }

    #[test]
    fn the_time_of_day_is_that_of_the_zone() {
        let zone = TimeZone::posix("NPT-5:45").unwrap();
        assert_eq!(time_in(&zone, 1_700_000_000_000).unwrap(), "03:58");
        assert_eq!(time_in(&TimeZone::UTC, 1_700_000_000_000).unwrap(), "22:13");
        assert_eq!(time_in(&zone, u64::MAX), None);
        assert!(time_of_day(1_700_000_000_000).is_some());
    }

    proptest! {
        #[test]
        fn any_number_has_short_words(number: u64, cost: f64) {
            prop_assert!(count(number).len() <= 7);
            prop_assert!(bytes(number).len() <= 8);
            prop_assert!(duration(Duration::from_millis(number)).len() <= 21);
            prop_assert!(dollars(cost).contains('$'));
            let _ = time_in(&TimeZone::UTC, number);
        }
    }
}
