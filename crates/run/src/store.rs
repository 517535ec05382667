//! `run.db`: what is finished, for `--resume`. SQLite in WAL mode; a result is there whole or not at all.

use std::path::Path;

use andor_artifact::result::AttemptResult;
use rusqlite::{Connection, OptionalExtension, params};

/// The version of the tables.
const SCHEMA_VERSION: i64 = 2;

/// The database of a run.
pub struct Store {
    connection: Connection,
}

/// Why the database cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// SQLite refuses.
    #[error("{path}: {source}")]
    Sqlite {
        /// The file.
        path: String,
        /// Why.
        source: rusqlite::Error,
    },
    /// The file is of another version.
    #[error(
        "{path}: it has table version {found}, and this program uses {SCHEMA_VERSION}; \
         use the program that made it, or another --out folder"
    )]
    Version {
        /// The file.
        path: String,
        /// Its version.
        found: i64,
    },
    /// The run was made with another configuration.
    #[error(
        "{path}: the run was made with another configuration ({found}, now {wanted}); \
         use the same options, or another --out folder"
    )]
    Configuration {
        /// The file.
        path: String,
        /// The digest stored.
        found: String,
        /// The digest now.
        wanted: String,
    },
    /// A stored result cannot be read.
    #[error("{path}: a stored result is unreadable: {source}")]
    Result {
        /// The file.
        path: String,
        /// Why.
        source: serde_json::Error,
    },
}

impl Store {
    /// Opens the database of a run with a configuration, or makes a new one.
    pub fn open(path: &Path, config_digest: &str) -> Result<Self, StoreError> {
        let name = path.display().to_string();
        let sqlite = |source| StoreError::Sqlite { path: name.clone(), source };
        let connection = Connection::open(path).map_err(sqlite)?;
        connection.pragma_update(None, "journal_mode", "WAL").map_err(sqlite)?;
        connection.pragma_update(None, "synchronous", "FULL").map_err(sqlite)?;
        let version: i64 =
            connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(sqlite)?;
        match version {
            0 => connection.execute_batch(TABLES).map_err(sqlite)?,
            SCHEMA_VERSION => {}
            found => return Err(StoreError::Version { path: name, found }),
        }
        let store = Self { connection };
        let found: Option<String> = store
            .connection
            .query_row("SELECT value FROM meta WHERE key = 'config_digest'", [], |row| row.get(0))
            .optional()
            .map_err(sqlite)?;
        match found {
            None => {
                let insert = "INSERT INTO meta (key, value) VALUES ('config_digest', ?1)";
                store.connection.execute(insert, [config_digest]).map_err(sqlite)?;
            }
            Some(found) if found != config_digest => {
                return Err(StoreError::Configuration {
                    path: name,
                    found,
                    wanted: config_digest.to_owned(),
                });
            }
            Some(_) => {}
        }
        Ok(store)
    }

    /// The finished attempts, in the order in which they finished.
    pub fn results(&self) -> Result<Vec<AttemptResult>, StoreError> {
        let path = || self.connection.path().unwrap_or_default().to_owned();
        let sqlite = |source| StoreError::Sqlite { path: path(), source };
        let mut query = self.connection.prepare("SELECT result FROM attempts ORDER BY id").map_err(sqlite)?;
        let texts = query.query_map([], |row| row.get::<_, String>(0)).map_err(sqlite)?;
        let read = |text: Result<String, rusqlite::Error>| {
            let text = text.map_err(sqlite)?;
            serde_json::from_str(&text).map_err(|source| StoreError::Result { path: path(), source })
        };
        texts.map(read).collect()
    }

    /// Stores a finished attempt.
    pub fn add(&self, result: &AttemptResult) -> Result<(), StoreError> {
        let text = serde_json::to_string(result).expect("a result is JSON");
        let insert = "INSERT OR REPLACE INTO attempts (theorem, attempt, statement_digest, result) VALUES (?1, ?2, ?3, ?4)";
        let values = params![result.theorem, result.attempt, result.statement_digest, text];
        self.connection.execute(insert, values).map(|_| ()).map_err(|source| StoreError::Sqlite {
            path: self.connection.path().unwrap_or_default().to_owned(),
            source,
        })
    }
}

const TABLES: &str = "
    BEGIN;
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE attempts (
        id INTEGER PRIMARY KEY,
        theorem TEXT NOT NULL,
        attempt INTEGER NOT NULL,
        statement_digest TEXT NOT NULL,
        result TEXT NOT NULL,
        UNIQUE (theorem, attempt)
    );
    PRAGMA user_version = 2;
    COMMIT;";
