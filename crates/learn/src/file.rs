//! The file of a model.

use std::collections::BTreeMap;
use std::path::Path;

use andor_artifact::files::{FileError, read_json, write_json};
use andor_artifact::learned::{LearnedContent, LearnedModel, Provenance};
use andor_artifact::version::{Kind, Opening};

use crate::model::{Model, Weights};
use crate::shape::Shape;

/// Why a file is not a model.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// It cannot be read or written, or is of another kind or version. The message names it.
    #[error(transparent)]
    File(#[from] FileError),
    /// Its content is not that of its digest.
    #[error(
        "{path}: the model was changed after it was written: its digest is {stated}, and that of its content {found}; train it again"
    )]
    Changed {
        /// The file.
        path: String,
        /// The digest in the file.
        stated: String,
        /// The digest of its content.
        found: String,
    },
    /// Its content is no model.
    #[error("{path}: {what}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong.
        what: String,
    },
}

impl Model {
    /// The model with where it comes from.
    pub fn with_provenance(mut self, provenance: Provenance) -> Self {
        self.provenance = provenance;
        self
    }

    /// The digest of the model and its provenance: 16 hexadecimal digits.
    pub fn digest(&self) -> String {
        digest(&self.content())
    }

    /// Writes the model to a file, which appears when it is complete.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        let content = self.content();
        write_json(
            path,
            &LearnedModel { opening: Opening::new(Kind::Learned), digest: digest(&content), content },
        )
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, was changed, or is not a model.
    pub fn read(path: &Path) -> Result<Self, ModelError> {
        let LearnedModel { digest: stated, content, .. } = read_json(path, Kind::Learned)?;
        let (path, found) = (path.display().to_string(), digest(&content));
        if stated != found {
            return Err(ModelError::Changed { path, stated, found });
        }
        Self::of(content).map_err(|what| ModelError::Malformed { path, what })
    }

    fn content(&self) -> LearnedContent {
        let columns = |weights: &Weights| -> BTreeMap<String, Vec<f64>> {
            weights.names.iter().cloned().zip(weights.rows.iter().cloned()).collect()
        };
        LearnedContent {
            system: self.system.name().to_owned(),
            provenance: self.provenance.clone(),
            shapes: self.shapes.iter().map(Shape::to_string).collect(),
            policy: columns(&self.policy),
            arguments: columns(&self.arguments),
            value: columns(&self.value).into_iter().map(|(name, row)| (name, row[0])).collect(),
        }
    }

    fn of(content: LearnedContent) -> Result<Self, String> {
        let system = content.system.parse().map_err(|e| format!("{e}"))?;
        let shapes: Vec<Shape> = content
            .shapes
            .iter()
            .map(|shape| shape.parse())
            .collect::<Result<_, _>>()
            .map_err(|e: crate::shape::NotAShape| e.to_string())?;
        let places = shapes.iter().map(Shape::arguments).sum();
        let value = content.value.into_iter().map(|(name, weight)| (name, vec![weight])).collect();
        Ok(Self {
            system,
            provenance: content.provenance,
            policy: weights(content.policy, shapes.len())?,
            arguments: weights(content.arguments, places)?,
            value: weights(value, 1)?,
            shapes,
        })
    }
}

fn weights(columns: BTreeMap<String, Vec<f64>>, width: usize) -> Result<Weights, String> {
    let mut weights = Weights::new(width);
    for (name, row) in columns {
        if row.len() != width || row.iter().any(|weight| !weight.is_finite()) {
            return Err(format!("the feature `{name}` needs {width} weights, all finite"));
        }
        let number = weights.intern(&name);
        weights.rows[number] = row;
    }
    Ok(weights)
}

fn digest(content: &LearnedContent) -> String {
    let value = serde_json::to_value(content).expect("a model is JSON");
    blake3::hash(value.to_string().as_bytes()).to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::state::State;
    use crate::train::{Fate, Parameters, Step, train};
    use andor_system_mini::MINI;

    fn trained() -> Model {
        let state = State::read("p : Prop\nh : p\n⊢ p");
        let step = Step { state: state.clone(), tactic: "exact h".to_owned(), weight: 1.0 };
        let fate = Fate { state, proved: true, weight: 1.0 };
        let base = Model::zero(MINI, &[]);
        train(&base, &[step.clone(), step], &[fate.clone(), fate], &Parameters::default(), &|| true).unwrap()
    }

    #[test]
    fn a_file_gives_the_model_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.json");
        let model = trained();
        model.write(&path).unwrap();
        let read = Model::read(&path).unwrap();
        assert_eq!(read.digest(), model.digest());
        let state = State::read("q : Prop\nk : q\n⊢ q");
        assert_eq!(read.predict(&state, 50), model.predict(&state, 50));
        assert_eq!(read.value(&state), model.value(&state));
    }

    #[test]
    fn a_changed_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.json");
        trained().write(&path).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replacen("\"assumption\"", "\"exact foo\"", 1)).unwrap();
        assert!(matches!(Model::read(&path), Err(ModelError::Changed { .. })));
    }
}
