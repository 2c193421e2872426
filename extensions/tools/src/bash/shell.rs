//! How a command is started: the shell, its session, its environment and its one output pipe.

use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessSession};
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use tokio::net::unix::pipe::Receiver;

use super::{Config, Request};

/// Programs that ask or page would wait for ever; there is nobody to answer.
const ENVIRONMENT: [(&str, &str); 4] =
    [("TERM", "dumb"), ("PAGER", "cat"), ("GIT_PAGER", "cat"), ("GIT_TERMINAL_PROMPT", "0")];

/// Starts the command. Its stdout and stderr are one pipe, so that the order of what it writes is
/// the order of what is read, and neither can fill up while the other is waited for.
pub(super) fn start(
    request: &Request,
    config: &Config,
) -> io::Result<(Box<dyn ChildWrapper>, Receiver)> {
    let (reader, writer) = io::pipe()?;
    let stderr = writer.try_clone()?;
    let mut command = CommandWrap::with_new(shell(), |command| {
        command
            .arg("-c")
            .arg(&request.command)
            .current_dir(&request.cwd)
            .envs(ENVIRONMENT)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(stderr);
        for name in config.credentials.names() {
            if !config.keep_env.contains(&name) {
                command.env_remove(name);
            }
        }
    });
    command.wrap(ProcessSession);
    let child = command.spawn()?;
    // The command holds the writing ends; the output ends only when they are closed.
    drop(command);
    Ok((child, Receiver::from_owned_fd(reader.into())?))
}

/// `bash` where there is one.
fn shell() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    places.extend(["/bin", "/usr/bin"].map(PathBuf::from));
    for name in ["bash", "sh"] {
        // A relative place would start a program of the project.
        let found = places.iter().filter(|place| place.is_absolute()).map(|place| place.join(name));
        for program in found {
            if rustix::fs::access(&program, rustix::fs::Access::EXEC_OK).is_ok()
                && program.is_file()
            {
                return program;
            }
        }
    }
    PathBuf::from("/bin/sh")
}
