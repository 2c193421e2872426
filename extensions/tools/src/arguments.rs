//! Reads the arguments of a call. The kernel has judged them by the schema already; a caller that
//! did not gets the same words instead of a panic.

use serde_json::Value;

use crate::refusal::Refusal;

/// The arguments of one call; null counts as absent.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'a>(pub(crate) &'a Value);

impl<'a> Arguments<'a> {
    fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// A text that must be there.
    pub(crate) fn text(self, name: &str) -> Result<&'a str, Refusal> {
        self.optional_text(name)?
            .ok_or_else(|| Refusal(format!("The argument `{name}` is missing.")))
    }

    /// A text that may be absent.
    pub(crate) fn optional_text(self, name: &str) -> Result<Option<&'a str>, Refusal> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Refusal(format!("The argument `{name}` must be a string."))),
        }
    }

    /// A truth value; false where it is absent.
    pub(crate) fn flag(self, name: &str) -> Result<bool, Refusal> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(Refusal(format!("The argument `{name}` must be true or false."))),
        }
    }

    /// A whole number, zero or more. Numbers beyond `u64` count as its greatest.
    pub(crate) fn count(self, name: &str) -> Result<Option<u64>, Refusal> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let refusal =
            || Refusal(format!("The argument `{name}` must be a whole number, 0 or more."));
        if let Some(count) = value.as_u64() {
            return Ok(Some(count));
        }
        match value.as_f64() {
            // The cast saturates.
            Some(number) if number >= 0.0 && number.fract() == 0.0 => Ok(Some(number as u64)),
            _ => Err(refusal()),
        }
    }

    /// How many results are wanted: at least one, `default` where nothing is said, never more
    /// than `most`.
    pub(crate) fn limit(self, default: usize, most: usize) -> Result<usize, Refusal> {
        match self.count("limit")? {
            None => Ok(default),
            Some(0) => Err(Refusal::new("The argument `limit` must be at least 1.")),
            Some(limit) => Ok(usize::try_from(limit).unwrap_or(most).min(most)),
        }
    }

    /// A number of seconds greater than zero.
    pub(crate) fn seconds(self, name: &str) -> Result<Option<f64>, Refusal> {
        let Some(value) = self.get(name) else { return Ok(None) };
        match value.as_f64() {
            Some(seconds) if seconds > 0.0 => Ok(Some(seconds)),
            _ => {
                Err(Refusal(format!("The argument `{name}` must be a number of seconds above 0.")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn counts_of_every_size_are_read_and_negative_ones_refused() {
        let count = |value: Value| Arguments(&json!({ "n": value })).count("n");
        assert_eq!(count(json!(null)), Ok(None));
        assert_eq!(count(json!(5)), Ok(Some(5)));
        assert_eq!(count(json!(5.0)), Ok(Some(5)));
        assert_eq!(count(json!(1_u64 << 63)), Ok(Some(1 << 63)));
        assert_eq!(count(json!(1e300)), Ok(Some(u64::MAX)));
        assert!(count(json!(-1)).is_err());
        assert!(count(json!(0.5)).is_err());
        assert!(count(json!("5")).is_err());
    }
}
