//! Reads the compiled files of a check.

use std::path::Path;

use andor_audit::vo::{CompiledError, DecodeError, Library, Own};
use andor_core::verdict::Reason;
use andor_env::checker::{Level, Step, Verdict};
use andor_env::error::EnvError;

use super::challenge;
use super::judge::SUBMISSION;

/// Reads the compiled challenge in a folder.
pub(super) fn stated(folder: &Path) -> Step<Library> {
    let stated = read(folder, challenge::MODULE, Some(challenge::QUESTION));
    stated.map_err(|error| unreadable(challenge::MODULE, &error))
}

/// Reads the compiled submission in a folder. It is rejected if it is beyond what the reader takes in.
pub(super) fn submitted(folder: &Path) -> Step<Library> {
    read(folder, SUBMISSION, None).map_err(|error| match error {
        CompiledError::Decode(DecodeError::Beyond(limit)) => {
            let message =
                format!("its compiled file is more than level 2 reads: {limit}; write the proof with less");
            Verdict::rejected(Level::Audited, Reason::Refused, message)
        }
        error => unreadable(SUBMISSION, &error),
    })
}

/// Reads a compiled module in a folder.
pub(super) fn read(folder: &Path, module: &str, within: Option<&str>) -> Result<Library, CompiledError> {
    let own = Own { library: module.to_owned(), within: within.map(str::to_owned) };
    Library::read(&folder.join(format!("{module}.vo")), &own)
}

pub(super) fn unreadable(module: &str, error: &CompiledError) -> Verdict {
    let (of, message) = (module.to_owned(), error.to_string());
    Verdict::Infrastructure { level: Level::Audited, error: EnvError::CompiledFile { of, message } }
}
