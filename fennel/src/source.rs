//! The files of one compilation, and places in them.

use std::sync::Arc;

/// A file of a compilation, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub(crate) u32);

/// A stretch of source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line where it begins, from 1; 0 for what no source text stands for.
    pub line: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Where the code of this span is from, as far as run-time errors tell.
    pub(crate) fn place(self) -> Place {
        Place { file: self.file, line: self.line }
    }

    /// From the beginning of one span to the end of another one of the same file.
    pub(crate) fn to(self, other: Span) -> Span {
        let end = if self.file == other.file { other.end.max(self.end) } else { self.end };
        Span { end, ..self }
    }
}

/// A line of a source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The line, from 1; 0 where it is not known.
    pub line: u32,
}

/// A source file.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// How messages call it.
    pub name: Arc<str>,
    /// Its text.
    pub text: Arc<str>,
}

/// The files of a compilation: the main one and those of its macros.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
    /// Where the lines of each file begin.
    lines: Vec<Vec<u32>>,
}

impl Sources {
    /// Enters a file.
    pub fn add(&mut self, name: &str, text: &str) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        let after = text.bytes().zip(1..).filter(|&(byte, _)| byte == b'\n').map(|(_, at)| at);
        self.lines.push(std::iter::once(0).chain(after).collect());
        self.files.push(SourceFile { name: name.into(), text: text.into() });
        id
    }

    /// A file.
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// Whether there is such a place.
    pub(crate) fn has(&self, file: FileId, end: u32) -> bool {
        self.files.get(file.0 as usize).is_some_and(|file| end as usize <= file.text.len())
    }

    /// The line and the column of a byte, both from 1; the column counts characters.
    pub fn position(&self, file: FileId, byte: u32) -> (u32, u32) {
        let text = &*self.file(file).text;
        let mut byte = (byte as usize).min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let starts = &self.lines[file.0 as usize];
        let line = starts.partition_point(|&start| start as usize <= byte);
        let start = starts.get(line.saturating_sub(1)).map_or(0, |&start| start as usize);
        let column = text[start..byte].chars().count() + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    }

    /// Where the line of a byte begins.
    pub(crate) fn line_start(&self, file: FileId, byte: u32) -> usize {
        let Some(starts) = self.lines.get(file.0 as usize) else { return 0 };
        let line = starts.partition_point(|&start| start <= byte);
        starts.get(line.saturating_sub(1)).map_or(0, |&start| start as usize)
    }

    /// The beginning of a line.
    pub(crate) fn line_span(&self, place: Place) -> Span {
        let starts = self.lines.get(place.file.0 as usize);
        let at = place.line.saturating_sub(1) as usize;
        let start = starts.and_then(|starts| starts.get(at)).copied().unwrap_or_default();
        Span { file: place.file, line: place.line, start, end: start }
    }

    /// The text of a line, from 1, without its end.
    pub fn line(&self, file: FileId, line: u32) -> &str {
        let starts = &self.lines[file.0 as usize];
        let at = line.saturating_sub(1) as usize;
        let Some(&start) = starts.get(at) else { return "" };
        let rest = &self.file(file).text[start as usize..];
        let text = match starts.get(at + 1) {
            Some(&next) => &rest[..(next - start) as usize],
            None => rest,
        };
        text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
    }
}
