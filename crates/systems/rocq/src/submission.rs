//! Compiles what was sent in to be judged.

use std::path::Path;

use andor_core::verdict::Reason;
use andor_process::error::ProcessError;

use super::compiler::{Compiled, Compiler};
use super::dialect;
use super::judge::SUBMISSION;
use andor_env::checker::{Level, Step, Verdict};
use andor_env::error::EnvError;

/// Compiles a submission, and returns its output. What stands behind `own` bytes of the text is not the submission's.
pub(super) async fn compile(compiler: &Compiler, folder: &Path, text: &str, own: usize) -> Step<String> {
    let compiled = compiler.compile(folder, SUBMISSION, text, "compiling a proof").await;
    if let Err(EnvError::Process(ProcessError::TooLarge { limit, .. })) = compiled {
        return Err(Verdict::rejected(Level::Compiled, Reason::Refused, prints_more(limit)));
    }
    match compiled.map_err(Verdict::failed(Level::Compiled))? {
        Compiled::Done(stdout) => Ok(stdout),
        Compiled::Refused(message) => {
            let (range, message) = dialect::located(&message);
            let place = range.and_then(|range| range.place(text.get(..own)?));
            let message = format!("the compiler rejects it: {message}");
            Err(Verdict::rejected(Level::Compiled, Reason::Refused, message).located(place))
        }
    }
}

/// That a submission prints more than a limit in bytes.
pub(super) fn prints_more(limit: usize) -> String {
    format!(
        "it prints more than {} MiB while it is compiled, the maximum; remove commands that print",
        limit >> 20
    )
}
