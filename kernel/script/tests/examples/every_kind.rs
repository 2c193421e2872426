//! No kind without an example, no example that does not load.

use crate::kit::{World, repository};
use fen_contract::kinds::Kind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The extensions below a folder: folders with an entry, and files beside such folders.
fn extensions(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut entries: Vec<PathBuf> =
        folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.join("init.lua").is_file() || path.extension().is_some_and(|end| end == "lua") {
            found.push(path);
        } else if path.is_dir() {
            found.extend(extensions(&path));
        }
    }
    found
}

#[tokio::test]
async fn every_kind_has_an_example_and_the_readme_names_each() {
    let world = World::answering(Vec::new());
    let folder = repository().join("examples");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let all = extensions(&folder);
    assert!(all.len() >= Kind::ALL.len(), "{all:?}");
    for place in &all {
        world.load(place).await;
        let path = place.strip_prefix(&folder).unwrap().to_str().unwrap();
        assert!(readme.contains(&format!("({path})")), "{path} is not in examples/README.md");
    }
    let loaded: BTreeSet<String> = world.host.loaded().into_iter().collect();
    let registry = world.kernel.registry();
    for kind in Kind::ALL {
        let mut owners = registry.of_kind(kind).map(|entry| entry.by.owner.as_str());
        assert!(owners.any(|owner| loaded.contains(owner)), "there is no example for {kind}");
    }
    world.assert_no_errors();
}
