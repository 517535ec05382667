use andor_system_synthetic::SYNTHETIC;
use std::collections::HashMap;
use std::sync::Mutex;

use andor_core::theorem::System;
use andor_provider::contract::{Provider, ProviderError, Request, Suggestions};
use andor_system_synthetic::SyntheticPolicy;
use async_trait::async_trait;

/// The provider of the synthetic environment, which counts how often it is asked about each goal.
#[derive(Default)]
pub(crate) struct Counting(Mutex<HashMap<String, u32>>);

impl Counting {
    /// How often it was asked about the goal that it was asked about most.
    pub(crate) fn most(&self) -> Option<u32> {
        self.0.lock().unwrap().values().copied().max()
    }
}

#[async_trait]
impl Provider for Counting {
    fn id(&self) -> &str {
        "counting"
    }

    fn speaks(&self, system: System) -> bool {
        system == SYNTHETIC
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        *self.0.lock().unwrap().entry(request.goals[0].target.text.clone()).or_default() += 1;
        SyntheticPolicy { critic: false }.suggest(request).await
    }
}
