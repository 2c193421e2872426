//! What the pretended model says. It reacts to the results it gets, as a real one would.

use fen_contract::types::Message;
use fen_provider_mock::{MockRequest, Script, Turn};
use serde_json::json;

/// The script.
pub fn script() -> Script {
    Script::answer(|request| match request.number {
        0 => said("I will look at the project first.", Turn::call("ls", json!({"path": "."}))),
        1 => said(
            "The test and what it tests:",
            Turn::call("read", json!({"path": "test.sh"}))
                .and_call("read", json!({"path": "average.sh"})),
        ),
        2 => said("Now I run the test, to see it fail.", run_test()),
        3 => said(
            "The sum is divided by one more than the number of arguments. I will correct that.",
            Turn::call(
                "edit",
                json!({"path": "average.sh", "edits": [{
                    "old_string": "echo $((sum / ($# + 1)))",
                    "new_string": "echo $((sum / $#))",
                }]}),
            ),
        ),
        4 => said("And run the test again.", run_test()),
        _ => Turn::text(conclusion(request)),
    })
}

fn said(text: &str, turn: Turn) -> Turn {
    Turn { text: Some(text.to_owned()), delta_delay_ms: 4, ..turn }
}

fn run_test() -> Turn {
    Turn::call("bash", json!({"command": "sh test.sh"}))
}

fn conclusion(request: &MockRequest<'_>) -> String {
    let passed = match request.context.messages.last() {
        Some(Message::ToolResult(result)) => !result.is_error,
        _ => false,
    };
    if passed {
        "average.sh:7 divided by `$# + 1`; it divides by `$#` now, and all three checks pass."
            .to_owned()
    } else {
        "The test still fails, because not every step could be carried out.".to_owned()
    }
}
