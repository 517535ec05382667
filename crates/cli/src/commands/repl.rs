//! `andor repl`

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_core::lemma::Lemma;
use andor_dataset::{self as dataset, Problem};
use andor_engine::interactive::Interactive;
use andor_engine::judge::{Level, Trust, Verdict};
use andor_engine::registry::{self, OwnParts};
use andor_engine::verification;
use andor_terminal::exit::Exit;
use andor_terminal::progress::Progress;
use andor_terminal::{hint, report, shown};
use anyhow::bail;
use serde_json::{Value, json};

use super::input;
use crate::args::ReplArgs;
use crate::settings;

const HELP: &str = "\
A line is a tactic for the first goal. A line that ends in `=>`, `with` or `by` goes on until an empty line;
one that ends in ` \\` goes on in the next.
  goals      show the goals
  goal N     work on the N-th goal
  lookup     show lemmas about the symbols of the first goal
  lookup SYMBOL…   show lemmas about these symbols, for example Nat.add
  undo       undo the last tactic
  script     show the file so far
  qed        verify the finished proof, print the file, and exit
  quit       end without a proof";

/// How many lemmas `lookup` shows.
const MAX_LEMMAS: usize = 20;

pub(crate) async fn run(args: &ReplArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let mut config = settings::repl(args)?;
    let say = |text: &str| progress.lock().expect("progress does not panic").say(text);
    let mut lines = Lines::new(io::stdin().lock());
    let mut problem = problem(args, config.project.as_deref(), &mut lines, say)?;
    if let Some((source, system)) = input::of_a_project(&args.source, std::slice::from_ref(&problem)) {
        let prelude = settings::apply_project(&mut config, source, system, say)?;
        problem.theorem.header.insert_str(0, &prelude);
    }
    let prompt = format!("{}> ", problem.theorem.system);
    let verify = config.verify;
    verification::ensure(&*registry::environment(problem.theorem.system, &config), verify).await?;
    let mut proof = Interactive::open(&problem.theorem, &config, &OwnParts::default()).await?;
    let given = dataset::given(&config, &problem.theorem, problem.partial_proof())?;
    if let Some(given) = &given {
        let grafted = proof.graft(given).await?;
        report::applied(given.origin, proof.n_steps() as u64, &grafted).iter().for_each(|line| say(line));
    }
    show(args.json, &Reply::goals(&proof), None)?;
    while let Some(text) = lines.next(&prompt)? {
        let text = text.trim();
        let reply = match text {
            "" => continue,
            comment if comment.starts_with("--") => continue,
            "help" => Reply::Text(HELP.to_owned()),
            "quit" => break,
            "goals" => Reply::goals(&proof),
            "script" => Reply::Script(proof.source()),
            "undo" if proof.undo() => Reply::goals(&proof),
            "undo" => Reply::Error("nothing to undo".to_owned()),
            "qed" => match proof.goals().len() {
                0 => Reply::judged(proof.check(verify.demand()).await, &proof),
                1 => Reply::Error("one goal remains".to_owned()),
                left => Reply::Error(format!("{left} goals remain")),
            },
            lookup if lookup.split_whitespace().next() == Some("lookup") => {
                let symbols: Vec<String> = lookup.split_whitespace().skip(1).map(str::to_owned).collect();
                Reply::Lemmas(proof.lookup(&symbols, MAX_LEMMAS).await)
            }
            tactic => match tactic.strip_prefix("goal ").map(|n| n.trim().parse::<usize>()) {
                Some(Ok(number)) if proof.choose(number) => Reply::goals(&proof),
                Some(_) => {
                    Reply::Error(format!("no such goal; the number of goals is {}", proof.goals().len()))
                }
                None => match proof.apply(tactic).await? {
                    Ok(applied) if *applied == *tactic => Reply::goals(&proof),
                    Ok(applied) => {
                        Reply::Goals { instead: Some(applied.to_string()), goals: Reply::goals_of(&proof) }
                    }
                    Err(message) => Reply::Error(message),
                },
            },
        };
        show(args.json, &reply, Some(text))?;
        if let Reply::Accepted { level, axioms, trust, .. } = &reply {
            say(&format!(
                "{}: proved ({})",
                shown::line(&problem.theorem.id),
                report::verified(*level, axioms, trust)
            ));
            return Ok(Exit::Success);
        }
    }
    Ok(Exit::NotProved)
}

/// The one problem that the arguments select, or the first line of the input.
fn problem(
    args: &ReplArgs,
    project: Option<&Path>,
    lines: &mut Lines<impl BufRead>,
    say: impl Fn(&str),
) -> anyhow::Result<Problem> {
    let source = &args.source;
    if source.files.is_empty() && source.statement.is_none() {
        let Some(statement) = lines.next("theorem> ")? else {
            bail!("a FILE, --statement, or a statement as the first line is required");
        };
        let system = source.system.map_or_else(|| dataset::system_of(&statement), Ok)?;
        return Ok(dataset::from_statement(system, &statement, &source.imports)?);
    }
    let mut problems = input::named(source, project, say)?;
    if problems.len() > 1 {
        let names: Vec<&str> = problems.iter().map(|p| p.theorem.name.as_str()).collect();
        bail!("the file holds several theorems; choose one with --theorem: {}", names.join(", "));
    }
    Ok(problems.remove(0))
}

/// The reply to an input.
enum Reply {
    Goals { goals: Vec<String>, instead: Option<String> },
    Lemmas(Vec<Lemma>),
    Text(String),
    Script(String),
    Error(String),
    Accepted { level: Level, axioms: Vec<String>, trust: Trust, shortfall: Option<String>, script: String },
}

impl Reply {
    fn goals(proof: &Interactive) -> Self {
        Self::Goals { goals: Self::goals_of(proof), instead: None }
    }

    fn goals_of(proof: &Interactive) -> Vec<String> {
        proof.goals().iter().map(ToString::to_string).collect()
    }

    fn judged(verdict: Verdict, proof: &Interactive) -> Self {
        match verdict {
            Verdict::Accepted { level, axioms, trust, shortfall } => {
                Self::Accepted { level, axioms, trust: *trust, shortfall, script: proof.source() }
            }
            Verdict::Rejected { level, message, permission, .. } => {
                let permission = hint::permission(permission.as_ref());
                Self::Error(format!("the checker rejects the proof at {level}: {message}{permission}"))
            }
            Verdict::Infrastructure { error, .. } => Self::Error(format!("could not be judged: {error}")),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Goals { goals, instead } => {
                let instead = instead.as_ref().map(|text| format!("instead: {}\n", shown::message(text)));
                let goals = if goals.is_empty() { "no goals".to_owned() } else { goals.join("\n\n") };
                format!("{}{goals}\n", instead.unwrap_or_default())
            }
            Self::Lemmas(lemmas) if lemmas.is_empty() => "no lemmas\n".to_owned(),
            Self::Lemmas(lemmas) => {
                lemmas.iter().map(|lemma| format!("{}: {}\n", lemma.name, lemma.statement)).collect()
            }
            Self::Text(text) => format!("{text}\n"),
            Self::Script(script) | Self::Accepted { script, .. } => format!("{}\n", script.trim_end()),
            Self::Error(message) => format!("error: {}\n", shown::message(message)),
        }
    }

    fn json(&self, input: Option<&str>) -> Value {
        match self {
            Self::Goals { goals, instead: None } => json!({"input": input, "status": "ok", "goals": goals}),
            Self::Goals { goals, instead } => {
                json!({"input": input, "status": "ok", "goals": goals, "instead": instead})
            }
            Self::Lemmas(lemmas) => {
                let lemmas = lemmas.iter().map(|l| json!({"name": l.name, "statement": l.statement}));
                json!({"input": input, "status": "ok", "lemmas": lemmas.collect::<Vec<_>>()})
            }
            Self::Text(text) => json!({"input": input, "status": "ok", "text": text}),
            Self::Script(script) => json!({"input": input, "status": "ok", "script": script}),
            Self::Error(message) => json!({"input": input, "status": "error", "message": message}),
            Self::Accepted { level, axioms, trust, shortfall, script } => json!({
                "input": input,
                "status": "accepted",
                "level": level.number(),
                "shortfall": shortfall,
                "axioms": axioms,
                "features": report::features(trust),
                "known_bugs": trust.bugs,
                "libraries": trust.libraries,
                "kernels": trust.second_judge.kernels(),
                "second_judge": trust.second_judge.name(),
                "second_judge_silence": trust.second_judge.silence(),
                "script": script,
            }),
        }
    }
}

fn show(json: bool, reply: &Reply, input: Option<&str>) -> io::Result<()> {
    match reply {
        _ if json => report::print(&format!("{}\n", reply.json(input))),
        Reply::Script(_) | Reply::Accepted { .. } => {
            let mut out = report::stdout();
            out.write_all(reply.text().as_bytes())?;
            out.flush()
        }
        _ => report::print(&reply.text()),
    }
}

/// Reads the inputs, which may span several lines. Prompts are shown on a terminal only.
struct Lines<R> {
    reader: R,
    prompts: bool,
}

/// Length limit of a line, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 20;

impl<R: BufRead> Lines<R> {
    fn new(reader: R) -> Self {
        Self { reader, prompts: io::stdin().is_terminal() }
    }

    /// The next line with its line break. The limit keeps endless input, such as `/dev/zero`, from filling the
    /// memory.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let length = self.reader.by_ref().take(MAX_LINE_BYTES).read_line(&mut line)?;
        if length as u64 == MAX_LINE_BYTES {
            let message = format!("the input has a line of more than {} MiB", MAX_LINE_BYTES >> 20);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok((length > 0).then_some(line))
    }

    fn next(&mut self, prompt: &str) -> io::Result<Option<String>> {
        let mut text = String::new();
        let mut in_block = false;
        loop {
            if self.prompts {
                let more = "... ";
                report::print(if text.is_empty() { prompt } else { more })?;
            }
            let Some(line) = self.line()? else {
                return Ok(Some(text).filter(|t| !t.is_empty()));
            };
            let line = line.trim_end();
            if in_block && line.is_empty() {
                return Ok(Some(text));
            }
            let joined = line.strip_suffix('\\').filter(|l| l.is_empty() || l.ends_with(' '));
            if !text.is_empty() {
                text.push('\n');
            }
            text += joined.unwrap_or(line).trim_end();
            in_block |= joined.is_none() && opens_a_block(line);
            if joined.is_none() && !in_block {
                return Ok(Some(text));
            }
        }
    }
}

/// Whether the input continues on the next lines.
fn opens_a_block(line: &str) -> bool {
    line.ends_with("=>") || matches!(line.split_whitespace().next_back(), Some("with" | "by"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inputs(text: &str) -> Vec<String> {
        let mut lines = Lines { reader: text.as_bytes(), prompts: false };
        std::iter::from_fn(|| lines.next("").unwrap()).collect()
    }

    #[test]
    fn blocks_go_on_until_an_empty_line() {
        let text = "intro h\ncases h with\n| inl a =>\n  exact a\n| inr b => exact b\n\nqed\n";
        let block = "cases h with\n| inl a =>\n  exact a\n| inr b => exact b";
        assert_eq!(inputs(text), ["intro h", block, "qed"]);
        assert_eq!(inputs("have h : p := by\n  exact x"), ["have h : p := by\n  exact x"]);
    }

    #[test]
    fn lines_can_be_joined() {
        assert_eq!(
            inputs("calc a = b := h \\\n  _ = c := k\ngoals"),
            ["calc a = b := h\n  _ = c := k", "goals"]
        );
        assert_eq!(inputs("apply (A /\\\nB"), ["apply (A /\\", "B"], "a connective is not a join");
    }
}
