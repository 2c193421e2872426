//! What model providers share: assembling streams, naming failures, fitting histories.
