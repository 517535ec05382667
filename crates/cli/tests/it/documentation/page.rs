//! The blocks of a page that a reader copies, and what the page says of their output.

/// A block of a page.
#[derive(Debug, PartialEq)]
pub(super) enum Block {
    /// A file, whose name stands behind the language: ```` ```toml models.toml ````.
    File { name: String, text: String },
    /// Commands (```` ```sh ````).
    Commands(Vec<String>),
    /// Commands behind `$ ` with what they print, or what is typed behind the prompt `mini> ` (```` ```console ````).
    Session(Vec<Exchange>),
    /// What the last command prints: text without a name after commands.
    Output(String),
    /// A block of some language that is none of these.
    Other { language: String, text: String },
}

/// A command, what is typed into it, and what is shown of its output.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Exchange {
    pub(super) command: String,
    pub(super) typed: String,
    pub(super) shown: String,
}

/// The blocks of a page, in their order.
pub(super) fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else { continue };
        let indent = line.len() - line.trim_start().len();
        let text: Vec<&str> = lines
            .by_ref()
            .take_while(|line| line.trim_start() != "```")
            .map(|line| line.get(indent..).unwrap_or_default())
            .collect();
        let text = text.join("\n") + "\n";
        let (language, name) = info.split_once(' ').unwrap_or((info, ""));
        let follows = matches!(blocks.last(), Some(Block::Commands(_)));
        blocks.push(match (language, name) {
            ("sh", "") => Block::Commands(commands(&text)),
            ("console", "") => Block::Session(session(&text)),
            ("text", "") if follows => Block::Output(text),
            (_, "") => Block::Other { language: language.to_owned(), text },
            (_, name) => Block::File { name: name.to_owned(), text },
        });
    }
    blocks
}

/// The commands of a block: lines, except that a line may go on in the next.
fn commands(text: &str) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut open = String::new();
    for line in text.lines() {
        open += line;
        open.push('\n');
        let is_loop = open.starts_with("for ") && !open.trim_end().ends_with("done");
        if open.trim_end().ends_with('\\') || open.matches('\'').count() % 2 == 1 || is_loop {
            continue;
        }
        let command = open.trim();
        if !command.is_empty() && !command.starts_with('#') {
            commands.push(command.to_owned());
        }
        open.clear();
    }
    assert!(open.is_empty(), "a command does not end: {open}");
    commands
}

fn session(text: &str) -> Vec<Exchange> {
    let mut exchanges: Vec<Exchange> = Vec::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            exchanges.push(Exchange { command: command.to_owned(), ..Exchange::default() });
            continue;
        }
        let exchange = exchanges.last_mut().expect("a session begins with a command");
        let into = match line.strip_prefix("mini> ") {
            Some(typed) => (&mut exchange.typed, typed),
            None => (&mut exchange.shown, line),
        };
        *into.0 += into.1;
        into.0.push('\n');
    }
    exchanges
}

/// The exit code that a command's comment tells; 0 without a word.
pub(super) fn exit_code(command: &str) -> i32 {
    let told = command.rsplit_once("exit code ").map(|(_, rest)| rest);
    told.map_or(0, |rest| rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap())
}

/// Whether an output is as shown: `…` on a line of its own stands for any lines, within a line for any text; white space between
/// words and measured times do not count.
pub(super) fn is_shown(shown: &str, output: &str) -> bool {
    let shown: Vec<String> = shown.lines().map(without_times).collect();
    let output: Vec<String> = output.lines().map(without_times).filter(|line| !line.is_empty()).collect();
    let shown: Vec<&str> = shown.iter().map(String::as_str).filter(|line| !line.is_empty()).collect();
    let output: Vec<&str> = output.iter().map(String::as_str).collect();
    fits(
        &shown,
        &output,
        |line| *line == "…",
        |shown, line| {
            let pieces: Vec<&str> = shown.split('…').collect();
            pieces.len() == 1 && shown == line || pieces.len() > 1 && has_pieces(&pieces, line)
        },
    )
}

/// Whether a list fits a pattern in which some items stand for any number of items.
fn fits<T>(
    pattern: &[T],
    list: &[T],
    is_any: impl Fn(&T) -> bool,
    is_equal: impl Fn(&T, &T) -> bool,
) -> bool {
    let mut reachable = vec![false; list.len() + 1];
    reachable[0] = true;
    for item in pattern {
        let mut next = vec![false; list.len() + 1];
        for at in 0..=list.len() {
            if is_any(item) {
                next[at] = reachable[at] || (at > 0 && next[at - 1]);
            } else if at > 0 {
                next[at] = reachable[at - 1] && is_equal(item, &list[at - 1]);
            }
        }
        reachable = next;
    }
    reachable[list.len()]
}

/// Whether a line has the first piece at its start, the last at its end, and the others in this order between them.
fn has_pieces(pieces: &[&str], line: &str) -> bool {
    let Some(mut rest) = line.strip_prefix(pieces[0]) else { return false };
    for piece in &pieces[1..pieces.len() - 1] {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(pieces[pieces.len() - 1])
}

/// A line with single spaces between its words, and a `#` for every number that measures time.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let unit = |word: Option<&&str>| {
        word.is_some_and(|word| {
            ["s", "ms", "min"].contains(&word.trim_end_matches([',', ';', '.', ')', ':', ']']))
        })
    };
    let measured = words.iter().enumerate().map(|(at, word)| {
        let number = word.trim_start_matches('(');
        match number.parse::<f64>().is_ok() && unit(words.get(at + 1)) {
            true => word.replace(number, "#"),
            false => (*word).to_owned(),
        }
    });
    measured.collect::<Vec<_>>().join(" ")
}

#[test]
fn pages_are_read() {
    let page = "# T\n\n```toml a.toml\nx = 1\n```\n\n```sh\nandor a \\\n  b   # fails: exit code 1\n# no command\nandor 'c\nd'\n```\n\n\
                gives\n\n```text\nout\n```\n\n```console\n$ andor repl\ngoal\nmini> qed\n…\n```\n\n```text\nfree\n```\n";
    let commands = vec!["andor a \\\n  b   # fails: exit code 1".to_owned(), "andor 'c\nd'".to_owned()];
    assert_eq!((exit_code(&commands[0]), exit_code(&commands[1])), (1, 0));
    let session = Exchange {
        command: "andor repl".to_owned(),
        typed: "qed\n".to_owned(),
        shown: "goal\n…\n".to_owned(),
    };
    assert_eq!(
        blocks(page),
        [
            Block::File { name: "a.toml".to_owned(), text: "x = 1\n".to_owned() },
            Block::Commands(commands),
            Block::Output("out\n".to_owned()),
            Block::Session(vec![session]),
            Block::Other { language: "text".to_owned(), text: "free\n".to_owned() },
        ]
    );
}

#[test]
fn outputs_are_compared() {
    let output = "a   b  0.62 s\n\nmiddle\nmore\nlast (3 s)\n";
    for right in
        ["a b 1 s\nmiddle\nmore\nlast (4 s)\n", "a …\n…\nlast (1 s)\n", "…\nmore\n…", "a … s\nmi…le\n…"]
    {
        assert!(is_shown(right, output), "{right}");
    }
    for wrong in ["a b 1 s", "…\nmiddle", "a c 1 s\n…", "a b 1 ms\n…", "middle\n…", "mo…x\n…"] {
        assert!(!is_shown(wrong, output), "{wrong}");
    }
}
