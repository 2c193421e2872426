//! Notices that nobody reads standard output any more, also while there is nothing to write.
//!
//! It never writes itself. A conversation starts it once its presenter is about to run.

use fen_core::Kernel;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{FileType, fstat};
use rustix::io::Errno;

/// Ends the run when the reader of standard output has closed its end. A file and a terminal have
/// no such reader.
pub fn end_with_reader(kernel: &Kernel) -> std::io::Result<()> {
    let kind = fstat(std::io::stdout()).map(|stat| FileType::from_raw_mode(stat.st_mode));
    if !matches!(kind, Ok(FileType::Fifo | FileType::Socket)) {
        return Ok(());
    }
    let kernel = kernel.clone();
    std::thread::Builder::new().name("output".to_owned()).spawn(move || {
        let stdout = std::io::stdout();
        loop {
            // Asked for nothing, it tells of the other side's end alone.
            let mut descriptors = [PollFd::new(&stdout, PollFlags::empty())];
            match poll(&mut descriptors, None) {
                Err(Errno::INTR) => {}
                Err(_) => return,
                Ok(_) => return kernel.quit(),
            }
        }
    })?;
    Ok(())
}
