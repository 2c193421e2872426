//! No kind without an example, no example that does not load, in either language.

use crate::kit::{Language, World, in_each_language, repository};
use fen_contract::kinds::Kind;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

in_each_language! {
    every_kind_has_an_example_and_the_readme_names_each
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The extensions below a folder: folders with an entry, and files beside such folders.
fn extensions(language: Language, folder: &Path) -> BTreeSet<PathBuf> {
    let has_suffix = |path: &PathBuf| path.extension().is_some_and(|end| end == language.suffix());
    let extension = |file: PathBuf| {
        let folder = file.parent().unwrap();
        let is_part = Language::BOTH.iter().any(|one| folder.join(one.entry()).is_file());
        if is_part { folder.to_owned() } else { file }
    };
    files(folder).into_iter().filter(has_suffix).map(extension).collect()
}

async fn every_kind_has_an_example_and_the_readme_names_each(language: Language) {
    let world = World::answering(Vec::new());
    let folder = repository().join("examples");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let all = extensions(language, &folder);
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
