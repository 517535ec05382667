//! Attempts of a run that are made in other processes: the side of the run, and that of a process that makes them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use andor::{
    AttemptResult, Beginning, CancellationToken, Config, Event, Job as Attempt, Luggage, OwnParts, Progress,
    Remote as Line, Shared, Workshop,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;
use tokio::sync::Mutex as AsyncMutex;
use tokio::task::block_in_place;

use crate::failure::Failure;
use crate::job::Job;
use crate::parts::{self, Part};

/// The side of a run. Lines for the driver go to a function.
#[pyclass(frozen)]
pub(crate) struct Remote(pub(crate) Arc<Line>);

#[pymethods]
impl Remote {
    #[new]
    fn new(send: Py<PyAny>) -> Self {
        Self(Arc::new(Line::new(move |line: &str| {
            let send = || {
                Python::attach(|py| {
                    send.call1(py, (line,)).map(drop).map_err(|error| error.write_unraisable(py, None))
                })
            };
            // A driver that fails says so, or ends.
            let _ = block_in_place(send);
        })))
    }

    /// Takes a line of the driver.
    fn receive(&self, py: Python<'_>, line: &str) {
        py.detach(|| self.0.receive(line));
    }

    /// Takes note that nothing more will be done.
    fn fail(&self, py: Python<'_>, why: String) {
        py.detach(|| self.0.fail(why));
    }
}

/// Makes attempts of a run, one at a time.
#[pyclass(frozen)]
pub(crate) struct Worker {
    beginning: Beginning,
    own: OwnParts,
    workshop: Arc<AsyncMutex<Option<Shop>>>,
}

/// The parts, and the addresses of the models among them.
struct Shop {
    addresses: BTreeMap<String, String>,
    parts: Arc<Workshop>,
    found: BTreeMap<String, String>,
}

#[pymethods]
impl Worker {
    /// A worker of the run that a line tells of.
    #[new]
    #[pyo3(signature = (beginning, parts=Vec::new()))]
    fn new(beginning: &str, parts: Vec<(String, Bound<'_, Part>)>) -> PyResult<Self> {
        let beginning: Beginning = serde_json::from_str(beginning).map_err(|error| unreadable(&error))?;
        // The configuration names them already.
        let own = parts::own(&mut beginning.config.clone(), true, &parts)?;
        Ok(Self { beginning, own, workshop: Arc::default() })
    }

    /// Makes the parts, with these addresses of models, and waits until they are ready. The job ends with what was found of the
    /// proof assistants, as JSON.
    #[pyo3(signature = (addresses=BTreeMap::new()))]
    fn ready(&self, addresses: BTreeMap<String, String>) -> PyResult<Job> {
        let (beginning, own, shop) = (self.beginning.clone(), self.own.clone(), Arc::clone(&self.workshop));
        Ok(Job::new(async move {
            let mut shop = shop.lock().await;
            let shop = stocked(&mut shop, &beginning, &own, addresses).await?;
            Ok(json!(shop.found).to_string())
        })?)
    }

    /// Makes an attempt, with what is shared about its theorem and these addresses of models. The job ends with its result and what
    /// it adds to what is shared, as JSON; what is kept is in the folder then.
    #[pyo3(signature = (attempt, shared, folder=None, addresses=BTreeMap::new()))]
    fn attempt(
        &self,
        attempt: &str,
        shared: &str,
        folder: Option<PathBuf>,
        addresses: BTreeMap<String, String>,
    ) -> PyResult<Job> {
        let attempt: Attempt = serde_json::from_str(attempt).map_err(|error| unreadable(&error))?;
        let shared: Option<Luggage> = serde_json::from_str(shared).map_err(|error| unreadable(&error))?;
        let shared = shared.map(|luggage| Arc::new(Progress::unpacked(luggage)));
        let (beginning, own, shop) = (self.beginning.clone(), self.own.clone(), Arc::clone(&self.workshop));
        let cancel = CancellationToken::new();
        let token = cancel.clone();
        Ok(Job::graceful(cancel, async move {
            let workshop = {
                let mut shop = shop.lock().await;
                Arc::clone(&stocked(&mut shop, &beginning, &own, addresses).await?.parts)
            };
            let (kept, news) = (folder.clone(), shared.clone());
            let shared = Shared { progress: shared, plans: None };
            let result = workshop.make(attempt, folder, shared, token, &mut |_: &str, _: &Event| {}).await;
            let result: AttemptResult = result.map_err(|error| Failure::file(&error))?;
            if let Some(folder) = kept.filter(|folder| folder.exists() && !beginning.keep().keeps(&result)) {
                std::fs::remove_dir_all(folder).map_err(|error| Failure::file(&error))?;
            }
            let news = news.map_or_else(Vec::new, |shared| shared.news());
            Ok((json!(result).to_string(), json!(news).to_string()))
        })?)
    }
}

fn unreadable(error: &serde_json::Error) -> PyErr {
    PyValueError::new_err(format!("{error}; is the same version of andor installed everywhere?"))
}

/// The parts, made anew if the addresses of models have changed.
async fn stocked<'a>(
    shop: &'a mut Option<Shop>,
    beginning: &Beginning,
    own: &OwnParts,
    addresses: BTreeMap<String, String>,
) -> Result<&'a Shop, Failure> {
    if shop.as_ref().is_none_or(|shop| shop.addresses != addresses) {
        let mut config: Config = beginning.config.clone();
        for (name, address) in &addresses {
            let Some(model) = config.models.get_mut(name) else {
                let why = format!("there is no [models.{name}] in the configuration");
                return Err(Failure::new("ConfigError", "Rule", &why));
            };
            model.base_url.clone_from(address);
        }
        let systems =
            beginning.systems().map_err(|error| Failure::new("AndorError", "System", &error.to_string()))?;
        let parts = Workshop::new(systems, &config, 1, own)?;
        let found = parts.probe(config.verify).await?;
        parts.ready().await?;
        *shop = Some(Shop { addresses, parts: Arc::new(parts), found });
    }
    Ok(shop.as_ref().expect("it is there"))
}
