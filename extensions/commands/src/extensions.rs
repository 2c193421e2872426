//! `/extensions`: which extensions there are, what became of each, and what each contributes.
//!
//! It prints the fields that a row has, whatever they are; it decides nothing about extensions.

use crate::{Call, Complete, Definition, offer};
use fen_contract::api::{Api, SURFACES};
use fen_contract::command::Completion;
use fen_contract::failure::Failure;
use fen_contract::lookup::{row_page, rows_page};
use fen_contract::validate::did_you_mean;
use serde_json::Value;
use std::fmt::Write as _;

/// The longest snapshot that is shown, in bytes.
const SNAPSHOT_BYTES: usize = 2048;

/// The surfaces whose rows are no contributions.
const NO_CONTRIBUTIONS: [&str; 2] = ["extensions", "logs"];

pub(crate) fn commands() -> Vec<Definition> {
    vec![Definition {
        name: "extensions",
        usage: "[name | registry [kind]]",
        description: "Show the extensions and what they contribute",
        idle_only: false,
        run: |call| Box::pin(async move { extensions(&call).await }),
        complete: Complete::AtOnce(complete),
    }]
}

fn complete(api: &dyn Api, prefix: &str) -> Vec<Completion> {
    let rows = api.list("extensions").unwrap_or_default();
    let names = rows.iter().map(|row| name(row).to_owned());
    names
        .chain(["registry".to_owned()])
        .chain(SURFACES.iter().map(|surface| format!("registry {surface}")))
        // The kinds are offered once `registry` is there.
        .filter(|line| line.starts_with(prefix))
        .filter(|line| !line.contains(' ') || prefix.contains(' '))
        .map(offer)
        .collect()
}

async fn extensions(call: &Call<'_>) -> Result<(), Failure> {
    let words: Vec<&str> = call.arguments.split_whitespace().collect();
    let text = match words.as_slice() {
        [] => overview(&call.api.list("extensions")?),
        ["registry"] => registry(call.api)?,
        ["registry", kind] => contributions(call.api, kind)?,
        [name] => one(call.api, name).await?,
        _ => {
            return Err(Failure::caller("expected a name, or `registry` and perhaps a kind"));
        }
    };
    call.page("Extensions", text.trim_end().to_owned())
}

/// The person's and the project's extensions with their states; those that come with fen by name.
fn overview(rows: &[Value]) -> String {
    let (bundled, others): (Vec<Value>, Vec<Value>) =
        rows.iter().cloned().partition(|row| row["source"] == "bundled");
    let mut text = match others.as_slice() {
        [] => "No extensions beside those that come with fen.\n".to_owned(),
        others => rows_page(others),
    };
    let names: Vec<&str> = bundled.iter().map(name).collect();
    let _ = writeln!(text, "{} come with fen: {}", names.len(), names.join(", "));
    text.push_str("/extensions NAME shows one");
    text
}

fn name(row: &Value) -> &str {
    row["name"].as_str().unwrap_or_default()
}

/// How much there is of each kind.
fn registry(api: &dyn Api) -> Result<String, Failure> {
    let mut text = String::new();
    for surface in SURFACES {
        let _ = writeln!(text, "{surface:<18} {}", api.list(surface)?.len());
    }
    Ok(text)
}

/// The rows of one kind, which may be named in the singular.
fn contributions(api: &dyn Api, kind: &str) -> Result<String, Failure> {
    let plural = format!("{kind}s");
    let surface = if SURFACES.contains(&plural.as_str()) { &plural } else { kind };
    let rows = api.list(surface)?;
    Ok(match rows.as_slice() {
        [] => format!("there are no {surface}"),
        rows => rows_page(rows),
    })
}

/// All that is known of one extension. Of several with its name, such as a shadowed one, each.
async fn one(api: &dyn Api, wanted: &str) -> Result<String, Failure> {
    let rows = api.list("extensions")?;
    let pages: Vec<String> = rows.iter().filter(|row| name(row) == wanted).map(row_page).collect();
    if pages.is_empty() {
        let hint = did_you_mean(wanted, rows.iter().map(name));
        return Err(Failure::caller(format!("there is no extension `{wanted}`{hint}")));
    }
    let mut text = pages.join("");
    for surface in SURFACES.iter().filter(|surface| !NO_CONTRIBUTIONS.contains(surface)) {
        let rows = api.list(surface)?;
        let names: Vec<&str> = rows.iter().filter(|row| row["owner"] == wanted).map(name).collect();
        match names.as_slice() {
            [] => {}
            // Hooks have no names.
            names if names.iter().all(|name| name.is_empty()) => {
                let _ = writeln!(text, "  {surface}: {}", names.len());
            }
            names => {
                let _ = writeln!(text, "  {surface}: {}", names.join(", "));
            }
        }
    }
    for snapshot in api.snapshots(Some(wanted.to_owned())).await {
        let shown = format!("{:#}", snapshot["snapshot"]);
        let end = shown.floor_char_boundary(SNAPSHOT_BYTES);
        let cut = if end < shown.len() { " …" } else { "" };
        let _ = writeln!(text, "  snapshot {}: {}{cut}", name(&snapshot), &shown[..end]);
    }
    Ok(text)
}
