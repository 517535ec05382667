//! `run.db`: the theorems of a run and their results. An SQLite database in WAL mode; results are stored atomically.

use std::collections::HashMap;
use std::path::Path;

use andor_artifact::result::AttemptResult;
use andor_core::theorem::{System, Theorem, UnknownSystem};
use andor_dataset::Problem;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, params, params_from_iter,
};
use serde_json::Value;

use crate::doubt::as_read;
use crate::modules::Modules;

/// The version of the schema.
const SCHEMA_VERSION: i64 = 3;

/// The database of a run.
pub struct Store {
    connection: Connection,
}

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// An error of SQLite.
    #[error("{path}: {why}")]
    Sqlite {
        /// The file.
        path: String,
        /// The error.
        why: rusqlite::Error,
    },
    /// The file is damaged, or not a database of a run.
    #[error(
        "{path}: not the database of a run, or damaged: {why}; restore it from a backup, or choose another --out folder"
    )]
    Damaged {
        /// The file.
        path: String,
        /// The symptom.
        why: rusqlite::Error,
    },
    /// The program was killed while it created the database.
    #[error("{path}: the run ended before it began; start it again with --resume")]
    Empty {
        /// The file.
        path: String,
    },
    /// The file has another schema version.
    #[error(
        "{path}: its table version is {found}, and this program uses {SCHEMA_VERSION}; \
         use the program that made it, or choose another --out folder"
    )]
    Version {
        /// The file.
        path: String,
        /// Its version.
        found: i64,
    },
    /// A stored theorem cannot be read.
    #[error("{path}: theorem `{theorem}` is unreadable: {what}")]
    Theorem {
        /// The file.
        path: String,
        /// Its id.
        theorem: String,
        /// What is wrong.
        what: String,
    },
    /// A result is stored as that of another attempt.
    #[error(
        "{path}: the result stored for attempt {attempt} at `{theorem}` is that of another; restore run.db from a backup, \
         or choose another --out folder"
    )]
    Misplaced {
        /// The file.
        path: String,
        /// The id of the theorem under which it is stored.
        theorem: String,
        /// The number of the attempt under which it is stored.
        attempt: u32,
    },
    /// A stored JSON value cannot be read.
    #[error(
        "{path}: a stored {what} is unreadable: {why}; restore run.db from a backup, or choose another --out folder"
    )]
    Json {
        /// The file.
        path: String,
        /// The kind of value: a result, or the configuration.
        what: &'static str,
        /// The error of the parser.
        why: serde_json::Error,
    },
}

impl StoreError {
    fn sqlite(path: &str, why: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match why.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Damaged { path, why },
            _ => Self::Sqlite { path, why },
        }
    }
}

impl Store {
    /// Opens the database of a run, or creates it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let name = path.display().to_string();
        let sqlite = |why| StoreError::sqlite(&name, why);
        let connection = Connection::open(path).map_err(sqlite)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(sqlite)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(sqlite)?;
        match version(&connection).map_err(sqlite)? {
            // New, or its creation was interrupted: the tables and the version are committed together.
            0 => connection.execute_batch(TABLES).map_err(sqlite)?,
            SCHEMA_VERSION => {}
            found => return Err(StoreError::Version { path: name, found }),
        }
        Ok(Self { connection })
    }

    /// Opens the database of a run for reading, even in a folder without write permission.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let name = path.display().to_string();
        let sqlite = |why| StoreError::sqlite(&name, why);
        // Not opened read-only: without a writer, the WAL may have to be recovered first.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let opened = Connection::open_with_flags(path, flags);
        let opened = opened.and_then(|connection| Ok((version(&connection)?, connection)));
        let (version, connection) = match opened {
            Err(why) if is_write_protected(&why) => read_only(path).map_err(sqlite)?,
            opened => opened.map_err(sqlite)?,
        };
        match version {
            SCHEMA_VERSION => Ok(Self { connection }),
            0 => Err(StoreError::Empty { path: name }),
            found => Err(StoreError::Version { path: name, found }),
        }
    }

    /// The configuration of the run; `None` if it is not yet set.
    pub fn config(&self) -> Result<Option<Value>, StoreError> {
        let select = "SELECT value FROM meta WHERE key = 'config'";
        let text: Option<String> = self
            .connection
            .query_row(select, [], |row| row.get(0))
            .optional()
            .map_err(|why| self.failed(why))?;
        text.map(|text| serde_json::from_str(&text).map_err(|why| self.unreadable("configuration", why)))
            .transpose()
    }

    /// Sets the configuration of the run.
    pub fn set_config(&self, config: &Value) -> Result<(), StoreError> {
        let insert = "INSERT INTO meta (key, value) VALUES ('config', ?1)";
        self.connection.execute(insert, [config.to_string()]).map(|_| ()).map_err(|why| self.failed(why))
    }

    /// The theorems, in order.
    pub fn problems(&self) -> Result<Vec<Problem>, StoreError> {
        let sqlite = |why| self.failed(why);
        let select =
            "SELECT id, name, system, header, statement, footer, fields FROM theorems ORDER BY position";
        let mut query = self.connection.prepare(select).map_err(sqlite)?;
        let texts = |row: &Row<'_>| (0..7).map(|at| row.get(at)).collect::<Result<Vec<String>, _>>();
        let rows = query.query_map([], texts).map_err(sqlite)?;
        rows.map(|texts| self.problem(texts.map_err(sqlite)?)).collect()
    }

    fn problem(&self, texts: Vec<String>) -> Result<Problem, StoreError> {
        let [id, name, system, header, statement, footer, fields] =
            <[String; 7]>::try_from(texts).expect("seven columns are selected");
        let unreadable = |what: String| StoreError::Theorem { path: self.path(), theorem: id.clone(), what };
        let system: System = system.parse().map_err(|e: UnknownSystem| unreadable(e.to_string()))?;
        let fields = serde_json::from_str(&fields).map_err(|e| unreadable(e.to_string()))?;
        let theorem = Theorem { id, name, system, header, statement, footer, extra_imports: Vec::new() };
        Ok(Problem { theorem, fields, place: None })
    }

    /// Replaces the theorems of the run, in order. Results under a changed statement are dropped, and results with other
    /// compiled modules, whose number is returned; results of removed theorems are kept, hidden, until the theorem
    /// returns.
    pub(crate) fn set_problems(
        &mut self,
        problems: &[Problem],
        modules: &Modules,
    ) -> Result<usize, StoreError> {
        let mut outdated = 0;
        self.change(|transaction| {
            outdated = replace_problems(transaction, problems, modules)?;
            Ok(())
        })?;
        Ok(outdated)
    }

    /// Visits the results of the run's theorems, ordered by theorem and by number of the attempt. A stored proof that
    /// does not fit its theorem is [`Outcome::Unverified`](andor_artifact::result::Outcome::Unverified).
    pub fn visit_results<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(AttemptResult) -> Result<(), E>,
    ) -> Result<(), E> {
        let path = self.path();
        let folder = Path::new(&path).parent().unwrap_or(Path::new(""));
        self.visit_stored(|theorem, result| visit(as_read(folder, theorem, result)))
    }

    /// The same as they are stored, with their theorems.
    pub fn visit_stored<E: From<StoreError>>(
        &self,
        mut visit: impl FnMut(&Theorem, AttemptResult) -> Result<(), E>,
    ) -> Result<(), E> {
        let sqlite = |why| self.failed(why);
        let problems = self.problems()?;
        let of_id: HashMap<&str, &Theorem> =
            problems.iter().map(|p| (p.theorem.id.as_str(), &p.theorem)).collect();
        let select = "SELECT attempts.theorem, attempts.attempt, result FROM attempts \
                      JOIN theorems ON theorems.id = attempts.theorem \
                      ORDER BY theorems.position, attempts.attempt";
        let mut query = self.connection.prepare(select).map_err(sqlite)?;
        let row = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, u32>(1)?, row.get(2)?));
        for row in query.query_map([], row).map_err(sqlite)? {
            let (id, attempt, text): (_, _, String) = row.map_err(sqlite)?;
            let result: AttemptResult =
                serde_json::from_str(&text).map_err(|why| self.unreadable("result", why))?;
            if (&result.theorem, result.attempt) != (&id, attempt) {
                return Err(StoreError::Misplaced { path: self.path(), theorem: id, attempt }.into());
            }
            // A theorem may have been added since they were read.
            if let Some(theorem) = of_id.get(id.as_str()) {
                visit(theorem, result)?;
            }
        }
        Ok(())
    }

    /// The results of the run's theorems, ordered by theorem and by number of the attempt.
    pub fn results(&self) -> Result<Vec<AttemptResult>, StoreError> {
        let mut results = Vec::new();
        self.visit_results::<StoreError>(|result| {
            results.push(result);
            Ok(())
        })?;
        Ok(results)
    }

    /// Stores results, replacing earlier ones of the same attempts, and drops those named by theorem and number, in
    /// one transaction.
    pub fn update(&mut self, add: &[&AttemptResult], drop: &[(&str, u32)]) -> Result<(), StoreError> {
        self.change(|transaction| {
            for result in add {
                let text = serde_json::to_string(result).expect("a result is JSON");
                let insert = "INSERT OR REPLACE INTO attempts (theorem, attempt, statement_digest, result) \
                              VALUES (?1, ?2, ?3, ?4)";
                let values = params![result.theorem, result.attempt, result.statement_digest, text];
                transaction.prepare_cached(insert)?.execute(values)?;
            }
            for (theorem, attempt) in drop {
                let delete = "DELETE FROM attempts WHERE theorem = ?1 AND attempt = ?2";
                transaction.prepare_cached(delete)?.execute(params![theorem, attempt])?;
            }
            Ok(())
        })
    }

    fn change(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> Result<(), rusqlite::Error>,
    ) -> Result<(), StoreError> {
        let path = self.path();
        let changed = || {
            let transaction = self.connection.transaction()?;
            change(&transaction)?;
            transaction.commit()
        };
        changed().map_err(|why| StoreError::sqlite(&path, why))
    }

    fn path(&self) -> String {
        self.connection.path().unwrap_or_default().to_owned()
    }

    fn failed(&self, why: rusqlite::Error) -> StoreError {
        StoreError::sqlite(&self.path(), why)
    }

    fn unreadable(&self, what: &'static str, why: serde_json::Error) -> StoreError {
        StoreError::Json { path: self.path(), what, why }
    }
}

fn is_write_protected(why: &rusqlite::Error) -> bool {
    matches!(why.sqlite_error_code(), Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen))
}

/// Opens a database without write permission, and reads its version. In WAL mode SQLite creates a lock file beside
/// the database, unless told that the file is immutable. If there is no WAL file, no writer is active and the
/// database is complete.
fn read_only(path: &Path) -> Result<(i64, Connection), rusqlite::Error> {
    let log = path.with_extension("db-wal");
    let mode = if log.exists() { "mode=ro" } else { "immutable=1" };
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(format!("file:{escaped}?{mode}"), flags)?;
    Ok((version(&connection)?, connection))
}

fn version(connection: &Connection) -> Result<i64, rusqlite::Error> {
    connection.query_row("PRAGMA user_version", [], |row| row.get(0))
}

fn replace_problems(
    transaction: &Transaction<'_>,
    problems: &[Problem],
    modules: &Modules,
) -> Result<usize, rusqlite::Error> {
    let mut outdated = 0;
    transaction.execute("DELETE FROM theorems", [])?;
    for (position, Problem { theorem: t, fields, .. }) in problems.iter().enumerate() {
        let fields = serde_json::to_string(fields).expect("fields are JSON");
        let insert = "INSERT INTO theorems VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let texts: [&str; 7] = [&t.id, &t.name, t.system.name(), &t.header, &t.statement, &t.footer, &fields];
        let position = position.to_string();
        let values = std::iter::once(position.as_str()).chain(texts);
        transaction.prepare_cached(insert)?.execute(params_from_iter(values))?;
        let delete = "DELETE FROM attempts WHERE theorem = ?1 AND statement_digest <> ?2";
        transaction.prepare_cached(delete)?.execute(params![t.id, t.digest()])?;
        // A result that does not say with which modules it was made stays.
        let delete = "DELETE FROM attempts WHERE theorem = ?1 \
                      AND json_extract(result, '$.modules_digest') IS NOT NULL \
                      AND json_extract(result, '$.modules_digest') IS NOT ?2";
        outdated += transaction.prepare_cached(delete)?.execute(params![t.id, modules.digest(&t.header)])?;
    }
    Ok(outdated)
}

const TABLES: &str = "
    BEGIN;
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE theorems (
        position INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        system TEXT NOT NULL,
        header TEXT NOT NULL,
        statement TEXT NOT NULL,
        footer TEXT NOT NULL,
        fields TEXT NOT NULL
    );
    CREATE TABLE attempts (
        id INTEGER PRIMARY KEY,
        theorem TEXT NOT NULL,
        attempt INTEGER NOT NULL,
        statement_digest TEXT NOT NULL,
        result TEXT NOT NULL,
        UNIQUE (theorem, attempt)
    );
    PRAGMA user_version = 3;
    COMMIT;";
