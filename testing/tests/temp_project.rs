//! The folder fixture.

use fen_testing::TempProject;

#[test]
fn files_are_written_read_and_gone_after_the_test() {
    let project = TempProject::new().file("src/main.rs", "fn main() {}");
    project.write("b.bin", [0xff, 0x00]);
    assert_eq!(project.read("src/main.rs"), "fn main() {}");
    assert_eq!(project.read_bytes("b.bin"), [0xff, 0x00]);
    assert!(project.exists("src") && !project.exists("lib"));
    let root = project.root().to_owned();
    drop(project);
    assert!(!root.exists());
}
