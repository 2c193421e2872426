//! Processes that fen started, looked at from outside.

use super::{GUARD, LOOK};
use rustix::process::{Pid, test_kill_process};
use std::path::Path;
use std::time::Instant;

/// Waits until a command has written its process id into this file.
pub fn appears(file: &Path) -> Pid {
    let deadline = Instant::now() + GUARD;
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.ends_with('\n') {
            return Pid::from_raw(text.trim().parse().unwrap()).unwrap();
        }
        assert!(Instant::now() < deadline, "{} does not appear", file.display());
        std::thread::sleep(LOOK);
    }
}

/// Whether a process runs. One that ended and was not collected yet does not.
fn is_running(id: Pid) -> bool {
    if Path::new("/proc/self/stat").exists() {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero()));
        // The state follows the name, which stands in parentheses.
        return stat.is_ok_and(|stat| !stat.contains(") Z ") && !stat.contains(") X "));
    }
    test_kill_process(id).is_ok()
}

/// Waits until a process has ended.
pub fn ends(id: Pid) {
    let deadline = Instant::now() + GUARD;
    while is_running(id) {
        assert!(Instant::now() < deadline, "process {id:?} goes on");
        std::thread::sleep(LOOK);
    }
}
