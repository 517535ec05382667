"""A language model that learns by counting, as a real model file (GGUF) for llama.cpp.

The last token of a prompt names the class of the goal, and the next token is a whole tactic: the model is a table of how often a
tactic proved goals of a class. In the file it is a transformer of one layer without attention whose output matrix holds the
logarithms of the table. `bigram.py base MODEL` writes the first model, which finds all tactics equally likely;
`bigram.py train STEPS PARENT MODEL` adds the tactics of a file of rows to its parent. Needs nothing but Python.
"""

import json
import math
import struct
import sys
from array import array
from pathlib import Path

#: The classes, by the first of these symbols in the target; the prompt (`bigram.j2`) ends in the letter of the class.
SYMBOLS = ["↔", "→", "∧", "∨", "¬", "∃", "∀", "≤", "++", "*", "+", "="]
LETTERS = "abcdefghijklm"
#: What it can say before it has learned anything.
TACTICS = """assumption|rfl|constructor|left|right|intro h|intros|omega|ring|simp|simp_all|exact h|exact k|apply h|cases h
rw [h]|rw [k]|simp [h]|exact h.1|exact h.2|contradiction|exfalso|subst h|exact Or.inl h|exact Or.inr h""".replace("\n", "|")
#: What each tactic counts before it was seen; the most tactics in a model.
PRIOR, MOST = 0.2, 400
FIRST, END, NEVER, INNER, HEAD = 259, 2, -40.0, 32, 64


def letter(state):
    target = state.rpartition("⊢")[2]
    return next((LETTERS[at] for at, symbol in enumerate(SYMBOLS) if symbol in target), LETTERS[-1])


def text(value):
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def fact(name, kind, *values):
    """A key with a value: its type as in GGUF, and its packed form."""
    forms = {4: "<I", 5: "<i", 6: "<f", 7: "<?"}
    pack = text if kind == 8 else lambda value: struct.pack(forms[kind], value)
    if len(values) == 1 and not isinstance(values[0], list):
        return text(name) + struct.pack("<I", kind) + pack(values[0])
    items = values[0]
    return text(name) + struct.pack("<IIQ", 9, kind, len(items)) + b"".join(map(pack, items))


def read(path):
    """The counts of a model: its first fact."""
    data = Path(path).read_bytes()
    at = 24 + 8 + len("andor.counts") + 4
    (length,) = struct.unpack_from("<Q", data, at)
    return json.loads(data[at + 8 : at + 8 + length])


def write(path, counts):
    total = {}
    for of_class in counts.values():
        for tactic, count in of_class.items():
            total[tactic] = total.get(tactic, 0) + count
    learned = sorted(total, key=lambda tactic: (-total[tactic], tactic))
    tactics = list(dict.fromkeys([*TACTICS.split("|"), *learned]))[:MOST]
    size = FIRST + len(tactics)
    heads = math.ceil(size / HEAD)
    width = heads * HEAD
    scale = math.sqrt(width)  # what the norm of the last layer multiplies an embedding by

    embeddings, output = array("f", bytes(4 * size * width)), array("f", [NEVER / scale]) * (size * width)
    for token in range(size):
        embeddings[token * width + token] = 1.0
        output[END * width + token] = 0.0  # the model ends after a tactic
    for name in LETTERS:
        now = 3 + ord(name)
        output[END * width + now] = NEVER / scale
        seen = counts.get(name, {})
        whole = sum(seen.get(tactic, 0) + PRIOR for tactic in tactics)
        for at, tactic in enumerate(tactics):
            output[(FIRST + at) * width + now] = math.log((seen.get(tactic, 0) + PRIOR) / whole) / scale

    def zeros(name, *shape):
        return f"blk.0.{name}.weight", shape, array("f", bytes(4 * math.prod(shape)))

    ones = array("f", [1.0]) * width
    tensors = [
        ("token_embd.weight", (width, size), embeddings),
        ("output_norm.weight", (width,), ones),
        ("output.weight", (width, size), output),
        ("blk.0.attn_norm.weight", (width,), ones),
        zeros("attn_q", width, width),
        zeros("attn_k", width, HEAD),
        zeros("attn_v", width, HEAD),
        zeros("attn_output", width, width),
        ("blk.0.ffn_norm.weight", (width,), ones),
        zeros("ffn_gate", width, INNER),
        zeros("ffn_up", width, INNER),
        zeros("ffn_down", INNER, width),
    ]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    tokens += [tactic.replace(" ", "\u2581") for tactic in tactics]
    facts = [
        fact("andor.counts", 8, json.dumps(counts, ensure_ascii=False, sort_keys=True)),
        fact("general.architecture", 8, "llama"),
        fact("general.name", 8, "bigram"),
        fact("llama.context_length", 4, 8192),
        fact("llama.embedding_length", 4, width),
        fact("llama.block_count", 4, 1),
        fact("llama.feed_forward_length", 4, INNER),
        fact("llama.vocab_size", 4, size),
        fact("llama.attention.head_count", 4, heads),
        fact("llama.attention.head_count_kv", 4, 1),
        fact("llama.rope.dimension_count", 4, HEAD),
        fact("llama.attention.layer_norm_rms_epsilon", 6, 1e-12),
        fact("tokenizer.ggml.model", 8, "llama"),
        fact("tokenizer.ggml.tokens", 8, tokens),
        # A prompt is read byte by byte: no tactic is ever a part of it.
        fact("tokenizer.ggml.scores", 6, [0.0] * 3 + [-1000.0] * 256 + [-1.0] * len(tactics)),
        fact("tokenizer.ggml.token_type", 5, [2, 3, 3] + [6] * 256 + [1] * len(tactics)),
        fact("tokenizer.ggml.unknown_token_id", 4, 0),
        fact("tokenizer.ggml.bos_token_id", 4, 1),
        fact("tokenizer.ggml.eos_token_id", 4, END),
        fact("tokenizer.ggml.add_bos_token", 7, True),
        fact("tokenizer.ggml.add_space_prefix", 7, False),
    ]
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts)) + b"".join(facts)
    offset = 0
    for name, shape, data in tensors:
        head += text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, offset)
        offset += 4 * len(data) + -4 * len(data) % 32
    with open(path, "wb") as file:
        file.write(head)
        for _, _, data in tensors:
            file.write(bytes(-file.tell() % 32))
            data.tofile(file)
        file.write(bytes(-file.tell() % 32))


def train(steps, parent, model):
    counts = read(parent)
    for line in Path(steps).read_text().splitlines():
        row = json.loads(line)
        of_class = counts.setdefault(letter(row["prompt"].removesuffix(":::")), {})
        of_class[row["completion"]] = round(of_class.get(row["completion"], 0) + row["weight"], 6)
    write(model, counts)


if __name__ == "__main__":
    {"base": lambda model: write(model, {}), "train": train}[sys.argv[1]](*sys.argv[2:])
