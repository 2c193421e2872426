//! Bounds on what a tool hands back, whatever the tool promised itself. Pure; the runner applies
//! them to every result, its own included.

use fen_contract::types::{AgentToolResult, TextContent};
use serde_json::{Value, json};

/// How much text one result may carry, in bytes: the 50 KiB of the tools and room for their notes.
pub const RESULT_BYTES: usize = 56 * 1024;
/// How large the data for presenters may be, as JSON.
const DETAILS_BYTES: usize = 512 * 1024;

/// The result with its text cut in the middle where it is too long, with characters that break
/// requests replaced, and never empty.
pub fn bounded(mut result: AgentToolResult) -> AgentToolResult {
    let total: usize = result.content.iter().map(|block| block.text.len()).sum();
    if total > RESULT_BYTES {
        let whole = fen_contract::types::joined_text(&result.content);
        result.content = vec![TextContent::new(cut_middle(&whole, RESULT_BYTES))];
    }
    for block in &mut result.content {
        if block.text.contains('\0') {
            block.text = block.text.replace('\0', "\u{fffd}");
        }
    }
    if result.content.iter().all(|block| block.text.trim().is_empty()) {
        result.content = vec![TextContent::new("(no output)")];
    }
    if let Some(details) = &result.details
        && serde_json::to_string(details).map_or(usize::MAX, |text| text.len()) > DETAILS_BYTES
    {
        result.details = Some(json!({"left-out": "too large"}));
    }
    result
}

fn cut_middle(text: &str, limit: usize) -> String {
    let half = limit / 2;
    let head = &text[..text.floor_char_boundary(half)];
    let tail = &text[text.ceil_char_boundary(text.len() - half)..];
    let left_out = text.len() - head.len() - tail.len();
    format!("{head}\n[… {left_out} bytes left out …]\n{tail}")
}

/// Marks a result as made by the kernel, or finished by it.
pub(super) fn mark_synthetic(result: &mut AgentToolResult) {
    match &mut result.details {
        Some(Value::Object(details)) => {
            details.insert("synthetic?".to_owned(), Value::Bool(true));
        }
        details => *details = Some(json!({"synthetic?": true})),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_huge_result_keeps_both_ends_and_stays_whole_characters() {
        let text = format!("start{}end", "─".repeat(100_000));
        let result = bounded(AgentToolResult::text(text));
        let text = &result.content[0].text;
        assert!(text.len() <= RESULT_BYTES + 64);
        assert!(text.starts_with("start") && text.ends_with("end") && text.contains("left out"));
    }

    #[test]
    fn an_empty_result_gets_a_stand_in_and_nul_is_replaced() {
        assert_eq!(bounded(AgentToolResult::text(" \n")).content[0].text, "(no output)");
        assert_eq!(bounded(AgentToolResult::text("a\0b")).content[0].text, "a\u{fffd}b");
    }
}
