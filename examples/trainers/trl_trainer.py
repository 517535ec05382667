"""Trains a language model by TRL, with the files of every trainer of `andor learn`.

    trl_trainer.py sft STEPS PARENT MODEL [--seed N] [--epochs N] [--rate X] [--max-length N]
    trl_trainer.py dpo PAIRS PARENT MODEL [--seed N] …

PARENT and MODEL are folders in the format of Transformers, with the tokenizer in them. In the declaration of a loop:

    [model]
    base = "BFS-Prover-V2-7B"
    file = "model"
    serve = "vllm serve {model} --port 8091 --served-model-name prover"

    [train]
    command = "python3 examples/trainers/trl_trainer.py sft {steps} {parent} {model} --seed {seed}"

    [[config.providers]]
    kind = "llm"
    model = "http://127.0.0.1:8091/v1#prover"

``trl_trainer.py tiny STEPS MODEL`` makes a tiny model with random weights, whose tokenizer is trained on the rows: to try this
script without downloading anything. Needs the Python package ``trl``.
"""

import argparse
import tempfile

import torch
from datasets import load_dataset
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import DPOConfig, DPOTrainer, SFTConfig, SFTTrainer


def rows(path, fields):
    """The fields that a trainer reads. Each row of weight 1 counts once; TRL has no weights, so that lighter rows are left out."""
    read = load_dataset("json", data_files=path, split="train")
    if "weight" in read.column_names:
        read = read.filter(lambda row: row["weight"] >= 1)
    return read.select_columns(fields)


def train(method, path, parent, model, seed, epochs, rate, max_length, scratch):
    tokenizer = AutoTokenizer.from_pretrained(parent)
    settings = dict(
        output_dir=scratch,
        seed=seed,
        num_train_epochs=epochs,
        per_device_train_batch_size=8,
        max_length=max_length,
        save_strategy="no",
        report_to="none",
        use_cpu=not torch.cuda.is_available(),
        bf16=torch.cuda.is_available(),
        logging_strategy="epoch",
    )
    if rate:
        settings["learning_rate"] = rate
    if method == "sft":
        data, kind, config = rows(path, ["prompt", "completion"]), SFTTrainer, SFTConfig(**settings)
    else:
        data = rows(path, ["prompt", "chosen", "rejected"])
        kind, config = DPOTrainer, DPOConfig(beta=0.1, **settings)
    trainer = kind(
        model=AutoModelForCausalLM.from_pretrained(parent), args=config, train_dataset=data, processing_class=tokenizer
    )
    trainer.train()
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    print(f"{method}: {len(data)} rows, loss {losses[0]:.3f} in the first epoch and {losses[-1]:.3f} in the last")
    trainer.save_model(model)
    tokenizer.save_pretrained(model)


def tiny(path, model):
    """A model of a few hundred thousand random weights."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    text = load_dataset("json", data_files=path, split="train")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=600, special_tokens=["<s>", "</s>", "<pad>"], initial_alphabet=alphabet)
    tokenizer.train_from_iterator([*text["prompt"], *text["completion"]], trainer)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", pad_token="<pad>"
    )
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=1024,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    LlamaForCausalLM(config).save_pretrained(model)
    tokenizer.save_pretrained(model)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("method", choices=["sft", "dpo", "tiny"])
    parser.add_argument("paths", nargs="+", help="ROWS PARENT MODEL; for tiny, ROWS MODEL")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=float, default=3)
    parser.add_argument("--rate", type=float, help="the learning rate; that of TRL unless given")
    parser.add_argument("--max-length", type=int, default=1024)
    given = parser.parse_args()
    if given.method == "tiny":
        tiny(*given.paths)
    else:
        # Nothing is kept there: a training that is interrupted is begun again.
        with tempfile.TemporaryDirectory() as scratch:
            train(given.method, *given.paths, given.seed, given.epochs, given.rate, given.max_length, scratch)


if __name__ == "__main__":
    main()
