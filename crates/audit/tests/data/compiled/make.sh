#!/bin/sh -e
# Compiles the files of this folder with the `coqc` on PATH, into a folder for its branch of releases: the test data of
# crates/audit/src/vo/compiled/tests.rs.
cd "$(dirname "$0")"
release=$(coqc --print-version | cut -d ' ' -f 1)
branch=$(echo "$release" | cut -d . -f 1,2)
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
cp ./*.v "$scratch"
cd "$scratch"
# Sorts have qualities since 8.19, and these have constraints since 9.2. There are rewrite rules since 8.20.
case $branch in
  8.18) rm sorts_*.v eliminations_*.v rules.v ;;
  8.19) rm eliminations_*.v rules.v ;;
  8.20 | 9.0 | 9.1) rm eliminations_*.v ;;
esac
for file in *.v; do
  allow=
  [ "$file" != rules.v ] || allow=-allow-rewrite-rules
  coqc -q -w none -native-compiler no $allow -Q . "" "$file"
done
cd - > /dev/null
mkdir -p "$branch"
cp "$scratch"/*.vo "$branch"
