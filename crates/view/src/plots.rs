//! Pictures beside the table. Whoever opens the window draws them; the page shows them as images, in which nothing runs.

use serde::Serialize;

/// A picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The picture as SVG.
    pub svg: String,
}

/// All pictures of the runs.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Plots {
    /// The pictures.
    pub plots: Vec<Plot>,
    /// What could not be drawn, a sentence each.
    pub notes: Vec<String>,
}

/// Draws the pictures from the files as they are.
pub(crate) struct Plotter(pub(crate) Box<dyn Fn() -> Plots + Send + Sync>);

impl Default for Plotter {
    fn default() -> Self {
        Self(Box::new(Plots::default))
    }
}

impl std::fmt::Debug for Plotter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Plotter")
    }
}
