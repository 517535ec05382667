//! A client of language models. It knows nothing of proofs.
//!
//! A [`Model`] answers a [`Request`] with an [`Answer`] or is [`Unanswered`]. There are four: [`Http`] asks a server
//! that speaks OpenAI's completions, chat completions or responses; [`Replay`] answers from a [`Record`];
//! [`Recorded`] writes one; [`Scripted`] says what it is told to.
//!
//! ```
//! use andor_model::{Answer, Model, Request, Scripted};
//!
//! let model = Scripted::always(["intro h", "simp"]);
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # runtime.block_on(async {
//! let answer: Answer = model.ask(&Request::prompt("h : p\n⊢ p:::")).await?;
//! assert_eq!(answer.choices[0].text, "intro h");
//! assert_eq!(answer.choices[0].log_prob(), None); // unknown, which is not 0
//! # Ok::<(), andor_model::Unanswered>(())
//! # }).unwrap();
//! ```

pub mod answer;
pub mod capabilities;
pub mod config;
mod digest;
mod error;
mod http;
mod limit;
mod model;
mod record;
pub mod request;
mod retry;
mod scripted;
pub mod seed;
pub mod serve;
pub mod usage;
mod wire;

pub use answer::{Answer, Choice, Finish, TokenLogProb};
pub use capabilities::Capabilities;
pub use config::{ApiKey, ConfigError, ModelConfig};
pub use digest::Digest;
pub use error::{ModelError, Phase, Retry, Unanswered};
pub use http::{Exchange, Http, Piece, probe_all};
pub use limit::{Leave, Limiter};
pub use model::Model;
pub use record::{Entry, Outcome, Record, Recorded, Replay, read as read_record};
pub use request::{Input, Message, Request, Sampling};
pub use scripted::Scripted;
pub use usage::{Prices, Usage};
