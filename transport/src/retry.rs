//! When to send again, and how long to wait first.
//!
//! [`Policy`] is pure: attempts made and the server's wish in, a decision out. [`run`] acts on it
//! and is the only part that sleeps. It must never know what the operation is; whoever sends a
//! request that may be repeated calls it.

use std::fmt;
use std::future::Future;
use std::pin::pin;
use std::time::{Duration, SystemTime};

use futures_util::future::{Either, select};

/// How often, and at what distance, an operation is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// Attempts in all, the first included.
    pub max_attempts: u32,
    /// Upper edge of the first wait.
    pub base: Duration,
    /// By how much the upper edge grows with each attempt.
    pub factor: u32,
    /// What the upper edge never grows beyond.
    pub cap: Duration,
    /// The shortest wait, also where the server says zero.
    pub floor: Duration,
    /// The longest wait that a server may ask for; beyond it the operation is given up.
    pub max_wait: Duration,
}

impl Default for Policy {
    /// Five attempts; waits of up to 0.5, 1, 2, 4 s, at least 0.1 s; up to 2 min if a server asks.
    fn default() -> Self {
        Self {
            max_attempts: 5,
            base: Duration::from_millis(500),
            factor: 2,
            cap: Duration::from_secs(30),
            floor: Duration::from_millis(100),
            max_wait: Duration::from_secs(120),
        }
    }
}

/// What to do after a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Wait this long, then try again.
    Wait(Duration),
    /// Do not try again.
    GiveUp(GiveUp),
}

/// Why there is no further attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GiveUp {
    /// The error is not one that a repetition mends.
    NotRetryable,
    /// The allowed attempts are made.
    AttemptsSpent {
        /// How many were made.
        attempts: u32,
    },
    /// The server asks for a longer wait than the policy allows.
    WaitTooLong {
        /// What the server asked for.
        asked: Duration,
        /// What the policy allows.
        max: Duration,
    },
}

impl fmt::Display for GiveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRetryable => f.write_str("sending it again would not help"),
            Self::AttemptsSpent { attempts } => write!(f, "gave up after {attempts} attempts"),
            Self::WaitTooLong { asked, max } => write!(
                f,
                "the server asks to wait {} s, more than the {} s allowed; try again later",
                asked.as_secs(),
                max.as_secs()
            ),
        }
    }
}

impl Policy {
    /// The decision after `attempts` failed attempts (1 after the first).
    ///
    /// A server's wish is kept as it is, though not below [`Policy::floor`]; without one the wait
    /// is drawn evenly between the floor and the attempt's upper edge (full jitter), so that many
    /// clients do not come back at the same moment.
    #[must_use]
    pub fn next(
        &self,
        attempts: u32,
        retry_after: Option<Duration>,
        rng: &mut fastrand::Rng,
    ) -> Next {
        if attempts >= self.max_attempts {
            return Next::GiveUp(GiveUp::AttemptsSpent { attempts });
        }
        match retry_after {
            Some(asked) if asked > self.max_wait => {
                Next::GiveUp(GiveUp::WaitTooLong { asked, max: self.max_wait })
            }
            Some(asked) => Next::Wait(asked.max(self.floor)),
            None => {
                let edge = self.edge(attempts).max(self.floor) - self.floor;
                Next::Wait(self.floor + edge.mul_f64(rng.f64()))
            }
        }
    }

    fn edge(&self, attempts: u32) -> Duration {
        let growth = self.factor.saturating_pow(attempts.saturating_sub(1));
        self.base.saturating_mul(growth).min(self.cap)
    }
}

/// Reads a `Retry-After` value (RFC 9110, section 10.2.3): seconds or an HTTP date.
///
/// A past date is zero. Seconds may have a fraction, as some servers send. What is neither (`-5`,
/// `abc`, nothing) is `None`, so the policy's own wait applies. A number that is absurd, such as
/// a time stamp, is returned as it is, saturated: the policy's `max_wait` then gives up and says
/// so, rather than coming back before the server wants it.
#[must_use]
pub fn parse_retry_after(value: &str, now: SystemTime) -> Option<Duration> {
    let value = value.trim();
    let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if digits(whole) && digits(fraction) {
        // All digits: the parse fails only by overflow.
        let seconds = Duration::from_secs(whole.parse().unwrap_or(u64::MAX));
        let part = format!("0.{fraction}").parse().unwrap_or(0.0);
        return Some(seconds.saturating_add(Duration::from_secs_f64(part)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    Some(date.duration_since(now).unwrap_or(Duration::ZERO))
}

/// Whether an HTTP status says that the same request may succeed later: 408, 425, 429, 500, 502,
/// 503, 504, and 529, which some model servers use for overload.
#[must_use]
pub fn is_retryable_status(status: u16) -> bool {
    matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504 | 529)
}

/// What [`run`] needs to know of an operation's error.
pub trait Retryable {
    /// Whether the same operation may succeed when it is repeated.
    fn is_retryable(&self) -> bool;

    /// How long the server asks to wait, if it does.
    fn retry_after(&self) -> Option<Duration> {
        None
    }
}

impl Retryable for crate::Error {
    fn is_retryable(&self) -> bool {
        Self::is_retryable(self)
    }
}

/// A wait that is about to begin, for the person who is waiting.
#[derive(Debug)]
pub struct Wait<'a, E> {
    /// Attempts made so far.
    pub attempts: u32,
    /// Attempts allowed in all.
    pub max_attempts: u32,
    /// How long the wait is.
    pub delay: Duration,
    /// Why the last attempt failed.
    pub error: &'a E,
}

/// How a repeated operation ended without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stopped<E> {
    /// It failed, and there is no further attempt.
    Failed {
        /// The last attempt's error.
        error: E,
        /// Why it is the last.
        reason: GiveUp,
    },
    /// It was cancelled, in an attempt or in a wait.
    Cancelled,
}

/// Repeats `op` until it succeeds, the policy gives up, or `cancelled` completes.
///
/// `op` gets the attempt's number, from 1. `on_wait` is told of each wait before it begins.
/// Cancelling drops the attempt or the wait at once.
///
/// # Errors
///
/// [`Stopped`], with the last attempt's error unless cancelled.
pub async fn run<T, E, F>(
    policy: &Policy,
    mut op: impl FnMut(u32) -> F,
    mut on_wait: impl FnMut(&Wait<'_, E>),
    cancelled: impl Future<Output = ()>,
) -> Result<T, Stopped<E>>
where
    E: Retryable,
    F: Future<Output = Result<T, E>>,
{
    let mut cancelled = pin!(cancelled);
    let mut rng = fastrand::Rng::new();
    let mut attempts = 0;
    loop {
        attempts += 1;
        let error = match select(cancelled.as_mut(), pin!(op(attempts))).await {
            Either::Left(_) => return Err(Stopped::Cancelled),
            Either::Right((Ok(value), _)) => return Ok(value),
            Either::Right((Err(error), _)) => error,
        };
        if !error.is_retryable() {
            return Err(Stopped::Failed { error, reason: GiveUp::NotRetryable });
        }
        let delay = match policy.next(attempts, error.retry_after(), &mut rng) {
            Next::Wait(delay) => delay,
            Next::GiveUp(reason) => return Err(Stopped::Failed { error, reason }),
        };
        on_wait(&Wait { attempts, max_attempts: policy.max_attempts, delay, error: &error });
        if let Either::Left(_) = select(cancelled.as_mut(), pin!(tokio::time::sleep(delay))).await {
            return Err(Stopped::Cancelled);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};

    use proptest::prelude::*;

    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn retry_after_reads_seconds_and_dates() {
        // Thu, 01 Jan 1970 00:01:00 GMT, in the three forms that RFC 9110 wants understood.
        let cases = [
            ("3", 3),
            (" 3 ", 3),
            ("0", 0),
            ("Thu, 01 Jan 1970 00:01:03 GMT", 3),
            ("Thursday, 01-Jan-70 00:01:03 GMT", 3),
            ("Thu Jan  1 00:01:03 1970", 3),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("1771404540", 1_771_404_540),
            ("99999999999999999999999", u64::MAX),
        ];
        for (value, want) in cases {
            let want = Some(Duration::from_secs(want));
            assert_eq!(parse_retry_after(value, at(60)), want, "{value:?}");
        }
        assert_eq!(parse_retry_after("1.5", at(0)), Some(Duration::from_millis(1500)));
    }

    #[test]
    fn retry_after_that_says_nothing_is_none() {
        for value in ["-5", "abc", "", " ", "+3", "3s", "1.", ".5", "1.2.3", "0x10", "1e9", "NaN"] {
            assert_eq!(parse_retry_after(value, at(60)), None, "{value:?}");
        }
    }

    #[test]
    fn the_servers_wish_is_kept_down_to_the_floor() {
        let (policy, mut rng) = (Policy::default(), fastrand::Rng::with_seed(1));
        let mut next = |asked| policy.next(1, Some(asked), &mut rng);
        assert_eq!(next(Duration::from_secs(3)), Next::Wait(Duration::from_secs(3)));
        assert_eq!(next(Duration::ZERO), Next::Wait(policy.floor));
        assert_eq!(next(policy.max_wait), Next::Wait(policy.max_wait));
    }

    #[test]
    fn a_wish_over_the_limit_gives_up_and_says_so() {
        let (policy, mut rng) = (Policy::default(), fastrand::Rng::with_seed(1));
        let asked = Duration::from_secs(1_771_404_540);
        let Next::GiveUp(reason) = policy.next(1, Some(asked), &mut rng) else { panic!("waits") };
        let text =
            "the server asks to wait 1771404540 s, more than the 120 s allowed; try again later";
        assert_eq!(reason.to_string(), text);
    }

    proptest! {
        #[test]
        fn a_wait_lies_between_floor_and_edge(attempts in 1_u32..40, seed: u64, base in 0_u64..5000) {
            let policy = Policy {
                max_attempts: 100,
                base: Duration::from_millis(base),
                ..Policy::default()
            };
            let mut rng = fastrand::Rng::with_seed(seed);
            let Next::Wait(wait) = policy.next(attempts, None, &mut rng) else {
                panic!("gives up")
            };
            let grown = u128::from(base) << (attempts - 1);
            let edge = grown.min(policy.cap.as_millis()).max(policy.floor.as_millis());
            prop_assert!(wait >= policy.floor && wait.as_millis() <= edge);
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Failure(bool);

    impl Retryable for Failure {
        fn is_retryable(&self) -> bool {
            self.0
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_operation_is_repeated_until_it_succeeds() {
        let mut waits = Vec::new();
        let op = |attempt| ready(if attempt < 3 { Err(Failure(true)) } else { Ok(attempt) });
        let result = run(&Policy::default(), op, |w| waits.push(w.attempts), pending()).await;
        assert_eq!(result, Ok(3));
        assert_eq!(waits, [1, 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn attempts_are_bounded_and_final_errors_are_final() {
        let (policy, calls) = (Policy::default(), std::cell::Cell::new(0));
        let fail = |error| {
            let calls = &calls;
            move |_| {
                calls.set(calls.get() + 1);
                ready(Err::<(), _>(error))
            }
        };
        let (error, reason) = (Failure(true), GiveUp::AttemptsSpent { attempts: 5 });
        let result = run(&policy, fail(error), |_| {}, pending()).await;
        assert_eq!(result, Err(Stopped::Failed { error, reason }));
        let (error, reason) = (Failure(false), GiveUp::NotRetryable);
        let result = run(&policy, fail(error), |_| {}, pending()).await;
        assert_eq!(result, Err(Stopped::Failed { error, reason }));
        assert_eq!(calls.get(), 6);
    }

    #[tokio::test(start_paused = true)]
    async fn cancelling_ends_an_attempt_and_a_wait() {
        let soon = || tokio::time::sleep(Duration::from_millis(1));
        let op = |_| pending::<Result<(), Failure>>();
        assert_eq!(run(&Policy::default(), op, |_| {}, soon()).await, Err(Stopped::Cancelled));
        let op = |_| ready(Err::<(), _>(Failure(true)));
        assert_eq!(run(&Policy::default(), op, |_| {}, soon()).await, Err(Stopped::Cancelled));
    }
}
