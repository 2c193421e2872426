//! One client connection: reads requests, plays their answers, notices a client that leaves.

use std::{io, sync::Arc};

use tokio::{io::AsyncWriteExt, net::TcpStream};

use crate::{
    play::{Ending, play},
    request::RecordedRequest,
    request_reader::RequestReader,
    server_state::ServerState,
    wire,
};

/// Serves `stream` until one side ends it. `number` counts the connections from 1.
pub(crate) async fn serve(mut stream: TcpStream, number: usize, state: Arc<ServerState>) {
    stream.set_nodelay(true).expect("TCP_NODELAY can be set on a TCP socket");
    let mut reader = RequestReader::new(number);
    loop {
        match exchange(&mut stream, &mut reader, &state).await {
            Some(Ending::KeepAlive) => {}
            Some(Ending::Reset) => {
                // The socket is dropped next, and with no linger that sends a reset. A failure
                // means that the client was faster and the connection is already gone.
                let _ = stream.set_zero_linger();
                return;
            }
            Some(Ending::Close) => {
                // Fails only if the client is gone, which is what was asked for.
                let _ = stream.shutdown().await;
                return;
            }
            None => return,
        }
    }
}

/// One request and its answer. None when the client is gone.
async fn exchange(
    stream: &mut TcpStream,
    reader: &mut RequestReader,
    state: &ServerState,
) -> Option<Ending> {
    let (mut input, mut output) = stream.split();
    let request = match reader.next(&mut input, &mut output).await {
        Ok(request) => request?,
        Err(error) => {
            if error.kind() == io::ErrorKind::InvalidData {
                state.note_unexpected(format!("a request could not be read: {error}"));
            }
            return None;
        }
    };
    let (method, wants_close) = (request.method.clone(), wants_close(&request));
    let reply = state.answer(request);
    let program = wire::encode(&reply, &method);

    let played = tokio::select! {
        biased;
        played = play(&mut output, program, reply.border_pause) => played.ok(),
        () = reader.until_closed(&mut input) => None,
    };
    match played {
        None => {
            state.note_disconnect();
            None
        }
        Some(Ending::KeepAlive) if wants_close => Some(Ending::Close),
        Some(ending) => Some(ending),
    }
}

fn wants_close(request: &RecordedRequest) -> bool {
    request.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
}
