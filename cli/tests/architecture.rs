//! The arrows between the crates point inwards.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is the failure report of a test")]

use std::collections::BTreeMap;
use std::process::Command;

/// What a crate is to the architecture, by the folder it lives in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layer {
    /// Knows nothing of fen's kernel or extensions.
    Library,
    Contract,
    Core,
    /// The script host.
    Script,
    /// A library on top of the contract that extensions share.
    Kit,
    Extension,
    Cli,
    Testing,
    Benches,
}

fn layer(path: &str) -> Layer {
    match path.split('/').collect::<Vec<_>>().as_slice() {
        ["kernel", "contract"] => Layer::Contract,
        ["kernel", "core"] => Layer::Core,
        ["kernel", "script"] => Layer::Script,
        ["transport" | "fennel"] | ["screen", _] => Layer::Library,
        ["provider-kit" | "presenter-kit"] => Layer::Kit,
        ["extensions", ..] => Layer::Extension,
        ["cli"] => Layer::Cli,
        ["testing"] => Layer::Testing,
        ["benches"] => Layer::Benches,
        other => panic!("{other:?} is not on the map in ARCHITECTURE.md; add it there and here"),
    }
}

/// Whether `from` may depend on `to` in what is shipped.
fn may_depend(from: Layer, to: Layer) -> bool {
    use Layer::*;
    match from {
        Library => to == Library,
        Testing => matches!(to, Contract | Library),
        Contract => false,
        Core => matches!(to, Contract | Library),
        Script => matches!(to, Core | Contract | Library),
        Kit => matches!(to, Core | Contract | Library),
        Extension => matches!(to, Core | Contract | Library | Kit),
        Cli => !matches!(to, Testing | Benches | Cli),
        Benches => true,
    }
}

struct Package {
    path: String,
    /// Names and kinds of the workspace crates that it depends on.
    dependencies: Vec<(String, String)>,
}

fn workspace() -> BTreeMap<String, Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version=1", "--offline"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let root = metadata["workspace_root"].as_str().unwrap().to_owned() + "/";
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("normal").to_owned();
    metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|package| {
            let manifest = text(&package["manifest_path"]);
            let path = manifest
                .strip_prefix(&root)
                .and_then(|path| path.strip_suffix("/Cargo.toml"))
                .unwrap()
                .to_owned();
            let dependencies = package["dependencies"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|dependency| dependency["path"].is_string())
                .map(|dependency| (text(&dependency["name"]), text(&dependency["kind"])))
                .collect();
            (text(&package["name"]), Package { path, dependencies })
        })
        .collect()
}

#[test]
fn arrows_point_inwards() {
    let packages = workspace();
    assert!(packages.len() > 10);
    for (name, package) in &packages {
        for (target, kind) in &package.dependencies {
            let to = layer(&packages[target].path);
            let from = layer(&package.path);
            // Tests may use the test support on top of what the crate itself may use. Those of the
            // script host run whole conversations, with extensions that come with fen.
            let for_tests = to == Layer::Testing || (from, to) == (Layer::Script, Layer::Extension);
            let allowed = may_depend(from, to) || (kind == "dev" && for_tests);
            assert!(allowed, "{name} must not depend on {target} ({kind})");
        }
    }
}

#[test]
fn the_rules_refuse_what_they_are_for() {
    assert!(!may_depend(Layer::Core, Layer::Extension));
    assert!(!may_depend(Layer::Extension, Layer::Extension));
    assert!(!may_depend(Layer::Extension, Layer::Cli));
    assert!(!may_depend(Layer::Library, Layer::Contract));
    assert!(may_depend(Layer::Core, Layer::Library));
}

#[test]
fn the_kernel_names_no_extension() {
    let names = ["openai", "anthropic", "ollama", "jsonl", "ratatui", "crossterm"];
    let mut stack =
        vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../kernel"))];
    let mut files = 0;
    while let Some(path) = stack.pop() {
        if path.is_dir() {
            // Tests may name what they like.
            if path.file_name().is_some_and(|name| name == "tests") {
                continue;
            }
            stack.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files += 1;
            let code: String = std::fs::read_to_string(&path)
                .unwrap()
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .map(|line| line.to_lowercase() + "\n")
                .collect();
            for name in names {
                assert!(!code.contains(&format!("\"{name}")), "{}: {name}", path.display());
            }
        }
    }
    assert!(files > 20);
}
