//! What the screen for Lean's tactics lets pass stays in its place: Lean itself reads it, and what stands around it.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use andor_process::{ChildSpec, ResourceLimits, run_to_end};
use andor_system_lean::screen::{block, in_script};
use andor_testkit::{block_on, lean};
use serde_json::Value;

/// A message of the compiler: its line, from 1, its column, whether it is an error, its text.
type Message = (u64, u64, bool, String);

fn compile(folder: &Path, text: &str) -> Vec<Message> {
    std::fs::write(folder.join("Test.lean"), text).unwrap();
    let args = ["--json", "-DmaxErrors=0", "-DmaxHeartbeats=2000", "Test.lean"];
    let spec = ChildSpec {
        program: lean::program().to_string_lossy().into_owned(),
        args: args.iter().map(|a| (*a).to_owned()).collect(),
        env: Vec::new(),
        directory: folder.to_owned(),
        limits: ResourceLimits::default(),
    };
    let finished = block_on(run_to_end(&spec, "compiling", Duration::from_secs(120), 64 << 20)).unwrap();
    assert!(matches!(finished.exit.code, Some(0 | 1)), "{:?}", finished.exit);
    let message = |line: &str| {
        let value: Value = serde_json::from_str(line).unwrap();
        let number = |key: &str| value["pos"][key].as_u64().unwrap();
        (
            number("line"),
            number("column"),
            value["severity"] == "error",
            value["data"].as_str().unwrap().to_owned(),
        )
    };
    finished.stdout.lines().map(message).collect()
}

/// Whether a message comes from Lean's parser.
fn is_of_parser((_, _, is_error, text): &Message) -> bool {
    let begins =
        ["unexpected ", "unknown tactic", "expected ", "unterminated ", "missing ", "tabs ", "invalid "];
    *is_error && (text.contains("; expected ") || begins.iter().any(|words| text.starts_with(words)))
}

/// Numbers from a seed (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).unwrap()
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

const GOOD: &[&str] = &[
    "exact ⟨h, g⟩",
    "constructor\n· exact h\n· exact g",
    "constructor <;> assumption",
    "refine ⟨?_, g⟩\nexact h",
    "have k : p := by\n  exact h\nexact ⟨k, g⟩",
    "cases h with\n| inl a => exact a\n| inr b => exact b",
    "first | exact h | simp",
    "simp [h, g] at *",
    "show p ∧ q from ⟨h, g⟩",
    "rcases h with ⟨a, b | c⟩",
    "intro x\n(skip; assumption)",
    "calc p = p := rfl\n  _ = p := rfl",
    "open Leak in exact ⟨h, g⟩",
    "set_option pp.all true in exact ⟨h, g⟩",
    "trace \"a -- /- b\"",
    "exact f ⁻¹' x",
];

const NASTY: &[&str] = &[
    "\n",
    "\n  ",
    "\n    ",
    "\n\n",
    " ",
    "  ",
    "--",
    "-- x\n",
    "/-",
    "-/",
    "/- x -/",
    "/--",
    "/-!",
    "/-- d -/",
    "\"",
    "'",
    "'x'",
    "'\"'",
    "\\",
    "«",
    "»",
    "«zz»",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "⟨",
    "⟩",
    "·",
    ".",
    "..",
    ";",
    "<;>",
    "|",
    "=>",
    ":=",
    ":",
    ",",
    "#",
    "@",
    "@[",
    "@[simp]",
    "by",
    "at",
    "with",
    "using",
    "from",
    "in",
    "where",
    "then",
    "else",
    "end",
    "end N0",
    "namespace",
    "section",
    "open Leak",
    "open Leak in",
    "set_option pp.all true",
    "set_option pp.all true in",
    "set_option maxRecDepth 50 in",
    "theorem zz : True := trivial",
    "def zz := 1",
    "axiom zz : False",
    "instance zz : True := trivial",
    "example : False := zz",
    "abbrev zz := True",
    "opaque zz : Nat",
    "variable (zz : Nat)",
    "universe zz",
    "notation \"zz\" => True",
    "macro \"zz\" : term => `(True)",
    "attribute [simp] h",
    "mutual",
    "private",
    "noncomputable",
    "local",
    "termination_by 1",
    "decreasing_by skip",
    "deriving",
    "#eval 1",
    "#check zz",
    "#exit",
    "#print zz",
    "import Leak",
    "sorry",
    "admit",
    "stop",
    "1.",
    "1",
    "x",
    "h",
    "1.theorem zz : True := trivial",
    "h.1.theorem",
    "дtheorem zz : True := trivial",
    "éopen Leak",
    "r\"",
    "r#\"",
    "\"#",
    "s!\"{",
    "}\"",
    "`",
    "``",
    "`(",
    "zz",
    "exact",
    "apply",
    "have",
    "let",
    "fun",
    "fun x =>",
    "match h with",
    "if h then",
    "rfl",
    "‼",
    "x‼",
    "⧸",
    "x ⧸ h",
    "trivial",
    "∣",
    "∣--",
    "<--",
    "?_",
    "_",
    "∀",
    "→",
    "+",
    "=",
    "λ",
    "\u{a0}",
    "\t",
    "\u{200b}",
    "case",
    "\"axiom zz : True\"",
    "\n«axiom zz : True»",
    "\nx.axiom zz : True",
    "next =>",
    "conv =>",
    "show",
    "suffices",
    "rec",
];

/// A text that may be a tactic: one with something put in, or several things in a row.
fn nasty(numbers: &mut Numbers) -> String {
    let mut text = numbers.one_of(GOOD).to_owned();
    if numbers.below(4) == 0 {
        text = numbers.one_of(&["exact", "trivial", "simp", "constructor", "have k : p :=", "·"]).to_owned();
        for _ in 0..numbers.below(6) {
            text += numbers.one_of(&["", " ", "\n"]);
            text += numbers.one_of(NASTY);
        }
        return text;
    }
    for _ in 0..1 + numbers.below(3) {
        let mut at = numbers.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let gap = numbers.one_of(&["", " "]);
        text.insert_str(at, &format!("{gap}{}{gap}", numbers.one_of(NASTY)));
    }
    text
}

/// Texts that pass, without repetition.
fn passing(seed: u64, count: usize) -> Vec<String> {
    let mut numbers = Numbers(seed);
    let mut found = Vec::new();
    while found.len() < count {
        if let Ok(text) = block(&nasty(&mut numbers)) {
            found.push(in_script(text).into_owned());
        }
    }
    found.sort();
    found.dedup();
    found
}

/// A file in which each text proves a theorem of its own, with `behind` after it, and the line of each.
fn file(texts: &[String], behind: &str) -> (String, Vec<u64>) {
    let mut file = "namespace Leak\ntheorem leaked : True := trivial\nend Leak\n".to_owned();
    let mut lines = Vec::new();
    for (n, text) in texts.iter().enumerate() {
        lines.push(file.matches('\n').count() as u64 + 1);
        let body: String = text.lines().map(|line| format!("  {line}\n")).collect();
        write!(
            file,
            "namespace N{n}\ntheorem t (p q : Prop) (h : p) (g : q) : p ∧ q := by\n{body}{behind}\
             theorem marker : True := trivial\n#check @marker\n#check leaked\n#check zz\n#check 1 + 1\nend N{n}\n"
        )
        .unwrap();
    }
    (file, lines)
}

/// The messages of each text's part of a file.
fn parts(messages: &[Message], lines: &[u64]) -> Vec<Vec<Message>> {
    let of = |n: usize| {
        let end = lines.get(n + 1).copied().unwrap_or(u64::MAX);
        messages.iter().filter(|m| m.0 >= lines[n] && m.0 < end).cloned().collect()
    };
    (0..lines.len()).map(of).collect()
}

#[test]
fn what_passes_neither_closes_nor_changes_what_follows() {
    let folder = tempfile::tempdir().unwrap();
    let (mut n_texts, mut n_read) = (0, 0);
    for seed in 1..=6 {
        let texts = passing(seed, 250);
        let (text, lines) = file(&texts, "\n");
        let found = parts(&compile(folder.path(), &text), &lines);
        let mut read = Vec::new();
        for (text, messages) in texts.iter().zip(found) {
            let say = |what: &str| {
                assert!(
                    messages.iter().any(|(_, _, _, said)| said == what),
                    "seed {seed}: {text:?}: no `{what}` in {messages:#?}"
                );
            };
            say("marker : True");
            say("1 + 1 : Nat");
            for name in ["leaked", "zz"] {
                say(&format!("Unknown identifier `{name}`"));
            }
            if !messages.iter().any(is_of_parser) {
                read.push(text.clone());
            }
        }
        n_texts += texts.len();
        n_read += read.len();
        // What Lean reads, it reads to the end, so the tactic behind it is one of its own.
        let (text, lines) = file(&read, "  exact )\n");
        let found = parts(&compile(folder.path(), &text), &lines);
        for (text, messages) in read.iter().zip(found) {
            let first = messages.iter().find(|m| is_of_parser(m));
            let is_separate = first.is_some_and(|(_, column, _, said)| {
                matches!(column, 7 | 8) && said.starts_with("unexpected token ')'; expected term")
            });
            assert!(is_separate, "seed {seed}: {text:?} takes in what follows: {messages:#?}");
        }
    }
    assert!(
        n_texts > 1000 && n_read > 150,
        "{n_texts} texts passed the screen, {n_read} of them Lean's parser"
    );
}
