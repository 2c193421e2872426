//! Where a body is cut into separate writes.
//!
//! Pure: takes steps and returns steps. It runs after compression, so offsets are those of the
//! bytes that really travel.

use crate::reply::Step;

/// The rule by which a body is cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Borders {
    /// Only where the script has a border.
    AsWritten,
    /// After each write.
    EachWrite,
    /// After every so many bytes, counted over the whole body.
    Every(usize),
    /// At these offsets of the whole body.
    At(Vec<usize>),
}

impl Borders {
    /// The same steps with their writes cut. A cut body also starts with a border, so that its
    /// first piece does not travel with the head.
    pub(crate) fn apply(&self, steps: Vec<Step>) -> Vec<Step> {
        if *self == Self::AsWritten {
            return steps;
        }
        let mut out = vec![Step::Border];
        let mut offset = 0;
        for step in steps {
            let Step::Write(mut bytes) = step else {
                out.push(step);
                continue;
            };
            while !bytes.is_empty() {
                let taken = self.room(offset).min(bytes.len());
                out.push(Step::Write(bytes.split_to(taken)));
                offset += taken;
                if self.cuts_at(offset) || (*self == Self::EachWrite && bytes.is_empty()) {
                    out.push(Step::Border);
                }
            }
        }
        out
    }

    /// How many bytes fit between `offset` and the next cut.
    fn room(&self, offset: usize) -> usize {
        match self {
            Self::AsWritten | Self::EachWrite => usize::MAX,
            Self::Every(size) => size - offset % size,
            Self::At(offsets) => offsets
                .iter()
                .filter(|&&cut| cut > offset)
                .map(|cut| cut - offset)
                .min()
                .unwrap_or(usize::MAX),
        }
    }

    fn cuts_at(&self, offset: usize) -> bool {
        match self {
            Self::AsWritten | Self::EachWrite => false,
            Self::Every(size) => offset.is_multiple_of(*size),
            Self::At(offsets) => offsets.contains(&offset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(borders: &Borders, writes: &[&'static str]) -> Vec<String> {
        let steps = writes.iter().map(|text| Step::Write((*text).into())).collect();
        let mut out = vec![String::new()];
        for step in borders.apply(steps) {
            match step {
                Step::Write(bytes) => {
                    out.last_mut().unwrap().push_str(str::from_utf8(&bytes).unwrap());
                }
                _ => out.push(String::new()),
            }
        }
        out.retain(|piece| !piece.is_empty());
        out
    }

    #[test]
    fn sizes_are_counted_over_the_whole_body() {
        assert_eq!(pieces(&Borders::Every(3), &["ab", "cdef", "g"]), ["abc", "def", "g"]);
        assert_eq!(pieces(&Borders::Every(1), &["ab", "c"]), ["a", "b", "c"]);
    }

    #[test]
    fn offsets_are_those_of_the_whole_body() {
        assert_eq!(pieces(&Borders::At(vec![1, 4]), &["ab", "cdef"]), ["a", "bcd", "ef"]);
        assert_eq!(pieces(&Borders::At(vec![4, 1, 99]), &["ab", "cdef"]), ["a", "bcd", "ef"]);
    }

    #[test]
    fn each_write_keeps_its_own_border() {
        assert_eq!(pieces(&Borders::EachWrite, &["ab", "cdef"]), ["ab", "cdef"]);
    }
}
