//! The worker over Lean's own language server: one process per worker (`lean --worker`), one document per process.
//!
//! `wire` has the messages, `connection` the process and its deadlines, `document` the text and what Lean says of it.
//! `text` writes a state of a proof as a document, `worker` holds the states.

mod connection;
mod document;
mod text;
mod wire;
mod worker;

pub(super) use worker::ServerWorker;
