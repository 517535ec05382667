//! The installed Rocq, whose files the tests read.

use std::path::{Path, PathBuf};
use std::time::Duration;

use andor_process::{ChildSpec, ExitedProcess, ResourceLimits, ask, run_to_end};

use super::{Library, Own, Version};

/// Settings of OCaml's runtime system, without which the compiler reserves much memory.
fn environment() -> Vec<(String, String)> {
    vec![("OCAMLRUNPARAM".to_owned(), "s=4M,d=1,l=4M".to_owned())]
}

/// Compiles a text as the module `sample` of a folder; if it is refused, what the compiler says.
pub(crate) async fn compile(folder: &Path, text: &str) -> Result<PathBuf, String> {
    std::fs::write(folder.join("sample.v"), text).unwrap();
    let args = ["-q", "-w", "none", "-native-compiler", "no", "-Q", ".", "", "sample.v"];
    let spec = ChildSpec {
        program: "coqc".to_owned(),
        args: args.map(str::to_owned).to_vec(),
        env: environment(),
        directory: folder.to_owned(),
        limits: ResourceLimits::default(),
    };
    let limit = Duration::from_secs(120);
    let ExitedProcess { exit, .. } = run_to_end(&spec, "compiling a sample", limit, 4 << 20).await.unwrap();
    if exit.code == Some(0) { Ok(folder.join("sample.vo")) } else { Err(exit.stderr) }
}

/// The same, read.
pub(crate) async fn library(text: &str) -> Result<Library, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = compile(folder.path(), text).await?;
    let own = Own { library: "sample".to_owned(), within: None };
    Ok(Library::read(&file, &own).unwrap())
}

/// Where its libraries are.
pub(crate) async fn library_folder() -> PathBuf {
    ask(Path::new("coqc"), &["-where"], environment()).await.unwrap().into()
}

/// Its release.
pub(crate) async fn release() -> Version {
    let answer = ask(Path::new("coqc"), &["--print-version"], environment()).await.unwrap();
    let mut version = answer.split_whitespace().next().unwrap().to_owned();
    // Version 9.2.0 reports itself as 9.2.
    if version.matches('.').count() == 1 {
        version += ".0";
    }
    version.parse().unwrap()
}
