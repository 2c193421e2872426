//! `/help`: the commands, and the keys of the presenter where there is a screen.
//!
//! It knows no command and no key by name; it shows what is registered.

use crate::{Call, Complete, Definition, begun};
use fen_contract::api::Api;
use fen_contract::failure::Failure;
use fen_contract::ui::KeyRow;
use fen_contract::validate::did_you_mean;
use serde_json::Value;
use std::fmt::Write as _;

pub(crate) fn commands() -> Vec<Definition> {
    vec![Definition {
        name: "help",
        usage: "[command]",
        description: "List the commands, or show the use of one",
        idle_only: false,
        run: |call| Box::pin(async move { help(&call) }),
        complete: Complete::AtOnce(|api, prefix| {
            let rows = rows(api).unwrap_or_default();
            begun(rows.iter().map(|row| word(row, "name")), prefix)
        }),
    }]
}

/// The commands in their order.
fn rows(api: &dyn Api) -> Result<Vec<Value>, Failure> {
    let mut rows = api.list("commands")?;
    let order = |row: &Value| row["order"].as_f64().unwrap_or(f64::MAX);
    rows.sort_by(|a, b| {
        order(a).total_cmp(&order(b)).then_with(|| a["name"].as_str().cmp(&b["name"].as_str()))
    });
    Ok(rows)
}

fn word<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field].as_str().unwrap_or_default()
}

/// How a command is called. Some write the name into their usage.
fn head(row: &Value) -> String {
    let name = format!("/{}", word(row, "name"));
    let usage = word(row, "usage");
    let usage = usage.strip_prefix(&name).map_or(usage, str::trim_start);
    format!("{name} {usage}").trim_end().to_owned()
}

fn help(call: &Call<'_>) -> Result<(), Failure> {
    let rows = rows(call.api)?;
    if !call.arguments.is_empty() {
        let wanted = call.arguments.trim_start_matches('/');
        let Some(row) = rows.iter().find(|row| word(row, "name") == wanted) else {
            let hint = did_you_mean(wanted, rows.iter().map(|row| word(row, "name")));
            return Err(Failure::caller(format!("there is no command /{wanted}{hint}")));
        };
        let description = word(row, "description");
        let head = head(row);
        return call.say(if description.is_empty() {
            head
        } else {
            format!("{head} — {description}")
        });
    }
    let mut text = String::from("Commands (a line that begins with // is a prompt):");
    for row in &rows {
        let _ = write!(text, "\n  {:<24} {}", head(row), word(row, "description"));
    }
    if let Some(ui) = call.screen() {
        text.push_str(&keys(&ui.keys()));
    }
    call.page("Help", text)
}

fn keys(rows: &[KeyRow]) -> String {
    let mut text = String::new();
    if !rows.is_empty() {
        text.push_str("\n\nKeys:");
    }
    for row in rows {
        let words = if row.description.is_empty() { &row.action } else { &row.description };
        let _ = write!(text, "\n  {:<24} {words}", row.key);
        if let Some(problem) = &row.problem {
            let _ = write!(text, " (but: {problem})");
        }
    }
    text
}
