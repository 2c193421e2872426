//! Reads the small files that a person writes for the screen. Themes and keys call it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// How large such a file may be, in bytes.
const MOST: u64 = 256 * 1024;

/// The file's text; `None` where there is no file.
pub(crate) fn read(path: &Path) -> io::Result<Option<String>> {
    // What is no file could keep the opening waiting.
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => {}
        Ok(_) => return Err(io::Error::other("it is not a file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    }
    let mut text = String::new();
    // One byte more tells whether there is more.
    File::open(path)?.take(MOST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST {
        return Err(io::Error::other(format!("it is larger than {} KiB", MOST / 1024)));
    }
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        assert_eq!(read(&file).unwrap(), None);
        std::fs::write(&file, "text").unwrap();
        assert_eq!(read(&file).unwrap().as_deref(), Some("text"));
        std::fs::write(&file, " ".repeat(MOST as usize)).unwrap();
        assert_eq!(read(&file).unwrap().map(|text| text.len() as u64), Some(MOST));
        std::fs::write(&file, " ".repeat(MOST as usize + 1)).unwrap();
        assert_eq!(read(&file).unwrap_err().to_string(), "it is larger than 256 KiB");
        std::fs::write(&file, b"\xff").unwrap();
        assert!(read(&file).is_err());
        assert_eq!(read(folder.path()).unwrap_err().to_string(), "it is not a file");
    }
}
