//! Sends the steps of one answer over a connection.
//!
//! It only writes. Whether the client is still there is watched by `connection`, which drops the
//! playing when the client leaves.

use std::{future, io, thread, time::Duration};

use tokio::{
    io::{AsyncWrite, AsyncWriteExt},
    task, time,
};

use crate::{reply::Step, wire::Program};

/// How long the client has for reading what was sent before a reset, which may discard it.
const BEFORE_RESET: Duration = Duration::from_millis(5);

/// What becomes of the connection once the steps have been played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    KeepAlive,
    Close,
    Reset,
}

/// Plays `program`. An error means that the client is gone.
pub(crate) async fn play<W>(out: &mut W, program: Program, pause: Duration) -> io::Result<Ending>
where
    W: AsyncWrite + Unpin,
{
    let mut waiting = Vec::new();
    for step in program.steps {
        if let Step::Write(bytes) = step {
            waiting.extend_from_slice(&bytes);
            continue;
        }
        out.write_all(&waiting).await?;
        out.flush().await?;
        waiting.clear();
        match step {
            Step::Write(_) => {}
            Step::Border => border(pause).await,
            Step::Delay(silence) => time::sleep(silence).await,
            Step::Close => return Ok(Ending::Close),
            Step::Hang => future::pending().await,
            Step::Reset => {
                time::sleep(BEFORE_RESET).await;
                return Ok(Ending::Reset);
            }
        }
    }
    out.write_all(&waiting).await?;
    out.flush().await?;
    Ok(if program.keep_alive { Ending::KeepAlive } else { Ending::Close })
}

/// Tokio's timers count whole milliseconds, far too slow for a body sent byte by byte. The server
/// has its thread to itself, so short pauses block it: the client gets the processor.
async fn border(pause: Duration) {
    if pause < Duration::from_millis(1) {
        thread::sleep(pause);
        task::yield_now().await;
    } else {
        time::sleep(pause).await;
    }
}
