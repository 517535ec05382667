//! Log-probabilities, in every form in which servers state them.

use serde_json::Value;

use crate::answer::TokenLogProb;
use crate::capabilities::LogProbShape;

/// A listed token, with the bytes that it adds to the text, if the server states them.
pub(super) struct Listed {
    pub(super) token: TokenLogProb,
    pub(super) bytes: Option<Vec<u8>>,
}

/// Reads the field `logprobs` of a choice. `None` if there are none: they are unknown then, not 0.
pub(super) fn listed(json: &Value) -> Option<Vec<Listed>> {
    match shape(json)? {
        LogProbShape::Content => Some(json["content"].as_array()?.iter().map(content).collect()),
        LogProbShape::Classic => {
            let tokens = json["tokens"].as_array()?;
            Some(tokens.iter().enumerate().map(|(i, token)| classic(json, i, token)).collect())
        }
    }
}

/// The form of a field `logprobs`.
pub(super) fn shape(json: &Value) -> Option<LogProbShape> {
    if json.get("content").is_some_and(Value::is_array) {
        Some(LogProbShape::Content)
    } else if json.get("tokens").is_some_and(Value::is_array) {
        Some(LogProbShape::Classic)
    } else {
        None
    }
}

/// One entry of the list `content`, which `responses` has, too.
pub(super) fn content(json: &Value) -> Listed {
    let top = |entry: &Value| Some((text(&entry["token"]), entry["logprob"].as_f64()?));
    let token = TokenLogProb {
        token: text(&json["token"]),
        log_prob: json["logprob"].as_f64().filter(|p| p.is_finite()),
        top: json["top_logprobs"].as_array().into_iter().flatten().filter_map(top).collect(),
    };
    let byte = |b: &Value| b.as_u64().and_then(|b| u8::try_from(b).ok());
    let bytes = json["bytes"].as_array().and_then(|bytes| bytes.iter().map(byte).collect());
    Listed { token, bytes }
}

fn classic(json: &Value, i: usize, token: &Value) -> Listed {
    let mut top: Vec<(String, f64)> = json["top_logprobs"][i]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(token, p)| Some((token.clone(), p.as_f64()?)))
        .collect();
    top.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let log_prob = json["token_logprobs"][i].as_f64();
    Listed { token: TokenLogProb { token: text(token), log_prob, top }, bytes: None }
}

fn text(json: &Value) -> String {
    json.as_str().unwrap_or_default().to_owned()
}

/// Takes the final tokens off that contribute nothing to the text: the end-of-text token, or the text that stopped it.
/// Some servers list them and some do not. Returns the tokens of the text, and the log-probability of the others.
pub(super) fn without_end(listed: Vec<Listed>, text: &str, ended: bool) -> (Vec<TokenLogProb>, Option<f64>) {
    let mut kept = listed;
    let mut end = None;
    while let Some(last) = kept.last() {
        let empty = last.token.token.is_empty() || last.bytes.as_ref().is_some_and(Vec::is_empty);
        let ends = empty || (ended && covers(&kept[..kept.len() - 1], text));
        if !ends {
            break;
        }
        let log_prob = last.token.log_prob;
        end = match (end, log_prob) {
            (None, p) => Some(p),
            (Some(sum), p) => Some(sum.zip(p).map(|(sum, p)| sum + p)),
        };
        kept.pop();
    }
    (kept.into_iter().map(|listed| listed.token).collect(), end.flatten())
}

/// Whether these tokens make the whole text. Where bytes are not stated and a token is a part of a character, the answer
/// is no: nothing is taken off then.
fn covers(tokens: &[Listed], text: &str) -> bool {
    let mut made = Vec::with_capacity(text.len());
    for listed in tokens {
        made.extend_from_slice(listed.bytes.as_deref().unwrap_or(listed.token.token.as_bytes()));
    }
    made.starts_with(text.as_bytes())
}
