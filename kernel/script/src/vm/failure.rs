//! From what went wrong inside a VM to the error that the layers above see.

use mlua::{Function, MultiValue, Value};

use super::clock::{Cancel, Run};
use super::host::{CANNOT_WAIT, plain_message};
use super::{CallError, CallErrorKind, Vm, hook, thrown};

/// Lua's own words when its allocator gives nothing.
const NO_MEMORY: &str = "not enough memory";

impl Vm {
    fn failure(&self, kind: CallErrorKind, message: &str) -> CallError {
        let located = self.inner.sources.borrow().locate(message);
        if kind == CallErrorKind::Memory {
            self.tidy();
        }
        let mut failure = CallError::new(kind, self.name(), located.message.trim_start());
        (failure.file, failure.line) = (located.file, located.line);
        failure
    }

    /// After a memory error: collects, and looks at what is left.
    fn tidy(&self) {
        // The second run frees what the finalizers of the first let go.
        let _ = self.inner.lua.gc_collect();
        let _ = self.inner.lua.gc_collect();
        let limit = self.inner.memory_limit;
        self.inner.crowded.set(limit > 0 && self.used_memory() > limit / 10 * 9);
    }

    /// A call that was ended for good.
    pub(super) fn ended(&self, run: &Run) -> CallError {
        let place = run.place.borrow().clone().unwrap_or_default();
        let (kind, words) = match run.cancel_state() {
            Cancel::No => (
                CallErrorKind::Deadline,
                format!("ran longer than {} and was stopped", words_for(run.allowed())),
            ),
            _ => (CallErrorKind::Killed, "was cancelled, did not end and was stopped".to_owned()),
        };
        self.failure(kind, &format!("{place} {words}"))
    }

    /// A call that was cancelled before it began.
    pub(super) fn cancelled(&self) -> CallError {
        CallError::new(CallErrorKind::Cancelled, self.name(), hook::CANCELLED)
    }

    /// Where an error says no place, such as one for want of memory, the function that was called
    /// is the place.
    pub(crate) fn placed(&self, mut error: CallError, function: &Function) -> CallError {
        if error.file.is_none() {
            (error.file, error.line) = self.place(function);
        }
        error
    }

    /// A text of the script's own in which positions of its files stand, as they do in errors that it
    /// caught, with these put right.
    pub(crate) fn translated(&self, text: &str) -> String {
        self.inner.sources.borrow().rewrite(text)
    }

    /// The file and the line where a function of the script begins, as far as they are known.
    pub fn place(&self, function: &Function) -> (Option<String>, Option<u32>) {
        let info = function.info();
        let line = info.line_defined.unwrap_or(0).max(1);
        let Some(source) = info.short_src else { return (None, None) };
        let located = self.inner.sources.borrow().locate(&format!("{source}:{line}: "));
        (located.file, located.line)
    }

    /// The host's own code panicked outside of a host function.
    pub(super) fn panicked(&self) -> CallError {
        CallError::new(CallErrorKind::Panic, self.name(), "the script host failed")
    }

    /// An error of Lua outside of the script's own code.
    pub(super) fn host_failure(&self, error: &mlua::Error) -> CallError {
        let words = plain_message(error);
        let memory = matches!(error, mlua::Error::MemoryError(_)) || words.contains(NO_MEMORY);
        let kind = if memory { CallErrorKind::Memory } else { CallErrorKind::Runtime };
        self.failure(kind, &words)
    }

    /// A file that could not be loaded.
    pub(super) fn load_failure(&self, error: &mlua::Error, file: &str) -> CallError {
        let kind = match error {
            mlua::Error::MemoryError(_) => CallErrorKind::Memory,
            _ => CallErrorKind::Syntax,
        };
        let words = match error {
            mlua::Error::SyntaxError { message, .. } => message.clone(),
            other => plain_message(other),
        };
        let mut failure = self.failure(kind, &words);
        failure.file.get_or_insert_with(|| file.to_owned());
        failure
    }

    /// A call that ended with an error; `values` is what the message handler gave back.
    pub(super) fn thrown(&self, run: &Run, values: &MultiValue) -> CallError {
        let Some(caught) = run.thrown.borrow_mut().take() else {
            // No handler ran: memory, or an error while one was handled.
            let value = values.front().cloned().unwrap_or(Value::Nil);
            let words = thrown::words(&value);
            let memory = words.contains(NO_MEMORY);
            let kind = if memory { CallErrorKind::Memory } else { CallErrorKind::Runtime };
            return self.failure(kind, &words);
        };
        let said = |words: &str| caught.message.ends_with(words);
        let kind = if run.cancel_state() != Cancel::No && said(hook::CANCELLED) {
            CallErrorKind::Cancelled
        } else if run.wait_refused.get() && said(CANNOT_WAIT) {
            CallErrorKind::CannotWait
        } else if run.panicked.get() && caught.message.contains("the host failed: ") {
            CallErrorKind::Panic
        } else if said(NO_MEMORY) {
            CallErrorKind::Memory
        } else {
            CallErrorKind::Runtime
        };
        let mut failure = self.failure(kind, &caught.message);
        let sources = self.inner.sources.borrow();
        failure.traceback = sources.traceback(&caught.traceback);
        if failure.file.is_none()
            && let Some(line) = failure.traceback.iter().find(|line| !line.starts_with("[C]"))
            && let Some((file, number)) = place_of(line)
        {
            (failure.file, failure.line) = (Some(file.to_owned()), Some(number));
        }
        failure.value = caught.value;
        failure
    }
}

/// File and line of a line of a traceback, which begins with `file:12: in `.
fn place_of(line: &str) -> Option<(&str, u32)> {
    let (place, _) = line.split_once(": in ")?;
    let (file, number) = place.rsplit_once(':')?;
    Some((file, number.parse().ok()?))
}

fn words_for(time: std::time::Duration) -> String {
    match time.as_millis() {
        short @ 0..1000 => format!("{short} ms"),
        _ => format!("{} s", time.as_secs_f64()),
    }
}
