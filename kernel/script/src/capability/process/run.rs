//! `run`: one program from its start to its end.

use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe::Sender;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::super::answer::{Kind, Refusal};
use super::super::remote::Stop;
use super::end::{Exit, terminate};
use super::output::{GRACE, Keep, Kept, Sink, follow};
use super::start::{Request, Started};

/// What came of it.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The exit, or why it was ended.
    pub(super) exit: Result<Exit, Refusal>,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// One of the two is only the beginning of what was written.
    pub(super) truncated: bool,
}

/// Runs a program, with the whole of its input. It ends with all of its session when the time is
/// over or nobody waits for it any more.
pub(super) async fn run(
    request: Request,
    input: Vec<u8>,
    limit: Duration,
    most: usize,
    stop: Stop,
) -> Result<Outcome, Refusal> {
    let Started { mut child, mut group, stdin, stdout, stderr } = request.start()?;
    let (over, ended) = watch::channel(None);
    let (out, err) = (Kept::new(Keep::Beginning, most), Kept::new(Keep::Beginning, most));
    let output = async {
        tokio::join!(
            follow(stdout, Sink::Keep(out.clone()), ended.clone()),
            follow(stderr, Sink::Keep(err.clone()), ended.clone()),
        );
    };
    let life = async {
        let mut exit = child.wait();
        let fate = async {
            tokio::select! {
                status = &mut exit => Ok(status),
                _ = stop => Err(Refusal::new(Kind::Cancelled, "the process was cancelled")),
                () = sleep(limit) => Err(Refusal::new(
                    Kind::Timeout,
                    format!("the process did not end within {} ms and was killed", limit.as_millis()),
                )),
            }
        };
        let fate = tokio::select! {
            fate = fate => fate,
            never = feed(stdin, &input) => match never {},
        };
        let fate = match fate {
            Ok(status) => Exit::of(status),
            Err(refusal) => terminate(&group, &mut exit).await.and(Err(refusal)),
        };
        over.send_replace(Some(Instant::now() + GRACE));
        fate
    };
    let (exit, ()) = tokio::join!(life, output);
    // From here on the children that are left have a life of their own.
    group.release();
    let ((stdout, out_cut), (stderr, err_cut)) = (out.take(), err.take());
    Ok(Outcome { exit, stdout, stderr, truncated: out_cut || err_cut })
}

/// Writes the input and closes it; a program that does not read it is no failure.
async fn feed(stdin: Option<Sender>, input: &[u8]) -> std::convert::Infallible {
    if let Some(mut stdin) = stdin {
        // It may have ended, or closed its input.
        let _ = stdin.write_all(input).await;
    }
    std::future::pending().await
}
