//! An HTTP client, an SSE reader, retry and stall timers; knows nothing of fen.
