use super::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use tempfile::TempDir;

/// A project with one extension, and a store outside of it.
struct Disk(TempDir);

impl Disk {
    fn new() -> Self {
        let disk = Disk(tempfile::tempdir().unwrap());
        disk.write("project/ext/init.lua", "local a = 1\nreturn a\n");
        disk
    }

    fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
        fs::write(self.at(path), text).unwrap();
    }

    fn store(&self) -> TrustStore {
        TrustStore::at(self.at("state/fen/trust.json"))
    }

    fn package(&self, path: &str) -> Package {
        Package::read(&self.at(path), Source::Project, &["lua"]).unwrap()
    }

    fn ext(&self) -> Package {
        self.package("project/ext")
    }

    fn check(&self) -> Check {
        self.store().check(&self.ext()).unwrap()
    }

    /// The diff of what has changed.
    #[track_caller]
    fn diff(&self) -> String {
        match self.check() {
            Check::Changed { diff, .. } => diff,
            other => panic!("expected a change, got {other:?}"),
        }
    }
}

/// A project whose extension was agreed to.
fn trusted() -> Disk {
    let disk = Disk::new();
    assert_eq!(disk.check(), Check::New);
    disk.store().grant(&disk.ext()).unwrap();
    assert_eq!(disk.check(), Check::Trusted);
    disk
}

#[test]
fn changed_contents_ask_again_with_a_diff() {
    let disk = trusted();
    disk.write("project/ext/init.lua", "local a = 2\nreturn a\n");
    assert_eq!(
        disk.diff(),
        "--- init.lua\n+++ init.lua\n@@ -1,2 +1,2 @@\n-local a = 1\n+local a = 2\n return a"
    );
    disk.store().grant(&disk.ext()).unwrap();
    assert_eq!(disk.check(), Check::Trusted);
}

#[test]
fn an_added_or_removed_sibling_asks_again() {
    let disk = trusted();
    disk.write("project/ext/lib/extra.lua", "return 2");
    assert_eq!(
        disk.diff(),
        "--- (not there)\n+++ lib/extra.lua\n@@ -0,0 +1 @@\n+return 2 (no line break here)"
    );
    disk.store().grant(&disk.ext()).unwrap();
    fs::remove_file(disk.at("project/ext/lib/extra.lua")).unwrap();
    assert!(disk.diff().starts_with("--- lib/extra.lua\n+++ (not there)\n"));
}

#[test]
fn a_moved_or_renamed_place_is_new() {
    let disk = trusted();
    disk.write("project/ext/manifest.json", r#"{"name": "ext"}"#);
    disk.store().grant(&disk.ext()).unwrap();
    fs::rename(disk.at("project/ext"), disk.at("project/other")).unwrap();
    assert_eq!(disk.store().check(&disk.package("project/other")).unwrap(), Check::New);
    fs::rename(disk.at("project"), disk.at("elsewhere")).unwrap();
    assert_eq!(disk.store().check(&disk.package("elsewhere/other")).unwrap(), Check::New);
}

#[test]
fn a_link_to_the_extension_that_leads_elsewhere_is_new() {
    let disk = Disk::new();
    fs::create_dir(disk.at("copy")).unwrap();
    fs::copy(disk.at("project/ext/init.lua"), disk.at("copy/init.lua")).unwrap();
    symlink(disk.at("project/ext"), disk.at("project/link")).unwrap();
    disk.store().grant(&disk.package("project/link")).unwrap();
    assert_eq!(disk.store().check(&disk.package("project/link")).unwrap(), Check::Trusted);
    fs::remove_file(disk.at("project/link")).unwrap();
    symlink(disk.at("copy"), disk.at("project/link")).unwrap();
    assert_eq!(disk.store().check(&disk.package("project/link")).unwrap(), Check::New);
}

#[test]
fn a_link_inside_that_leads_elsewhere_asks_again_even_with_the_same_bytes() {
    let disk = Disk::new();
    disk.write("out/a.lua", "same");
    disk.write("out/b.lua", "same");
    let link = disk.at("project/ext/link.lua");
    symlink(disk.at("out/a.lua"), &link).unwrap();
    disk.store().grant(&disk.ext()).unwrap();
    assert_eq!(disk.check(), Check::Trusted);
    fs::remove_file(&link).unwrap();
    symlink(disk.at("out/b.lua"), &link).unwrap();
    let (a, b) = (disk.at("out/a.lua"), disk.at("out/b.lua"));
    assert_eq!(
        disk.diff(),
        format!("-link link.lua -> {}\n+link link.lua -> {}", a.display(), b.display())
    );
    // What a link leads to is hashed as what runs.
    fs::remove_file(&link).unwrap();
    symlink(&a, &link).unwrap();
    assert_eq!(disk.check(), Check::Trusted);
    disk.write("out/a.lua", "other");
    assert!(disk.diff().contains("-same (no line break here)\n+other"));
}

#[test]
fn what_is_asked_about_is_what_runs_though_the_disk_changes() {
    let disk = Disk::new();
    let asked = disk.ext();
    disk.write("project/ext/init.lua", "swapped()");
    disk.store().grant(&asked).unwrap();
    assert_eq!(&*asked.files()["init.lua"], "local a = 1\nreturn a\n");
    assert!(disk.diff().contains("+swapped()"));
}

#[test]
fn only_what_a_project_carries_needs_a_yes() {
    let disk = Disk::new();
    for source in [Source::Bundled, Source::User, Source::Explicit] {
        let package = Package::read(&disk.at("project/ext"), source, &["lua"]).unwrap();
        assert!(!needs_trust(&package));
        assert_eq!(disk.store().check(&package).unwrap(), Check::Trusted);
    }
    assert!(needs_trust(&disk.ext()));
}

#[test]
fn a_yes_can_be_listed_and_taken_back() {
    let disk = trusted();
    disk.write("project/two/init.lua", "2");
    disk.store().grant(&disk.package("project/two")).unwrap();
    let list = disk.store().list().unwrap();
    assert_eq!(list.len(), 2);
    assert_eq!((list[0].name.as_str(), list[0].digest), ("ext", disk.ext().digest()));
    assert!(list[0].granted.0 > 0);
    let snapshots = || fs::read_dir(disk.at("state/fen/trust")).unwrap().count();
    assert_eq!(snapshots(), 2);
    assert!(disk.store().revoke(&disk.at("project/ext")).unwrap());
    assert!(!disk.store().revoke(&disk.at("project/ext")).unwrap());
    assert_eq!((disk.check(), snapshots()), (Check::New, 1));
    assert!(!TrustStore::at(disk.at("nowhere/trust.json")).revoke(Path::new("/x")).unwrap());
}

#[test]
fn the_store_is_for_its_owner_alone() {
    let disk = trusted();
    let mode = |path: &str| fs::metadata(disk.at(path)).unwrap().permissions().mode() & 0o777;
    let snapshot = format!("state/fen/trust/{}.json", disk.ext().digest());
    for file in ["state/fen/trust.json", "state/fen/trust.lock", &snapshot] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
    assert_eq!((mode("state/fen"), mode("state/fen/trust")), (0o700, 0o700));
}

#[test]
fn a_damaged_store_trusts_nothing_and_is_left_as_it_is() {
    let disk = trusted();
    for text in ["{", "[]", "", r#"{"version": 2, "records": {}}"#] {
        disk.write("state/fen/trust.json", text);
        let store = disk.store();
        let errors = [
            store.check(&disk.ext()).unwrap_err(),
            store.grant(&disk.ext()).unwrap_err(),
            store.revoke(&disk.at("project/ext")).unwrap_err(),
            store.list().unwrap_err(),
        ];
        for error in errors.map(|error| error.to_string()) {
            assert!(error.contains("trust.json is damaged") && error.contains("move it away"));
        }
        assert_eq!(fs::read_to_string(disk.at("state/fen/trust.json")).unwrap(), text);
    }
    fs::remove_file(disk.at("state/fen/trust.json")).unwrap();
    fs::create_dir(disk.at("state/fen/trust.json")).unwrap();
    assert!(disk.store().check(&disk.ext()).is_err());
}

#[test]
fn what_a_newer_fen_wrote_beside_survives() {
    let disk = trusted();
    let file = disk.at("state/fen/trust.json");
    let text = fs::read_to_string(&file).unwrap();
    let text = text.replace("\"name\"", "\"who\": 1, \"name\"").replacen('{', "{\"more\": 2,", 1);
    fs::write(&file, text).unwrap();
    disk.write("project/two/init.lua", "2");
    disk.store().grant(&disk.package("project/two")).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"who\": 1") && text.contains("\"more\": 2"), "{text}");
    assert_eq!(disk.check(), Check::Trusted);
}

#[test]
fn yeses_given_at_once_are_all_kept() {
    let disk = Disk::new();
    let packages: Vec<Package> = (0..8)
        .map(|number| {
            disk.write(&format!("project/e{number}/init.lua"), "return 1");
            disk.package(&format!("project/e{number}"))
        })
        .collect();
    std::thread::scope(|scope| {
        for package in &packages {
            scope.spawn(|| disk.store().grant(package).unwrap());
        }
    });
    assert_eq!(disk.store().list().unwrap().len(), packages.len());
    for package in &packages {
        assert_eq!(disk.store().check(package).unwrap(), Check::Trusted);
    }
}

#[test]
fn a_lost_or_altered_snapshot_shows_the_whole_instead_of_a_false_diff() {
    for damage in ["", "{}", r#"{"name":"ext","entry":"init.lua","links":{},"files":{}}"#] {
        let disk = trusted();
        let snapshot = disk.at(&format!("state/fen/trust/{}.json", disk.ext().digest()));
        fs::write(snapshot, damage).unwrap();
        disk.write("project/ext/init.lua", "return 2\n");
        assert_eq!(
            disk.diff(),
            "(what was agreed to before is not kept any more; this is all there is now)\n\
             --- (not there)\n+++ init.lua\n@@ -0,0 +1 @@\n+return 2"
        );
    }
}

#[test]
fn a_long_change_is_cut_and_counted() {
    let disk = trusted();
    disk.write("project/ext/init.lua", &"x = 1\n".repeat(10_000));
    let diff = disk.diff();
    assert_eq!(diff.lines().count(), changes::MAX_LINES + 1);
    // Three lines of heads, ten thousand added ones and two removed.
    let left = 3 + 10_000 + 2 - changes::MAX_LINES;
    let note = format!("… {left} more lines of this change are not shown; read the files before");
    assert!(diff.lines().last().unwrap().starts_with(&note), "{diff}");

    disk.write("project/ext/init.lua", &"x".repeat(1_000_000));
    assert!(disk.diff().contains("… 999600 more characters"));
}

#[test]
fn a_change_that_is_hard_to_compare_is_still_shown() {
    let disk = Disk::new();
    let text = |seed: u64| -> String {
        (0..100_000_u64).map(|n| format!("{}\n", n.wrapping_mul(seed) % 1013)).collect()
    };
    disk.write("project/ext/init.lua", &text(7_919));
    disk.store().grant(&disk.ext()).unwrap();
    disk.write("project/ext/init.lua", &text(104_729));
    assert!(disk.diff().contains("more lines of this change are not shown"));
}

#[test]
fn what_hides_in_a_change_is_shown() {
    let disk = trusted();
    disk.write("project/ext/init.lua", "local a = 1\r\nreturn a --\u{202e}\u{1b}[2J\n");
    let diff = disk.diff();
    assert!(diff.contains("+local a = 1␍\n+return a --<U+202E>␛[2J"), "{diff}");
}

#[test]
fn a_question_tells_what_runs_and_what_it_may() {
    let disk = Disk::new();
    disk.write("out/far.lua", "12345");
    symlink(disk.at("out/far.lua"), disk.at("project/ext/far.lua")).unwrap();
    disk.write(
        "project/ext/manifest.lua",
        r#"{ description = "Counts\nIt asks for no\u{202e}thing", capabilities = {"process", "fs"},
             hooks = true, overrides = {"tool/bash"}, presenter = "p" }"#,
    );
    let package = disk.ext();
    let asked = question(&package, &disk.check());
    let at = |path: &str| disk.at(path).display().to_string();
    for part in [
        "This project brings the extension `ext`, which is new here.\n",
        &format!("  in: {}\n", at("project/ext")),
        "  it says of itself: Counts␊It asks for no<U+202E>thing\n",
        "  process: it may run programs in your name: full trust\n",
        "  fs: it may read and write your files, except fen's own\n",
        "It has hooks: it can refuse tool calls.\n",
        "It replaces:\n  tool/bash\n",
        "It can be the whole display: p\n",
        "of which init.lua runs first:\n  far.lua  5 bytes\n  init.lua  21 bytes\n",
        &format!("Links that lead out of its folder:\n  far.lua -> {}\n", at("out/far.lua")),
    ] {
        assert!(asked.contains(part), "{part}\n---\n{asked}");
    }
    disk.store().grant(&package).unwrap();
    disk.write("project/ext/init.lua", "return 3");
    let asked = question(&disk.ext(), &disk.check());
    assert!(asked.contains("has changed since you trusted it"));
    assert!(asked.contains("What has changed:\n--- init.lua\n"), "{asked}");
}

#[test]
fn a_question_shows_what_hides_in_names_and_stays_short() {
    let disk = Disk::new();
    disk.write("project/ext/a\n\u{1b}]0;x\u{7}b\r.lua", "");
    for number in 0..100 {
        disk.write(&format!("project/ext/lib/{number}.lua"), "");
    }
    let asked = question(&disk.ext(), &Check::New);
    assert!(asked.contains("  a␊␛]0;x␇b␍.lua  0 bytes\n"), "{asked}");
    assert!(asked.contains("  … and 52 more\n"), "{asked}");
    assert!(asked.contains("It asks for no files, programs, network, environment or keys.\n"));
}
