//! The seam: what answers requests.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::answer::Answer;
use crate::error::Unanswered;
use crate::request::Request;

/// Something that answers requests: a server, a record, a script.
#[async_trait]
pub trait Model: Debug + Send + Sync {
    /// The name that its requests are recorded under: the model's, not the server's, so that a record made with one
    /// server can be replayed for another that serves the same model.
    fn name(&self) -> &str;

    /// Asks. Dropping the future gives the request up; with a server, the connection is closed, which makes the server
    /// stop.
    async fn ask(&self, request: &Request) -> Result<Answer, Unanswered>;
}

#[async_trait]
impl<M: Model + ?Sized> Model for std::sync::Arc<M> {
    fn name(&self) -> &str {
        (**self).name()
    }

    async fn ask(&self, request: &Request) -> Result<Answer, Unanswered> {
        (**self).ask(request).await
    }
}
