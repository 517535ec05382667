//! Commands that serve a model, with the settings of BFS-Prover-V2's guide.

use serde::{Deserialize, Serialize};

/// Settings of a server. The defaults are the guide's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Engine {
    /// The model: a folder, a file in the format GGUF (for llama.cpp), or a name.
    pub model: String,
    /// The port that it listens on.
    pub port: u16,
    /// The most tokens that are computed in one step, of prompts and answers together.
    pub max_num_batched_tokens: u32,
    /// The most texts that are continued at a time.
    pub max_num_seqs: u32,
    /// The most tokens of a prompt and its answer.
    pub max_model_len: u32,
    /// The number of GPUs that the model is spread over.
    pub tensor_parallel_size: u32,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            model: String::new(),
            port: 8000,
            max_num_batched_tokens: 8192,
            max_num_seqs: 256,
            max_model_len: 16384,
            tensor_parallel_size: 1,
        }
    }
}

impl Engine {
    /// The command of vLLM: long prompts are computed in parts, so that short requests need not wait for them, and the
    /// GPUs talk to each other by the ordinary way, which works on every machine.
    pub fn vllm(&self) -> Vec<String> {
        let mut command = vec!["vllm".to_owned(), "serve".to_owned(), self.model.clone()];
        for (option, value) in [
            ("--port", u32::from(self.port)),
            ("--max-num-batched-tokens", self.max_num_batched_tokens),
            ("--max-num-seqs", self.max_num_seqs),
            ("--max-model-len", self.max_model_len),
            ("--tensor-parallel-size", self.tensor_parallel_size),
        ] {
            command.extend([option.to_owned(), value.to_string()]);
        }
        let flags = ["--enable-chunked-prefill", "--disable-custom-all-reduce", "--trust-remote-code"];
        command.extend(flags.map(str::to_owned));
        command
    }

    /// The command of llama.cpp. Its slots share one context, so that each text can have the whole length; it has no
    /// such number of slots as vLLM, because each takes memory.
    pub fn llama_cpp(&self) -> Vec<String> {
        const SLOTS: u32 = 16;
        let slots = self.max_num_seqs.min(SLOTS);
        let mut command = vec!["llama-server".to_owned(), "-m".to_owned(), self.model.clone()];
        for (option, value) in [
            ("--port", u32::from(self.port)),
            ("--parallel", slots),
            ("--ctx-size", self.max_model_len.saturating_mul(slots)),
            ("--batch-size", self.max_num_batched_tokens),
        ] {
            command.extend([option.to_owned(), value.to_string()]);
        }
        command.extend(["--cont-batching", "--jinja"].map(str::to_owned));
        command
    }
}

/// A command as one line for a shell.
pub fn shell_line(command: &[String]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@+".contains(c);
    let quoted = command.iter().map(|word| {
        if !word.is_empty() && word.chars().all(plain) {
            word.clone()
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_have_the_settings_of_the_guide() {
        let engine =
            Engine { model: "my models/bfs".to_owned(), tensor_parallel_size: 2, ..Engine::default() };
        assert_eq!(
            shell_line(&engine.vllm()),
            "vllm serve 'my models/bfs' --port 8000 --max-num-batched-tokens 8192 --max-num-seqs 256 \
             --max-model-len 16384 --tensor-parallel-size 2 --enable-chunked-prefill --disable-custom-all-reduce \
             --trust-remote-code"
        );
        assert_eq!(
            shell_line(&engine.llama_cpp()),
            "llama-server -m 'my models/bfs' --port 8000 --parallel 16 --ctx-size 262144 --batch-size 8192 \
             --cont-batching --jinja"
        );
    }
}
