#!/bin/sh
# Asks the Rocq on PATH what our readers of printed text must read, and writes its answers to a folder named after its release:
# make.sh. Run it with each release.
set -eu
cd "$(dirname "$0")"
release=$(coqc --print-version | cut -d ' ' -f 1)
# 9.2.0 calls itself 9.2.
case $release in *.*.*) ;; *) release=$release.0 ;; esac
mkdir -p "$release"
out=$PWD/$release
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export OCAMLRUNPARAM=s=4M,d=1
cp assumptions.v submission.v "$work"
cd "$work"
coqc -q -w none assumptions.v > "$out/assumptions.txt"
coqc -q -w none submission.v > /dev/null
coqchk -silent -o -norec submission -Q . "" > "$out/summary.txt" 2>&1
add() {
    printf '<call val="Add"><pair><pair><pair><pair><string>%s</string><int>-1</int></pair><pair><state_id val="%d"/><bool val="false"/></pair></pair><int>0</int></pair><pair><int>1</int><int>0</int></pair></pair></call>' "$2" "$1"
}
programs=$(dirname "$(command -v coqc)")
server=$programs/coqidetop
[ -x "$server" ] || server=$programs/coqidetop.opt
{
    printf '<call val="Init"><option val="none"/></call>'
    add 1 'Lemma t (n m : nat) (x := n + m : nat) (f := fun y : nat =&gt; y) (P : nat -&gt; Prop) (H : P n) : exists w, w = x.'
    add 2 'unshelve eexists. shelve.'
    add 3 'pose proof (conj H H) as [α '"H'"'].'
    printf '<call val="Subgoals"><goal_flags><string>full</string><bool val="true"/><bool val="false"/><bool val="true"/><bool val="true"/></goal_flags></call>'
    printf '<call val="Quit"><unit/></call>'
} | "$server" -main-channel stdfds -q -w none --xml_format=Ppcmds -set "Printing Goal Names" -async-proofs off 2> "$work/err" > "$work/all" || true
# The answer with the goals is the last that has any.
tr '\n' ' ' < "$work/all" | sed 's/.*\(<value val="good"><option val="some"><goals>.*<\/goals><\/option><\/value>\).*/\1\n/' > "$out/goals.xml"
