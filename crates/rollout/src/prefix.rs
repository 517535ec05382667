//! How much of what is sent a server could find in its cache.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use andor_model::request::{Role, ToolCall};
use andor_model::{Answer, Input, Model, Request, Unanswered};
use async_trait::async_trait;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A model that measures, on the way to another, how much of the prompts a server could find in its cache: blocks of a
/// conversation's beginning that it has seen, and that have not been displaced since. Servers such as vLLM and SGLang keep
/// blocks by the text before them, and displace those that were used least recently.
///
/// A block is [`BLOCK`] bytes of text, about 16 tokens. Answers count as seen, too.
#[derive(Debug)]
pub struct PrefixMeter {
    model: Arc<dyn Model>,
    cache: Mutex<Cache>,
}

/// The bytes of a block.
pub const BLOCK: usize = 64;

/// What was sent, in bytes of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// In all prompts.
    pub sent: u64,
    /// Of this, what was in the cache.
    pub found: u64,
}

impl Shared {
    /// What was in the cache, as a share of what was sent. 0 if nothing was sent.
    pub fn share(&self) -> f64 {
        if self.sent == 0 { 0.0 } else { self.found as f64 / self.sent as f64 }
    }
}

#[derive(Debug)]
struct Cache {
    blocks: usize,
    /// When a block was used last.
    used: HashMap<u64, u64>,
    by_use: BTreeMap<u64, u64>,
    clock: u64,
    shared: Shared,
}

impl PrefixMeter {
    /// Measures the requests to a model, for a cache of so many bytes of text.
    pub fn new(model: Arc<dyn Model>, bytes: usize) -> Self {
        let cache = Cache {
            blocks: bytes / BLOCK,
            used: HashMap::new(),
            by_use: BTreeMap::new(),
            clock: 0,
            shared: Shared::default(),
        };
        Self { model, cache: Mutex::new(cache) }
    }

    /// What was measured so far.
    pub fn shared(&self) -> Shared {
        self.cache.lock().expect("no holder panics").shared
    }
}

impl Cache {
    /// The number of blocks at the beginning that are in the cache; afterwards, all are.
    fn find(&mut self, text: &[u8]) -> usize {
        let mut found = 0;
        let mut before = 0;
        for (place, block) in text.chunks_exact(BLOCK).enumerate() {
            before = xxh3_64_with_seed(block, before);
            self.clock += 1;
            if let Some(last) = self.used.insert(before, self.clock) {
                self.by_use.remove(&last);
                found += usize::from(found == place);
            }
            self.by_use.insert(self.clock, before);
        }
        while self.used.len() > self.blocks {
            let (_, displaced) = self.by_use.pop_first().expect("as many as in the other map");
            self.used.remove(&displaced);
        }
        found
    }
}

/// The text of a request as servers write it: tools, then messages.
fn text(request: &Request) -> String {
    let mut text = String::new();
    for tool in &request.tools {
        text += &format!("{}\n{}\n{}\n", tool.name, tool.description, tool.parameters);
    }
    match &request.input {
        Input::Prompt(prompt) => text += prompt,
        Input::Prompts(prompts) => prompts.iter().for_each(|prompt| text += prompt),
        Input::Messages(messages) => {
            messages.iter().for_each(|m| add(&mut text, m.role, &m.content, &m.tool_calls));
        }
    }
    text
}

fn add(text: &mut String, role: Role, content: &str, calls: &[ToolCall]) {
    *text += &format!("<{role:?}>{content}");
    calls.iter().for_each(|call| *text += &format!("<call>{} {}", call.name, call.arguments));
}

#[async_trait]
impl Model for PrefixMeter {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn ask(&self, request: &Request) -> Result<Answer, Unanswered> {
        let mut text = text(request);
        {
            let mut cache = self.cache.lock().expect("no holder panics");
            let found = cache.find(text.as_bytes());
            cache.shared.sent += text.len() as u64;
            cache.shared.found += (found * BLOCK) as u64;
        }
        let answer = self.model.ask(request).await?;
        if let [choice] = &answer.choices[..] {
            add(&mut text, Role::Assistant, &choice.text, &choice.tool_calls);
            self.cache.lock().expect("no holder panics").find(text.as_bytes());
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use andor_model::{Message, Scripted};

    use super::*;

    fn ask(meter: &PrefixMeter, texts: &[&str]) {
        let messages = texts.iter().map(|text| Message::user(text.repeat(BLOCK))).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(meter.ask(&Request::messages(messages))).unwrap();
    }

    fn meter(bytes: usize) -> PrefixMeter {
        PrefixMeter::new(Arc::new(Scripted::always(["yes"])), bytes)
    }

    #[test]
    fn what_a_conversation_begins_with_is_found_again() {
        let meter = meter(1 << 20);
        ask(&meter, &["a", "b"]);
        assert_eq!(meter.shared().found, 0);
        let first = meter.shared().sent;
        ask(&meter, &["a", "b"]);
        assert_eq!(meter.shared(), Shared { sent: 2 * first, found: first / BLOCK as u64 * BLOCK as u64 });
        // The same text behind another beginning is not found.
        let before = meter.shared().found;
        ask(&meter, &["c", "b"]);
        assert_eq!(meter.shared().found, before);
    }

    #[test]
    fn what_was_displaced_is_not_found() {
        let small = meter(2 * BLOCK);
        for text in ["a", "b", "c", "a"] {
            ask(&small, &[text]);
        }
        assert_eq!(small.shared().found, 0);
        let large = meter(3 * BLOCK);
        for text in ["a", "b", "c", "a"] {
            ask(&large, &[text]);
        }
        assert_eq!(large.shared().found, BLOCK as u64);
    }
}
