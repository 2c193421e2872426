//! The words by which a person is asked whether a package may run.
//!
//! Every foreign word in it is shown with what hides in it, on a line of its own where fen's words
//! say what it is, and bounded. Whoever asks adds the answers to choose from.

use super::visible::line;
use super::{Check, needs_trust};
use crate::package::files::Package;
use crate::package::manifest::Hooks;
use std::fmt::Write;

/// The most files, links or names that are listed.
const MAX_LISTED: usize = 50;
/// The most characters of a path, and of a description.
const MAX_TEXT: usize = 400;

/// Says what would run, what it may reach and, of one that has changed, what is different.
pub fn question(package: &Package, check: &Check) -> String {
    let mut text = String::new();
    let name = line(package.name(), MAX_TEXT);
    let whose = if needs_trust(package) { "This project brings" } else { "There is" };
    let news = match check {
        Check::Trusted => "which is trusted",
        Check::New => "which is new here",
        Check::Changed { .. } => "which has changed since you trusted it",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{whose} the extension `{name}`, {news}.");
    let place = line(&package.place().to_string_lossy(), MAX_TEXT);
    let _ = writeln!(text, "  in: {place}");
    if !package.manifest().description.is_empty() {
        let description = line(&package.manifest().description, MAX_TEXT);
        let _ = writeln!(text, "  it says of itself: {description}");
    }
    // No capability is needed for it: whoever may send a prompt, or answer as a model, gets the
    // agent to act.
    text.push_str(
        "\nIf it runs, it sees the conversation, can add to it, and can make the agent use its \
         tools, commands on this machine among them.\n",
    );
    abilities(&mut text, package);
    contents(&mut text, package);
    if let Check::Changed { diff, .. } = check {
        let _ = writeln!(text, "\nWhat has changed:\n{diff}");
    }
    text
}

fn abilities(text: &mut String, package: &Package) {
    let manifest = package.manifest();
    let capabilities: Vec<String> = manifest
        .capabilities
        .iter()
        .map(|capability| format!("{capability}: it {}", capability.sentence()))
        .collect();
    if capabilities.is_empty() {
        text.push_str("It asks for no files, programs, network, environment or keys.\n");
    } else {
        list(text, "It asks for:", &capabilities);
    }
    match &manifest.hooks {
        Hooks::None => {}
        Hooks::Some => text.push_str("It has hooks: it can refuse tool calls.\n"),
        Hooks::Named(names) => list(text, "It has hooks, and can refuse tool calls:", names),
    }
    if !manifest.overrides.is_empty() {
        list(text, "It replaces:", &manifest.overrides);
    }
    if let Some(presenter) = &manifest.presenter {
        let _ = writeln!(text, "It can be the whole display: {}", line(presenter, MAX_TEXT));
    }
}

fn contents(text: &mut String, package: &Package) {
    let files = package.files();
    let total: usize = files.values().map(|text| text.len()).sum();
    let sizes: Vec<String> =
        files.iter().map(|(path, text)| format!("{path}  {} bytes", text.len())).collect();
    text.push('\n');
    let head = format!(
        "Its files, {} with {total} bytes, of which {} runs first:",
        files.len(),
        line(package.entry(), MAX_TEXT)
    );
    list(text, &head, &sizes);
    if !package.links().is_empty() {
        let links: Vec<String> = package
            .links()
            .iter()
            .map(|link| format!("{} -> {}", link.file, link.target.to_string_lossy()))
            .collect();
        list(text, "Links that lead out of its folder:", &links);
    }
}

/// A heading, and items below it, each on its own line.
fn list(text: &mut String, heading: &str, items: &[String]) {
    let _ = writeln!(text, "{heading}");
    for item in items.iter().take(MAX_LISTED) {
        let _ = writeln!(text, "  {}", line(item, MAX_TEXT));
    }
    if items.len() > MAX_LISTED {
        let _ = writeln!(text, "  … and {} more", items.len() - MAX_LISTED);
    }
}
