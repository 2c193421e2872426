//! A stored session in a few words: its name, its age, its size.

use fen_contract::names::{Count, Millis};
use fen_contract::session::SessionInfo;

/// The title, which is the first words of the conversation where none was given.
pub(crate) fn label(info: &SessionInfo) -> String {
    let title = info.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    title.unwrap_or("untitled").to_owned()
}

/// Age, length and size.
pub(crate) fn detail(info: &SessionInfo, now: Millis) -> String {
    let messages = match info.message_count.0 {
        1 => "1 message".to_owned(),
        count => format!("{count} messages"),
    };
    let age = age(info.modified.unwrap_or(info.timestamp), now);
    let size = info.size.map(size);
    let parts: Vec<String> = [Some(age), Some(messages), size].into_iter().flatten().collect();
    parts.join(" · ")
}

/// How long ago a moment was. One that is still to come is now: clocks differ.
fn age(moment: Millis, now: Millis) -> String {
    let seconds = now.0.saturating_sub(moment.0) / 1_000;
    match seconds {
        0..60 => "just now".to_owned(),
        60..3_600 => format!("{} min ago", seconds / 60),
        3_600..86_400 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

/// A number of bytes in short.
pub(crate) fn size(Count(bytes): Count) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_and_sizes_are_told_in_short() {
        let told = [0, 59, 60, 3_599, 7_200, 86_400, 864_000].map(|seconds: u64| {
            age(Millis(1_000_000_000), Millis(1_000_000_000 + seconds * 1_000))
        });
        assert_eq!(
            told,
            ["just now", "just now", "1 min ago", "59 min ago", "2 h ago", "1 d ago", "10 d ago"]
        );
        assert_eq!(age(Millis(5), Millis(0)), "just now");
        let told = [0, 999, 1_000, 25_400_000].map(|bytes| size(Count(bytes)));
        assert_eq!(told, ["0 B", "999 B", "1 kB", "25.4 MB"]);
        size(Count(u64::MAX));
    }
}
