#!/bin/sh -e
# Compiles the files of this folder with the `coqc` on PATH, into a folder for its branch of releases: the test data of
# crates/env/src/rocq/compiled/tests.rs.
cd "$(dirname "$0")"
release=$(coqc --print-version | cut -d ' ' -f 1)
branch=$(echo "$release" | cut -d . -f 1,2)
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
cp ./*.v "$scratch"
cd "$scratch"
# There are no qualities before 8.19.
[ "$branch" != 8.18 ] || rm sorts_*.v
for file in *.v; do
  coqc -q -w none -native-compiler no -Q . "" "$file"
done
cd - > /dev/null
mkdir -p "$branch"
cp "$scratch"/*.vo "$branch"
