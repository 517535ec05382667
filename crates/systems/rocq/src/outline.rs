//! Reads a proof script of Rocq into an outline.

mod given_up;

use super::commands::does;
use super::lexer::{Kind, Piece, code};
use super::screen::{addressed, in_script, tactic_body};
use super::sentence::{Sentence, SentenceError, split};
use super::source::statement_name;
use andor_env::outline::{
    Block, Item, MAX_NESTING, Outline, Pick, Place, Places, Skipped, Tactic, Targets, Unread, What,
};
use given_up::taken_apart;

/// Words that end a proof.
const ENDS: &[&str] = &["Qed", "Defined", "Save", "Admitted", "Abort"];
/// Words that begin imports. Those that heuristics need are in effect already; the others have no place in a proof.
const IMPORTS: &[&str] = &["Require", "Import", "From"];

/// The outline of a proof: of its sentences, of `Proof. … Qed.`, or of a whole theorem.
pub fn outline(text: &str) -> Outline {
    let places = Places::of(text);
    let (sentences, mut unread) = readable(text, &places);
    let (opening, sentences) = proof(&sentences);
    let with = opening.and_then(with_tactic);
    let mut reader = Reader { frames: vec![Frame::root()], with, skipped: Vec::new() };
    for sentence in sentences {
        let place = places.at(sentence.start);
        if let Err(what) = reader.read(sentence.text, place) {
            unread = Some(Unread { place, what });
            break;
        }
    }
    let (block, skipped) = reader.finish();
    Outline { block, skipped, unread }
}

/// The sentences up to the first place that cannot be read.
fn readable<'a>(text: &'a str, places: &Places<'_>) -> (Vec<Sentence<'a>>, Option<Unread>) {
    let (mut end, mut unread) = (text.len(), None);
    loop {
        match split(&text[..end]) {
            Ok(sentences) => return (sentences, unread),
            Err(error) => {
                let (at, what) = match error {
                    SentenceError::Unclosed(unclosed) => {
                        (unclosed.at, format!("the {} is not closed", unclosed.what))
                    }
                    SentenceError::NoPeriod(at) => (at, "the last sentence has no period".to_owned()),
                };
                unread = Some(Unread { place: places.at(at), what });
                end = at;
            }
        }
    }
}

/// The sentence that opens the proof, and those between it or the statement, if there is one, and the end of the proof.
fn proof<'a, 's>(sentences: &'s [Sentence<'a>]) -> (Option<&'a str>, &'s [Sentence<'a>]) {
    let begins = sentences.iter().position(|s| opens_proof(s.text));
    let stated = || sentences.iter().position(|s| statement_name(s.text).is_some());
    let first = begins.or_else(stated).map_or(0, |at| at + 1);
    let rest = &sentences[first..];
    let is_end = |s: &Sentence<'_>| ENDS.contains(&first_word(s.text));
    (begins.map(|at| sentences[at].text), &rest[..rest.iter().position(is_end).unwrap_or(rest.len())])
}

/// The tactic of `Proof with tactic.`, which follows each sentence that ends in `...`.
fn with_tactic(opening: &str) -> Option<String> {
    let pieces = code(opening).ok()?;
    let with = pieces.iter().find(|piece| piece.is_word("with"))?;
    let rest = opening[with.end()..].trim_end_matches('.');
    // A list of variables may follow.
    let using =
        code(rest).ok()?.iter().find(|piece| piece.is_word("using")).map_or(rest.len(), |piece| piece.start);
    Some(rest[..using].trim().to_owned())
}

/// Whether a sentence is `Proof.`, `Proof using …` or `Proof with …`.
fn opens_proof(sentence: &str) -> bool {
    first_word(sentence) == "Proof"
        && matches!(first_word(sentence["Proof".len()..].trim_start()), "" | "using" | "with")
}

fn first_word(text: &str) -> &str {
    &text[..text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\''))).unwrap_or(text.len())]
}

/// Commands that take back or leave out a part of the proof.
const UNDOING: &[&str] = &["Undo", "Restart", "Back", "BackTo", "Reset", "Focus", "Unfocus"];

/// A block that is being read.
struct Frame {
    /// Where it begins.
    place: Place,
    opened: Opened,
    block: Block,
}

enum Opened {
    Root,
    Bullet(String),
    Brace(Pick),
}

impl Frame {
    fn root() -> Self {
        Self { place: Place::START, opened: Opened::Root, block: Vec::new() }
    }
}

struct Reader {
    /// The open blocks, the innermost last.
    frames: Vec<Frame>,
    /// The tactic of `Proof with`.
    with: Option<String>,
    skipped: Vec<Skipped>,
}

impl Reader {
    fn read(&mut self, sentence: &str, place: Place) -> Result<(), String> {
        let (place, what) = match sentence.chars().next() {
            Some(bullet @ ('-' | '+' | '*')) if sentence.chars().all(|c| c == bullet) => {
                return self.bullet(sentence, place);
            }
            Some('}') if sentence == "}" => return self.close_brace(),
            _ if sentence.ends_with('{') => return self.open(Opened::Brace(picked(sentence)), place),
            _ => match command(sentence) {
                Command::None(tactic) => {
                    let at = sentence.len() - tactic.len();
                    self.tactic(tactic, Place::of(sentence, at).within(place))
                }
                Command::Silent => return Ok(()),
                Command::Skipped => {
                    self.skipped.push(Skipped { place, text: sentence.to_owned() });
                    return Ok(());
                }
                Command::Undoes => return Err(format!("`{sentence}` takes back what stands before it")),
            },
        };
        self.innermost().push(Item { place, what });
        Ok(())
    }

    fn innermost(&mut self) -> &mut Block {
        &mut self.frames.last_mut().expect("the root stays open").block
    }

    fn open(&mut self, opened: Opened, place: Place) -> Result<(), String> {
        if self.frames.len() > MAX_NESTING {
            return Err("bullets and braces are nested too deeply here".to_owned());
        }
        self.frames.push(Frame { place, opened, block: Vec::new() });
        Ok(())
    }

    /// A bullet that is open within the innermost braces is closed, and all blocks within it; another one opens a
    /// block.
    fn bullet(&mut self, bullet: &str, place: Place) -> Result<(), String> {
        let is_it = |frame: &Frame| matches!(&frame.opened, Opened::Bullet(open) if open == bullet);
        let within = self.frames.iter().rev().take_while(|f| matches!(f.opened, Opened::Bullet(_)));
        if let Some(above) = within.into_iter().position(is_it) {
            for _ in 0..=above {
                self.close();
            }
        }
        self.open(Opened::Bullet(bullet.to_owned()), place)
    }

    fn close_brace(&mut self) -> Result<(), String> {
        let is_brace = |frame: &Frame| matches!(frame.opened, Opened::Brace(_));
        let above = self.frames.iter().rev().position(is_brace).ok_or("`}` closes no brace")?;
        for _ in 0..=above {
            self.close();
        }
        Ok(())
    }

    /// Closes the innermost block.
    fn close(&mut self) {
        let Frame { place, opened, block } = self.frames.pop().expect("it is open");
        let pick = match opened {
            Opened::Brace(pick) => pick,
            Opened::Bullet(_) | Opened::Root => Pick::First,
        };
        self.innermost().push(Item { place, what: What::Focus(pick, block) });
    }

    fn finish(mut self) -> (Block, Vec<Skipped>) {
        while self.frames.len() > 1 {
            self.close();
        }
        (self.frames.pop().expect("the root stays open").block, self.skipped)
    }

    /// The tactic of a sentence, with its goal selector if it has one. `place` is where the sentence begins; if all that it does
    /// is to give up goals, the place of the word that says so is returned.
    fn tactic(&self, sentence: &str, place: Place) -> (Place, What) {
        if let Some(term) = sentence.strip_prefix("Proof").filter(|_| first_word(sentence) == "Proof") {
            let term = term.strip_suffix('.').unwrap_or(term);
            return (place, What::Tactic(Tactic::first(format!("exact ({})", term.trim()))));
        }
        let (sentence, is_followed) = match sentence.strip_suffix("...") {
            Some(sentence) => (sentence, true),
            None => (sentence.strip_suffix('.').unwrap_or(sentence), false),
        };
        let (on, body) = selected(sentence);
        let at = sentence.rfind(body).unwrap_or_default();
        let of_body = Place::of(sentence, at).within(place);
        match taken_apart(bare(body), on, of_body, self.frames.len()) {
            // A proof in its place may have several sentences, unless a selector is there.
            (place, What::Hole { on, is_inside }) => {
                (place, What::Hole { on, is_inside: is_inside || at > 0 })
            }
            (_, What::Tactic(Tactic { text, on, .. })) if is_followed && self.with.is_some() => {
                let with = self.with.as_deref().unwrap_or_default();
                (place, What::Tactic(Tactic { text: format!("{text}; {with}"), on, parts: None }))
            }
            (_, what) => (place, what),
        }
    }
}

fn nth(number: usize) -> Targets {
    if number == 1 { Targets::First } else { Targets::Nth(number) }
}

fn pick(number: usize) -> Pick {
    if number == 1 { Pick::First } else { Pick::Nth(number) }
}

/// What a sentence of a proof is, if it is not a tactic.
enum Command<'a> {
    /// It is this tactic, without words before it that only measure or limit it.
    None(&'a str),
    /// It is in effect already.
    Silent,
    /// It changes no goal.
    Skipped,
    /// It changes what stands before it.
    Undoes,
}

fn command(sentence: &str) -> Command<'_> {
    let word = first_word(sentence);
    let rest = sentence[word.len()..].trim_start();
    match word {
        "Time" | "Instructions" => command(rest),
        "Timeout" => command(rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start()),
        "Unshelve" => Command::Silent,
        "Proof" => Command::None(sentence),
        _ if IMPORTS.contains(&word) => Command::Silent,
        _ if UNDOING.contains(&word) => Command::Undoes,
        _ if does(word).is_some() => Command::Skipped,
        _ => Command::None(sentence),
    }
}

/// The goal of `{`, `2: {` or `[x]: {`.
fn picked(sentence: &str) -> Pick {
    let selector = sentence.trim_end_matches('{').trim_end().trim_end_matches(':').trim();
    match selector.parse() {
        Ok(number) => Pick::Nth(number),
        Err(_) if selector.is_empty() => Pick::First,
        Err(_) => Pick::Case(selector.trim_matches(['[', ']', ' ']).to_owned()),
    }
}

/// A tactic without its goal selector, if that is one of `all:`, `!:`, `n:` and `[name]:`.
fn selected(sentence: &str) -> (Targets, &str) {
    if let (Some(name), body) = addressed(sentence) {
        return (Targets::Named(name.to_owned()), body);
    }
    let pieces: Vec<Piece<'_>> = code(sentence).unwrap_or_default();
    let [first, colon, next, ..] = &pieces[..] else { return (Targets::First, sentence.trim()) };
    let on = match (first.kind, first.text) {
        (Kind::Number, number) => number.parse().ok().map(Targets::Nth),
        (Kind::Word, "all" | "par") => Some(Targets::All),
        (Kind::Symbol, "!") => Some(Targets::First),
        _ => None,
    };
    match on {
        Some(on) if colon.is_symbol(":") && !next.is_symbol("=") => (on, sentence[colon.end()..].trim()),
        _ => (Targets::First, sentence.trim()),
    }
}

/// A tactic without the parentheses that a script has around it if it begins like a command.
fn bare(body: &str) -> &str {
    let inner = body.strip_prefix("( ").and_then(|rest| rest.strip_suffix(" )"));
    let is_ours =
        |inner: &&str| tactic_body(inner) == Ok(*inner) && in_script(inner).strip_suffix('.') == Some(body);
    inner.filter(is_ours).unwrap_or(body)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An outline in one line: tactics, blocks in brackets, holes as `?`.
    fn shown(block: &Block) -> String {
        let item = |item: &Item| match &item.what {
            What::Tactic(Tactic { parts: Some(parts), .. }) => {
                format!("{}: {}", parts.head, shown(&parts.proofs))
            }
            What::Tactic(Tactic { text, on: Targets::First, .. }) => text.clone(),
            What::Tactic(Tactic { text, on, .. }) => format!("{on:?} {text}"),
            What::Focus(Pick::First, block) => format!("[{}]", shown(block)),
            What::Focus(pick, block) => format!("{pick:?}[{}]", shown(block)),
            What::Rotate(by) => format!("rotate {by}"),
            What::Hole { on: Targets::First, .. } => "?".to_owned(),
            What::Hole { on, .. } => format!("{on:?} ?"),
        };
        block.iter().map(item).collect::<Vec<_>>().join("; ")
    }

    fn read(text: &str) -> (String, Option<String>) {
        let outline = outline(text);
        (shown(&outline.block), outline.unread.map(|unread| unread.to_string()))
    }

    #[test]
    fn bullets_and_braces_nest() {
        for (text, expected) in [
            ("intros. split. - a. - b. c.", "intros; split; [a]; [b; c]"),
            ("split. - split. + a. + b. - c.", "split; [split; [a]; [b]]; [c]"),
            ("split. - split. { - a. - b. } c. - d.", "split; [split; [[a]; [b]]; c]; [d]"),
            ("split. { a. } 2: { b. } [x]: { c. }", "split; [a]; Nth(2)[b]; Case(\"x\")[c]"),
            ("s. -- a. --- b. -- c.", "s; [a; [b]]; [c]"),
            ("all: a. 2: b. !: c. all: admit.", "All a; Nth(2) b; c; All ?"),
            ("split. - admit. - a; b.", "split; [?]; [a; b]"),
            ("split. - a", "split; []"),
        ] {
            assert_eq!(read(text).0, expected, "{text}");
        }
    }

    #[test]
    fn tactics_that_give_up_a_goal_inside_are_taken_apart() {
        for (text, expected) in [
            ("split; [admit | auto].", "split: Nth(2) auto; ?"),
            ("a; split; [ | b; c | (admit) ].", "a; split: Nth(3) ?; Nth(2) b; c"),
            ("2: split; [a | admit].", "split: Nth(3) ?; Nth(2) a"),
            ("split; [split; [admit | a] | b].", "split: Nth(2) b; [split: Nth(2) a; ?]"),
            ("assert (R) by admit.", "assert (R): ?"),
            ("assert (R) as [a|b] by (simpl; admit).", "assert (R) as [a|b]: [[simpl; All ?]]"),
            ("enough (R) by give_up.", "enough (R): Nth(2) ?"),
            ("intros; admit.", "[intros; All ?]"),
            ("split; [admit | ..]. try admit.", "split: ?; ?"),
            ("split; [> a | (admit) | ..].", "split: Nth(2) ?; a"),
            ("split; [a .. | admit].", "split; [a .. | admit]"),
            ("split; [a | admit] ; b.", "split; [a | admit] ; b"),
            ("admit; split; [a | b].", "?"),
            ("a; admit; b.", "[a; All ?]"),
            ("now admit. exact ltac:(admit). solve [admit]. by (admit; a).", "?; ?; ?; ?"),
            ("first [ fail | timeout 3 (give_up) ]. first [ a | admit ].", "?; first [ a | admit ]"),
            ("a; try (idtac; admit).", "[a; All ?]"),
            (
                "assert (R) by first [ fail | admit ]. 2: (admit). all: now admit.",
                "assert (R): ?; Nth(2) ?; All ?",
            ),
            ("assert (R) by (admit; auto).", "assert (R): ?"),
            ("admit . admit(**). give_up (* b *).", "?; ?; ?"),
            ("all: split; [a | admit].", "All split; [a | admit]"),
        ] {
            assert_eq!(read(text).0, expected, "{text}");
        }
        // What is nested more deeply than anybody writes ends, too.
        for (open, close) in
            [("assert (R) by (", ")"), ("(", ")"), ("split; [", "]"), ("try ", ""), ("first [", "]")]
        {
            let n = 5000;
            let _ = outline(&format!("assert (R) by {}admit{}.", open.repeat(n), close.repeat(n)));
        }
        let holes = outline("Time admit. 1: admit. - (admit). admit (* c *).").block;
        let place = |item: &Item| match &item.what {
            What::Focus(_, block) => (block[0].place.column, block[0].what.clone()),
            what => (item.place.column, what.clone()),
        };
        let hole = |column, is_inside| (column, What::Hole { on: Targets::First, is_inside });
        let found: Vec<_> = holes.iter().map(place).collect();
        assert_eq!(found[0], hole(6, false));
        assert_eq!(found[1], (16, What::Hole { on: Targets::Nth(1), is_inside: true }));
        assert_eq!(found[2], hole(26, true));
        let outline = outline("a.\n  split; [b |\n  admit].");
        let What::Tactic(Tactic { parts: Some(parts), .. }) = &outline.block[1].what else {
            panic!("{outline:?}")
        };
        assert_eq!(parts.proofs[0].place, Place { line: 3, column: 3 });
    }

    #[test]
    fn only_the_proof_of_a_theorem_is_read() {
        for text in [
            "a. b.",
            "Proof. a. b. Qed.",
            "Proof using x. a. b. Admitted. Lemma y : True. Proof. c. Qed.",
            "Require Import Lia. Lemma x : True. Proof. Require Import Lia. a. b. Defined.",
            "Theorem x : True. a. b.",
        ] {
            assert_eq!(read(text), ("a; b".to_owned(), None), "{text}");
        }
        assert_eq!(read("Lemma x : True. Proof I.").0, "exact (I)");
        assert_eq!(read("( Crush x ). (a; b).").0, "Crush x; (a; b)");
    }

    #[test]
    fn what_cannot_be_read_is_cut_off_and_located() {
        assert_eq!(
            read("a.\n  b (* c."),
            ("a".into(), Some("line 2, column 3: the last sentence has no period".into()))
        );
        assert_eq!(
            read("a.\n(* b."),
            ("a".into(), Some("line 2, column 1: the comment is not closed".into()))
        );
        assert_eq!(read("a. } b."), ("a".into(), Some("line 1, column 4: `}` closes no brace".into())));
        let deep = "{ ".repeat(MAX_NESTING + 1);
        assert!(read(&deep).1.unwrap().contains("too deeply"));
    }

    #[test]
    fn commands_that_change_no_goal_are_left_out_and_named() {
        let text =
            "Proof. Show. a. Fail b. Time c. Timeout 5 d. Check I. Unshelve. Set Printing All. e. Qed.";
        assert_eq!(read(text).0, "a; c; d; e");
        let skipped: Vec<(usize, String)> =
            outline(text).skipped.into_iter().map(|skipped| (skipped.place.column, skipped.text)).collect();
        let expected = [(8, "Show."), (17, "Fail b."), (46, "Check I."), (65, "Set Printing All.")];
        assert_eq!(skipped, expected.map(|(column, text)| (column, text.to_owned())));
        assert_eq!(
            read("a. Restart. b."),
            ("a".into(), Some("line 1, column 4: `Restart.` takes back what stands before it".into()))
        );
    }

    #[test]
    fn the_tactic_of_proof_with_follows_dots() {
        assert_eq!(
            read("Proof with auto with arith. a... b. 2: c... Qed.").0,
            "a; auto with arith; b; Nth(2) c; auto with arith"
        );
        assert_eq!(read("Proof with auto using x. a... Qed.").0, "a; auto");
        assert_eq!(read("Proof using x with (auto; easy). a; b... Qed.").0, "a; b; (auto; easy)");
        assert_eq!(read("Proof. a... Qed.").0, "a");
    }

    #[test]
    fn goals_are_addressed_by_number_and_by_name() {
        assert_eq!(
            read("2: a. [x']: b. [x]: admit. !: c. [a|b]: d.").0,
            "Nth(2) a; Named(\"x'\") b; Named(\"x\") ?; c; [a|b]: d"
        );
    }

    #[test]
    fn items_know_their_places() {
        let outline = outline("Proof.\n  split.\n  - α. b.\nQed.");
        let What::Focus(_, inner) = &outline.block[1].what else { panic!("{outline:?}") };
        let places = [outline.block[0].place, outline.block[1].place, inner[1].place];
        assert_eq!(places.map(|p| (p.line, p.column)), [(2, 3), (3, 3), (3, 8)]);
    }

    proptest! {
        #[test]
        fn no_script_makes_the_reader_panic(
            words in prop::collection::vec("-|\\+|\\*\\*|\\{|\\}|2: \\{|a\\.|admit\\.|Proof\\.|Proof x\\.|Qed\\.|all: b\\.|\\(\\*|\"|δ|\\.|\n|:", 0..30)
        ) {
            let _ = outline(&words.join(" "));
        }
    }
}
