//! The compiled modules of the user's project that a file requires.

use std::path::{Path, PathBuf};

use super::lexer::{Kind, code};
use super::sentence::split;
use andor_core::load_path::LoadPath;

/// The compiled modules below the folders of a load path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Required {
    /// Full names with files, sorted.
    modules: Vec<(String, PathBuf)>,
}

impl Required {
    pub(super) fn find(load_path: &[LoadPath]) -> Self {
        let mut modules = Vec::new();
        for bound in load_path {
            let mut folders = vec![(bound.folder.clone(), bound.name.clone())];
            while let Some((folder, name)) = folders.pop() {
                for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                    let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
                    let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
                    let inner = if name.is_empty() { stem.to_owned() } else { format!("{name}.{stem}") };
                    if kind.is_dir() && !stem.starts_with('.') {
                        folders.push((path, inner));
                    } else if has_extension(&path, "vo") {
                        modules.push((inner, path));
                    }
                }
            }
        }
        modules.sort();
        modules.dedup();
        Self { modules }
    }

    /// The files of the modules that a text requires. If a short name fits several modules, all of them. A compiled
    /// file contains digests of those that it depends on itself, so these are not listed.
    pub(super) fn required(&self, text: &str) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = Vec::new();
        for sentence in split(text).unwrap_or_default() {
            let pieces = code(sentence.text).unwrap_or_default();
            let words: Vec<&str> = pieces.iter().filter(|p| p.kind == Kind::Word).map(|p| p.text).collect();
            let Some(at) = words.iter().position(|word| *word == "Require") else { continue };
            let from =
                at.checked_sub(2).filter(|&before| words[before] == "From").map(|before| words[before + 1]);
            for name in &words[at + 1..] {
                let fits = |full: &str| {
                    ends_with(full, name)
                        && from.is_none_or(|from| ends_with(&reversed(full), &reversed(from)))
                };
                let of_name = self.modules.iter().filter(|(full, _)| fits(full));
                found.extend(of_name.map(|(_, path)| path.clone()));
            }
        }
        found.sort();
        found.dedup();
        found
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Whether the last parts of a qualified name are these.
fn ends_with(full: &str, last: &str) -> bool {
    full.strip_suffix(last).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// A qualified name with its parts in reverse order.
fn reversed(name: &str) -> String {
    name.split('.').rev().collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_core::load_path::Binding;

    #[test]
    fn required_modules_are_found_by_their_short_and_full_names() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["Sib.vo", "Sib.v", "Sub/Sib.vo", "Sub/Other.vo", ".git/Hidden.vo"] {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        }
        let bound = LoadPath { binding: Binding::Q, folder: folder.path().to_owned(), name: "P".to_owned() };
        let project = Required::find(&[bound]);
        for (text, expected) in [
            ("", &[][..]),
            ("Require Import Lia.", &[]),
            ("From P Require Import Sib.", &["Sib.vo", "Sub/Sib.vo"]),
            ("From P.Sub Require Export Sib.", &["Sub/Sib.vo"]),
            ("From Q Require Import Sib.", &[]),
            ("Require P.Sub.Other. (* From P Require Sib. *)", &["Sub/Other.vo"]),
            ("#[local] Require Import P.Sub.Other P.Sib.", &["Sib.vo", "Sub/Other.vo"]),
            ("Require Hidden.", &[]),
        ] {
            let expected: Vec<PathBuf> = expected.iter().map(|name| folder.path().join(name)).collect();
            assert_eq!(project.required(text), expected, "{text}");
        }
        assert_eq!(Required::find(&[]).required("From P Require Import Sib."), Vec::<PathBuf>::new());
    }
}
