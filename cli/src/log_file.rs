//! The log file: what the kernel and extensions log, secrets removed, in at most two files of
//! bounded size.

use crate::files::Folders;
use fen_contract::api::LogLevel;
use fen_core::Kernel;
use fen_core::log::LogLine;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// How large the file may grow before it is put aside, in bytes. One that was put aside is kept.
const MAX_BYTES: u64 = 1 << 20;

/// Writes what is logged from now on, debug lines excepted. The file is opened with the first line;
/// where it cannot be, nothing is written: there is no better place to tell.
pub fn write_for(kernel: &Kernel, folders: &Folders) {
    let mut file = LogFile { path: folders.log_file(), open: None };
    kernel.log_to(move |line| {
        if line.level > LogLevel::Debug {
            let _ = file.write(line);
        }
    });
}

struct LogFile {
    path: PathBuf,
    open: Option<File>,
}

impl LogFile {
    fn write(&mut self, line: &LogLine) -> std::io::Result<()> {
        let file = match &mut self.open {
            Some(file) => file,
            none => none.insert(open(&self.path)?),
        };
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        file.write_all(text.as_bytes())?;
        if file.metadata()?.len() > MAX_BYTES {
            self.open = None;
            std::fs::rename(&self.path, self.path.with_extension("log.1"))?;
        }
        Ok(())
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}
