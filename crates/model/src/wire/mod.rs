//! The JSON of the interfaces: requests to JSON, JSON to answers, without any connection.

mod decode;
mod encode;
mod failure;
mod log_probs;
mod stream;

pub(crate) use decode::{cut_at_stops, decode, usage};
pub(crate) use encode::{encode, stops_to_send};
pub(crate) use failure::{failure, failure_in_body, retry_after};
pub(crate) use stream::{Assembly, Events};
