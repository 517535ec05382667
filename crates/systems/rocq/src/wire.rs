//! The calls of the `coqidetop` protocol and their replies, without I/O.

use super::dialect;
use super::pp;
use super::xml::{Document, ElementId, escape};

/// A state of the document, by Coq's number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DocState(pub(super) i64);

/// A call.
#[derive(Clone, Debug)]
pub(super) enum Call<'a> {
    Init,
    About,
    /// Parses one sentence after the tip.
    Add {
        sentence: &'a str,
        tip: DocState,
    },
    /// Goes back to a state; everything after it is discarded.
    EditAt(DocState),
    /// Executes everything so far.
    Status,
    /// Executes everything so far and prints the goals, also the shelved and given-up ones.
    Subgoals,
    /// Runs a query at an executed state.
    Query {
        sentence: &'a str,
        at: DocState,
    },
    /// Sets printing options.
    SetOptions(&'a [(&'a str, bool)]),
    /// Sets options of any type.
    Set(&'a [(&'a str, Setting)]),
    /// The values of all options.
    GetOptions,
}

/// The value of an option.
#[derive(Clone, Copy, Debug)]
pub(super) enum Setting {
    Switch(bool),
    Number(u32),
}

impl Setting {
    fn encode(self) -> String {
        match self {
            Self::Switch(on) => {
                format!("<option_value val=\"boolvalue\"><bool val=\"{on}\"/></option_value>")
            }
            Self::Number(number) => format!(
                "<option_value val=\"intvalue\"><option val=\"some\"><int>{number}</int></option></option_value>"
            ),
        }
    }
}

impl Call<'_> {
    /// The call's text.
    pub(super) fn encode(&self) -> String {
        let call = |name: &str, argument: String| format!("<call val=\"{name}\">{argument}</call>");
        match self {
            Self::Init => call("Init", "<option val=\"none\"/>".into()),
            Self::About => call("About", "<unit/>".into()),
            Self::Add { sentence, tip } => call(
                "Add",
                format!(
                    "<pair><pair><pair><pair><string>{}</string><int>-1</int></pair>\
                     <pair><state_id val=\"{}\"/><bool val=\"false\"/></pair></pair><int>0</int></pair>\
                     <pair><int>1</int><int>0</int></pair></pair>",
                    escape(sentence),
                    tip.0
                ),
            ),
            Self::EditAt(state) => call("Edit_at", format!("<state_id val=\"{}\"/>", state.0)),
            Self::Status => call("Status", "<bool val=\"false\"/>".into()),
            Self::Subgoals => {
                let flag = |b: bool| format!("<bool val=\"{b}\"/>");
                let flags = [true, false, true, true].map(flag).concat();
                call("Subgoals", format!("<goal_flags><string>full</string>{flags}</goal_flags>"))
            }
            Self::Query { sentence, at } => call(
                "Query",
                format!(
                    "<pair><route_id val=\"0\"/><pair><string>{}</string><state_id val=\"{}\"/></pair></pair>",
                    escape(sentence),
                    at.0
                ),
            ),
            Self::SetOptions(options) => {
                set(&mut options.iter().map(|(name, on)| (*name, Setting::Switch(*on))))
            }
            Self::Set(options) => set(&mut options.iter().copied()),
            Self::GetOptions => call("GetOptions", "<unit/>".into()),
        }
    }

    /// The current operation, for error messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Init | Self::About => "introducing ourselves".into(),
            Self::Add { sentence, .. } => format!("adding `{}`", shorten(sentence)),
            Self::Query { sentence, .. } => format!("asking `{}`", shorten(sentence)),
            Self::EditAt(_) => "going back".into(),
            Self::Status | Self::Subgoals => "running sentences".into(),
            Self::SetOptions(_) | Self::Set(_) => "setting printing options".into(),
            Self::GetOptions => "reading options".into(),
        }
    }
}

/// The call that sets options.
fn set(options: &mut dyn Iterator<Item = (&str, Setting)>) -> String {
    let option = |(name, value): (&str, Setting)| {
        let words: String = name.split(' ').map(|w| format!("<string>{w}</string>")).collect();
        format!("<pair><list>{words}</list>{}</pair>", value.encode())
    };
    let options: String = options.map(option).collect();
    format!("<call val=\"SetOptions\"><list>{options}</list></call>")
}

/// The value of an option among all of them; `None` if it has none, or does not exist.
pub(super) fn option(document: &Document, result: ElementId, name: &str) -> Option<String> {
    let is_it = |pair: &ElementId| {
        document
            .child(*pair, 0)
            .is_ok_and(|words| document.children(words).map(|word| document.text(word)).eq(name.split(' ')))
    };
    let pair = document.children(result).find(is_it)?;
    let value = document.full_text(document.child(pair, 1).ok()?);
    Some(value).filter(|value| !value.is_empty())
}

/// A reply.
#[derive(Debug)]
pub(super) struct Reply {
    document: Document,
    value: ElementId,
}

/// An error that Coq reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoqError {
    /// The message, on one line.
    pub(super) message: String,
    /// Where in the sentence, in bytes.
    pub(super) range: Option<(usize, usize)>,
}

impl Reply {
    /// Reads a frame: any feedback, then one value.
    pub(super) fn parse(frame: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(frame).map_err(|e| e.to_string())?;
        let document = Document::parse(text)?;
        let value = document.children(document.root()).last().ok_or("an empty reply")?;
        match document.tag(value) {
            "value" => Ok(Self { document, value }),
            other => Err(format!("a reply that ends in <{other}>")),
        }
    }

    /// The first message that came with the reply, on one line.
    pub(super) fn message(&self) -> Option<String> {
        self.messages().next()
    }

    /// All messages that came with the reply, each on one line.
    pub(super) fn messages(&self) -> impl Iterator<Item = String> {
        let document = &self.document;
        let messages = document
            .children(document.root())
            .filter_map(|part| document.children(part).find(|&c| document.tag(c) == "feedback_content"))
            .filter(|&content| document.val(content) == "message");
        let texts = messages.filter_map(|content| dialect::message_text(document, content));
        texts.map(|text| pp::flatten(document, text))
    }

    /// The result of a call that succeeded, or Coq's error.
    pub(super) fn result(&self) -> Result<(&Document, ElementId), CoqError> {
        if self.document.val(self.value) == "good"
            && let Ok(result) = self.document.child(self.value, 0)
        {
            return Ok((&self.document, result));
        }
        let message = dialect::error_message(&self.document, self.value);
        let message = message.map_or_else(String::new, |m| pp::flatten(&self.document, m));
        Err(CoqError { message, range: dialect::error_range(&self.document, self.value) })
    }
}

/// The new tip after `Add`.
pub(super) fn added(document: &Document, result: ElementId) -> Result<DocState, String> {
    state_id(document, document.child(result, 0)?)
}

/// The state that `Init` gives.
pub(super) fn state_id(document: &Document, id: ElementId) -> Result<DocState, String> {
    let val = document.val(id);
    let bad = |_| format!("<{} val=\"{val}\"> where a state was expected", document.tag(id));
    val.parse().map(DocState).map_err(bad)
}

/// The version that `About` gives.
pub(super) fn version(document: &Document, result: ElementId) -> Result<String, String> {
    Ok(document.text(document.child(result, 0)?).to_owned())
}

/// The start of a text, for messages.
pub(super) fn shorten(text: &str) -> String {
    const KEPT: usize = 200;
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
