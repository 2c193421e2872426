//! `/expand`: the newest output in full.

use crate::{Call, Complete, Definition};
use fen_contract::failure::Failure;
use fen_contract::types::{Message, ToolResultMessage};
use std::sync::Arc;

/// The longest result that is said where nothing can be unfolded, in bytes.
const RESULT_BYTES: usize = 64 << 10;

pub(crate) fn commands() -> Vec<Definition> {
    vec![Definition {
        name: "expand",
        usage: "",
        description: "Unfold or fold the newest output; show the last tool result in full",
        idle_only: false,
        run: |call| Box::pin(async move { expand(&call) }),
        complete: Complete::Nothing,
    }]
}

fn expand(call: &Call<'_>) -> Result<(), Failure> {
    if let Some(ui) = call.ui() {
        let expanded = ui.expand();
        // Where there is a screen, its reason is the answer; elsewhere nothing is ever folded.
        if expanded.is_ok() || ui.has_screen() {
            return expanded;
        }
    }
    let result =
        last_result(call).ok_or_else(|| Failure::caller("no tool has run in this conversation"))?;
    let text = result.text();
    let end = text.floor_char_boundary(RESULT_BYTES);
    let rest = text.len() - end;
    let more = if rest > 0 { format!("\n… {rest} bytes more") } else { String::new() };
    call.say(format!("{}:\n{}{more}", result.tool_name, &text[..end]))
}

fn last_result(call: &Call<'_>) -> Option<Arc<ToolResultMessage>> {
    let agent = &call.context.agent.0;
    (0..agent.message_count()).rev().find_map(|position| match agent.message(position)? {
        Message::ToolResult(result) => Some(result),
        _ => None,
    })
}
