//! What a model's tokens cost, in whole numbers, so that prices can be compared and added up without
//! rounding. It knows no model; providers and the user's own settings state prices.

use crate::types::Usage;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// How many of the unit make a dollar.
const MICRO: f64 = 1e6;

/// The most millionths that are taken from the wire, 2^50: up to here a decimal number of dollars
/// leads back to the same millionth.
const MOST: f64 = 1_125_899_906_842_624.0;

/// US dollars, kept as millionths. On the wire they are a decimal number of dollars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Dollars(u64);

impl Dollars {
    /// So many millionths of a dollar.
    pub fn from_micro(micro: u64) -> Self {
        Dollars(micro)
    }

    /// A number of dollars, to the nearest millionth; `None` if it is negative, not a number or too
    /// large.
    pub fn from_decimal(dollars: f64) -> Option<Self> {
        let micro = (dollars * MICRO).round();
        // The cast is exact: the bounds hold, and there is no fraction.
        (0.0..=MOST).contains(&micro).then_some(Dollars(micro as u64))
    }

    /// The millionths.
    pub fn micro(self) -> u64 {
        self.0
    }

    /// The decimal number of dollars.
    pub fn decimal(self) -> f64 {
        self.0 as f64 / MICRO
    }
}

impl fmt::Display for Dollars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Cents are what people count in; below one, the digits that say something.
        let (whole, micro) = (self.0 / 1_000_000, self.0 % 1_000_000);
        if self.0 == 0 || self.0 >= 10_000 {
            let cents = (micro + 5_000) / 10_000;
            return write!(f, "${}.{:02}", whole + cents / 100, cents % 100);
        }
        write!(f, "$0.{}", format!("{micro:06}").trim_end_matches('0'))
    }
}

impl Serialize for Dollars {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.decimal())
    }
}

impl<'de> Deserialize<'de> for Dollars {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        Dollars::from_decimal(dollars).ok_or_else(|| {
            serde::de::Error::custom(format!("a price is a number of dollars, got {dollars}"))
        })
    }
}

/// What a million tokens of each sort cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Price {
    /// Tokens that the model reads.
    pub input: Dollars,
    /// Tokens that the model writes.
    pub output: Dollars,
    /// Tokens that it finds in its cache; as `input` where it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cache_read: Option<Dollars>,
    /// Tokens that it puts into its cache; as `input` where it is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cache_write: Option<Dollars>,
}

/// How many tokens a price is for.
const TOKENS: u128 = 1_000_000;

impl Price {
    /// What a call with this usage cost, to the nearest millionth of a dollar.
    pub fn of(&self, usage: &Usage) -> Dollars {
        let parts = [
            (usage.input, self.input),
            (usage.output, self.output),
            (usage.cache_read, self.cache_read.unwrap_or(self.input)),
            (usage.cache_write, self.cache_write.unwrap_or(self.input)),
        ];
        let total = parts
            .into_iter()
            .map(|(tokens, price)| u128::from(tokens.unwrap_or_default().0) * u128::from(price.0))
            .fold(0_u128, u128::saturating_add);
        Dollars(u64::try_from(total.saturating_add(TOKENS / 2) / TOKENS).unwrap_or(u64::MAX))
    }
}

impl std::iter::Sum for Dollars {
    fn sum<I: Iterator<Item = Dollars>>(parts: I) -> Self {
        parts.fold(Dollars(0), |total, part| Dollars(total.0.saturating_add(part.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Count;
    use proptest::prelude::*;

    fn dollars(decimal: f64) -> Dollars {
        Dollars::from_decimal(decimal).unwrap()
    }

    #[test]
    fn a_call_costs_what_its_tokens_cost() {
        let price = Price {
            input: dollars(3.0),
            output: dollars(15.0),
            cache_read: Some(dollars(0.3)),
            cache_write: None,
        };
        let usage = Usage {
            input: Some(Count(1_000)),
            output: Some(Count(2_000)),
            cache_read: Some(Count(100_000)),
            cache_write: Some(Count(10_000)),
            ..Usage::empty()
        };
        assert_eq!(price.of(&usage).micro(), 3_000 + 30_000 + 30_000 + 30_000);
        assert_eq!(price.of(&Usage::empty()), Dollars::default());
    }

    #[test]
    fn amounts_are_shown_in_cents_and_tiny_ones_in_all_their_digits() {
        let shown =
            [0.0, 0.000_3, 0.009_9, 0.01, 0.128, 2.0, 1.999].map(|d| dollars(d).to_string());
        assert_eq!(shown, ["$0.00", "$0.0003", "$0.0099", "$0.01", "$0.13", "$2.00", "$2.00"]);
    }

    #[test]
    fn what_is_no_amount_is_refused() {
        for text in ["-1", "1e300", "\"3\"", "null"] {
            assert!(serde_json::from_str::<Dollars>(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn an_amount_comes_back_from_the_wire(micro in 0_u64..=(1 << 50)) {
            let amount = Dollars::from_micro(micro);
            let text = serde_json::to_string(&amount).unwrap();
            prop_assert_eq!(serde_json::from_str::<Dollars>(&text).unwrap(), amount);
        }

        #[test]
        fn no_usage_is_too_large(tokens: u64, micro: u64) {
            let amount = Dollars::from_micro(micro);
            let price =
                Price { input: amount, output: amount, cache_read: None, cache_write: Some(amount) };
            let many = Some(Count(tokens));
            let usage = Usage {
                input: many, output: many, cache_read: many, cache_write: many, ..Usage::empty()
            };
            let cost = price.of(&usage);
            let part = price.of(&Usage { input: many, ..Usage::empty() });
            prop_assert!(cost >= part);
            let _ = cost.to_string();
        }
    }
}
