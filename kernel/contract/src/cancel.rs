//! Cancellation: a token that one side trips and any number of others look at or wait for.
//!
//! It works with every async runtime, because it only keeps wakers.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

#[derive(Default)]
struct State {
    tripped: bool,
    next_key: u64,
    waiting: Vec<(u64, Waker)>,
}

/// A token that starts untripped and stays tripped once it was. Clones share one state.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Mutex<State>>);

impl CancelToken {
    /// A fresh token.
    pub fn new() -> Self {
        Self::default()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // The state is valid at every point where a panic could strike.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Trips the token and wakes all who wait for it.
    pub fn cancel(&self) {
        let waiting = {
            let mut state = self.state();
            state.tripped = true;
            std::mem::take(&mut state.waiting)
        };
        for (_, waker) in waiting {
            waker.wake();
        }
    }

    /// Whether it was tripped.
    pub fn is_cancelled(&self) -> bool {
        self.state().tripped
    }

    /// Completes once the token is tripped. Dropping the future leaves nothing behind.
    pub fn cancelled(&self) -> Cancelled {
        Cancelled { token: self.clone(), key: None }
    }
}

impl std::fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("CancelToken").field(&self.is_cancelled()).finish()
    }
}

/// The future of [`CancelToken::cancelled`].
pub struct Cancelled {
    token: CancelToken,
    key: Option<u64>,
}

impl Future for Cancelled {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let token = self.token.clone();
        let mut state = token.state();
        if state.tripped {
            return Poll::Ready(());
        }
        let key = match self.key {
            Some(key) => key,
            None => {
                let key = state.next_key;
                state.next_key += 1;
                self.key = Some(key);
                key
            }
        };
        match state.waiting.iter_mut().find(|(known, _)| *known == key) {
            Some((_, waker)) => waker.clone_from(cx.waker()),
            None => state.waiting.push((key, cx.waker().clone())),
        }
        Poll::Pending
    }
}

impl Drop for Cancelled {
    fn drop(&mut self) {
        if let Some(key) = self.key {
            self.token.state().waiting.retain(|(known, _)| *known != key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tripped_token_wakes_every_waiter_and_keeps_none_of_the_dropped_ones() {
        let token = CancelToken::new();
        let mut kept = Box::pin(token.cancelled());
        let mut dropped = Box::pin(token.cancelled());
        let mut cx = Context::from_waker(Waker::noop());
        assert!(kept.as_mut().poll(&mut cx).is_pending());
        assert!(dropped.as_mut().poll(&mut cx).is_pending());
        drop(dropped);
        assert_eq!(token.state().waiting.len(), 1);
        token.cancel();
        assert!(token.is_cancelled());
        assert!(kept.as_mut().poll(&mut cx).is_ready());
    }
}
