//! The example of a trainer that needs TRL, on a tiny model with random weights. Not a part of `test`: TRL brings gigabytes.

use std::path::Path;
use std::process::Command;

use anyhow::ensure;

use crate::step::{program, quietly, status};
use crate::{root, setup};

pub(crate) fn run() -> anyhow::Result<u8> {
    let list = root().join("examples/trainers/requirements.txt");
    let python =
        setup::environment("for TRL", &list, "import torch; from trl import SFTTrainer, DPOTrainer")?;
    let folder = root().join("target/trainers");
    if folder.exists() {
        fs_err::remove_dir_all(&folder)?;
    }
    let place = |name: &str| folder.join(name).display().to_string();
    // Rows as those of a loop.
    let andor = |arguments: &[&str]| -> anyhow::Result<Command> {
        let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        crate::program("release", "andor-cli", &arguments[0], &arguments[1..])
    };
    let (runs, steps, pairs) = (place("RUN"), place("steps.jsonl"), place("pairs.jsonl"));
    let file = root().join("examples/logic.lean").display().to_string();
    // Theorems that are not proved make it leave with 1.
    let code = status(&mut andor(&["run", &file, "--out", &runs, "--time", "10s", "--verify", "1"])?)?;
    ensure!(code <= 1, "`andor run` failed");
    quietly("steps", &mut andor(&["export", &runs, "--format", "sft", "--out", &steps])?)?;
    quietly("pairs", &mut andor(&["export", &runs, "--format", "dpo", "--out", &pairs])?)?;
    let (base, tuned, preferring) = (place("base"), place("sft"), place("dpo"));
    let train = |arguments: &[&str]| -> anyhow::Result<()> {
        let mut script = program(&python);
        script.arg(root().join("examples/trainers/trl_trainer.py")).args(arguments);
        let code = status(script.env("HF_HUB_OFFLINE", "1").env("CUDA_VISIBLE_DEVICES", ""))?;
        ensure!(code == 0, "trl_trainer.py {} failed", arguments.join(" "));
        Ok(())
    };
    train(&["tiny", &steps, &base])?;
    // Random weights need larger steps than those of a real model.
    train(&["sft", &steps, &base, &tuned, "--rate", "3e-3"])?;
    train(&["dpo", &pairs, &tuned, &preferring, "--rate", "1e-3"])?;
    for model in [tuned, preferring] {
        ensure!(Path::new(&model).join("model.safetensors").is_file(), "no model in {model}");
    }
    Ok(0)
}
