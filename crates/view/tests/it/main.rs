//! The page in a real browser, and its server.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod browser;
mod made;
mod page;
mod reading;
mod server;
