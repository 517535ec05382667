//! Folders of compiled Rocq modules, named as the compiler's options name them.

use std::path::{Path, PathBuf};

use andor_config::{Binding, LoadPath};
use anyhow::bail;
use clap::Args;

#[derive(Debug, Args)]
#[command(next_help_heading = "Rocq project")]
pub(crate) struct LoadPathArgs {
    /// Bind a folder to a logical path, as the option of Rocq's compiler: its modules are required by their full names, or
    /// after `From`; repeatable. -Q and -R take the place of what a project file binds
    #[arg(short = 'Q', value_names = ["DIR", "NAME"], num_args = 2)]
    full: Vec<String>,

    /// The same, and its modules may be required by the last part of their names alone; repeatable
    #[arg(short = 'R', value_names = ["DIR", "NAME"], num_args = 2)]
    short: Vec<String>,
}

impl LoadPathArgs {
    /// What is bound: first by -Q, then by -R.
    pub(crate) fn bound(&self) -> Vec<LoadPath> {
        let of = |binding, given: &[String]| {
            let (pairs, _) = given.as_chunks::<2>();
            let bound = pairs.iter().map(move |[folder, name]| LoadPath {
                binding,
                folder: PathBuf::from(folder),
                name: name.clone(),
            });
            bound.collect::<Vec<_>>()
        };
        [of(Binding::Q, &self.full), of(Binding::R, &self.short)].concat()
    }
}

/// The folders of a load path, as seen from everywhere.
pub(crate) fn absolute(load_path: Vec<LoadPath>) -> anyhow::Result<Vec<LoadPath>> {
    let folder = |option: &str, path: &Path| {
        let path = std::path::absolute(path)?;
        match (path.is_dir(), path.to_str()) {
            (true, Some(_)) => Ok(path),
            (false, _) => bail!("{option}: `{}` is no folder", path.display()),
            (_, None) => bail!("{option}: `{}` must be a path in UTF-8", path.display()),
        }
    };
    let absolute =
        |bound: LoadPath| Ok(LoadPath { folder: folder(bound.binding.option(), &bound.folder)?, ..bound });
    load_path.into_iter().map(absolute).collect()
}
