//! A language model whose answers are known exactly: the next token depends on the last byte of the prompt alone. It is
//! written as a real model file (GGUF) that llama.cpp loads.
//!
//! Each token has an embedding of its own (one-hot), attention and feed-forward layers are zero, and the output matrix
//! holds logarithms of probabilities. A text of the model is one token, so its log-probability is that of its tactic. After
//! a text the model ends.

use std::io::{self, Write};
use std::path::Path;

/// After a prompt that ends in this byte, these texts have these probabilities. They must add up to 1.
pub type Table<'a> = (u8, &'a [(&'a str, f64)]);

/// The width of embeddings; there can be no more tokens than this.
const WIDTH: usize = 320;
const HEADS: usize = 5;
const INNER: usize = 32;
/// The tokens before the texts: unknown, begin, end, and all bytes.
const FIRST_TEXT: usize = 259;
const END: usize = 2;
/// The log-probability of what is impossible.
const NEVER: f32 = -40.0;
/// Where numbers and tensors begin: at multiples of this.
const ALIGNMENT: usize = 32;

/// Writes the model with these tables.
pub fn write(path: &Path, tables: &[Table<'_>]) -> io::Result<()> {
    let mut texts: Vec<&str> =
        tables.iter().flat_map(|(_, table)| table.iter().map(|(text, _)| *text)).collect();
    texts.sort_unstable();
    texts.dedup();
    let count = FIRST_TEXT + texts.len();
    assert!(count <= WIDTH, "the model has room for {} texts", WIDTH - FIRST_TEXT);

    let scale = (WIDTH as f32).sqrt();
    let mut embeddings = vec![0.0; count * WIDTH];
    (0..count).for_each(|i| embeddings[i * WIDTH + i] = 1.0);
    let mut output = vec![NEVER / scale; count * WIDTH];
    (0..count).for_each(|current| output[END * WIDTH + current] = 0.0);
    for (last, table) in tables {
        let current = 3 + usize::from(*last);
        output[END * WIDTH + current] = NEVER / scale;
        for (text, probability) in *table {
            let place = texts.binary_search(text).expect("all texts were collected");
            output[(FIRST_TEXT + place) * WIDTH + current] = probability.ln() as f32 / scale;
        }
    }

    let head = WIDTH / HEADS;
    let zeros = |shape: &[usize]| vec![0.0; shape.iter().product()];
    let layer = |name: &str, shape: &[usize]| (format!("blk.0.{name}.weight"), shape.to_vec(), zeros(shape));
    let tensors = [
        ("token_embd.weight".to_owned(), vec![WIDTH, count], embeddings),
        ("output_norm.weight".to_owned(), vec![WIDTH], vec![1.0; WIDTH]),
        ("output.weight".to_owned(), vec![WIDTH, count], output),
        ("blk.0.attn_norm.weight".to_owned(), vec![WIDTH], vec![1.0; WIDTH]),
        layer("attn_q", &[WIDTH, WIDTH]),
        layer("attn_k", &[WIDTH, head]),
        layer("attn_v", &[WIDTH, head]),
        layer("attn_output", &[WIDTH, WIDTH]),
        ("blk.0.ffn_norm.weight".to_owned(), vec![WIDTH], vec![1.0; WIDTH]),
        layer("ffn_gate", &[WIDTH, INNER]),
        layer("ffn_up", &[WIDTH, INNER]),
        layer("ffn_down", &[INNER, WIDTH]),
    ];

    let facts = facts(&texts);
    let mut file = b"GGUF".to_vec();
    file.extend(3u32.to_le_bytes());
    file.extend((tensors.len() as u64).to_le_bytes());
    file.extend((facts.len() as u64).to_le_bytes());
    facts.iter().for_each(|fact| file.extend(fact));
    let mut offset = 0;
    for (name, shape, data) in &tensors {
        file.extend(string(name));
        file.extend((shape.len() as u32).to_le_bytes());
        shape.iter().for_each(|size| file.extend((*size as u64).to_le_bytes()));
        file.extend(0u32.to_le_bytes()); // numbers of 32 bits
        file.extend((offset as u64).to_le_bytes());
        offset += (data.len() * 4).next_multiple_of(ALIGNMENT);
    }
    for (_, _, data) in &tensors {
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
        data.iter().for_each(|number: &f32| file.extend(number.to_le_bytes()));
    }
    file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
    std::fs::File::create(path)?.write_all(&file)
}

/// What the file says of the model: names with values, each with the number of its type.
fn facts(texts: &[&str]) -> Vec<Vec<u8>> {
    const I32: u32 = 5;
    const F32: u32 = 6;
    const STRING: u32 = 8;
    let count = FIRST_TEXT + texts.len();
    let mut tokens: Vec<String> = ["<unk>", "<s>", "</s>"].map(str::to_owned).into();
    tokens.extend((0..256).map(|byte| format!("<0x{byte:02X}>")));
    tokens.extend(texts.iter().map(|text| text.replace(' ', "\u{2581}")));
    // Kinds: unknown, control, byte, normal.
    let kinds = (0..count).map(|i| match i {
        0 => 2i32,
        1 | 2 => 3,
        FIRST_TEXT.. => 1,
        _ => 6,
    });
    let scores = (0..count).map(|i| match i {
        0..3 => 0.0f32,
        FIRST_TEXT.. => -1.0,
        _ => -1000.0,
    });
    let kinds: Vec<_> = kinds.map(|kind| kind.to_le_bytes().to_vec()).collect();
    let scores: Vec<_> = scores.map(|score| score.to_le_bytes().to_vec()).collect();
    let tokens: Vec<_> = tokens.iter().map(|token| string(token)).collect();
    vec![
        text("general.architecture", "llama"),
        text("general.name", "bigram"),
        number("llama.context_length", 8192),
        number("llama.embedding_length", WIDTH as u32),
        number("llama.block_count", 1),
        number("llama.feed_forward_length", INNER as u32),
        number("llama.vocab_size", count as u32),
        number("llama.attention.head_count", HEADS as u32),
        number("llama.attention.head_count_kv", 1),
        number("llama.rope.dimension_count", (WIDTH / HEADS) as u32),
        // Tiny, or the probabilities would not be exact.
        fact("llama.attention.layer_norm_rms_epsilon", F32, &1e-12f32.to_le_bytes()),
        text("tokenizer.ggml.model", "llama"),
        list("tokenizer.ggml.tokens", STRING, &tokens),
        list("tokenizer.ggml.scores", F32, &scores),
        list("tokenizer.ggml.token_type", I32, &kinds),
        number("tokenizer.ggml.unknown_token_id", 0),
        number("tokenizer.ggml.bos_token_id", 1),
        number("tokenizer.ggml.eos_token_id", END as u32),
        fact("tokenizer.ggml.add_bos_token", 7, &[1]),
        fact("tokenizer.ggml.add_space_prefix", 7, &[0]),
        text("tokenizer.chat_template", "{% for m in messages %}{{ m['content'] }}{% endfor %}"),
    ]
}

fn string(text: &str) -> Vec<u8> {
    let mut bytes = (text.len() as u64).to_le_bytes().to_vec();
    bytes.extend(text.as_bytes());
    bytes
}

fn fact(name: &str, kind: u32, value: &[u8]) -> Vec<u8> {
    [string(name), kind.to_le_bytes().to_vec(), value.to_vec()].concat()
}

fn number(name: &str, value: u32) -> Vec<u8> {
    fact(name, 4, &value.to_le_bytes())
}

fn text(name: &str, value: &str) -> Vec<u8> {
    fact(name, 8, &string(value))
}

fn list(name: &str, kind: u32, values: &[Vec<u8>]) -> Vec<u8> {
    let count = (values.len() as u64).to_le_bytes();
    fact(name, 9, &[&kind.to_le_bytes()[..], &count, &values.concat()].concat())
}
