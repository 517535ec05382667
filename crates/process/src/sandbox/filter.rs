//! A filter on system calls: it denies those that take memory which belongs to no process, and which no limit on processes
//! therefore bounds. Files in memory and the shared memory of System V last as long as someone could still open them.
//!
//! A denied call fails as if the kernel did not know it. The filter is a program of the kernel's classic BPF, which sees the
//! number of a call and for which processor it is made.

use std::env::consts::ARCH;
use std::io::{self, Write};
use std::os::fd::OwnedFd;

/// What a kernel for one processor calls things.
struct Kernel {
    /// Its name in the header `linux/audit.h`.
    audit: u32,
    /// `memfd_create`, `memfd_secret`, `shmget`, `msgget` and `semget`.
    denied: [u32; 5],
}

fn kernel() -> Option<Kernel> {
    match ARCH {
        "x86_64" => Some(Kernel { audit: 0xC000_003E, denied: [319, 447, 29, 68, 64] }),
        "aarch64" => Some(Kernel { audit: 0xC000_00B7, denied: [279, 447, 194, 186, 190] }),
        _ => None,
    }
}

/// Calls from here on are those of the processor's other mode (x32), in which the denied ones have other numbers.
const OTHER_MODE: u32 = 0x4000_0000;

// Instructions, and what the filter returns, from `linux/bpf_common.h` and `linux/seccomp.h`.
const LOAD: u16 = 0x20;
const IF_EQUAL: u16 = 0x15;
const IF_AT_LEAST: u16 = 0x35;
const RETURN: u16 = 0x06;
const ALLOW: u32 = 0x7FFF_0000;
/// Fails with `ENOSYS`.
const DENY: u32 = 0x0005_0000 | 38;
/// Where the number of a call and its processor are, in bytes.
const CALL: u32 = 0;
const PROCESSOR: u32 = 4;

/// The filter, to be read once; `None` if it is not known for this processor.
pub(super) fn filter() -> io::Result<Option<OwnedFd>> {
    let Some(kernel) = kernel() else { return Ok(None) };
    let (reader, mut writer) = io::pipe()?;
    writer.write_all(&program(&kernel))?;
    Ok(Some(reader.into()))
}

fn program(kernel: &Kernel) -> Vec<u8> {
    // Jumps are counted from the next instruction. The last instruction denies, the one before it allows.
    let calls = kernel.denied.len() as u8;
    let mut code = vec![
        (LOAD, 0, 0, PROCESSOR),
        (IF_EQUAL, 0, calls + 3, kernel.audit),
        (LOAD, 0, 0, CALL),
        (IF_AT_LEAST, calls + 1, 0, OTHER_MODE),
    ];
    code.extend(kernel.denied.iter().zip((1..=calls).rev()).map(|(call, over)| (IF_EQUAL, over, 0, *call)));
    code.extend([(RETURN, 0, 0, ALLOW), (RETURN, 0, 0, DENY)]);
    let bytes = |(what, then, otherwise, value): (u16, u8, u8, u32)| {
        let [a, b] = what.to_ne_bytes();
        let [c, d, e, f] = value.to_ne_bytes();
        [a, b, then, otherwise, c, d, e, f]
    };
    code.into_iter().flat_map(bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says of a call, by following its jumps.
    fn says(kernel: &Kernel, processor: u32, call: u32) -> u32 {
        let program = program(kernel);
        let (mut at, mut held) = (0, 0);
        loop {
            let [a, b, then, otherwise, c, d, e, f] = program[at * 8..][..8] else { unreachable!() };
            let value = u32::from_ne_bytes([c, d, e, f]);
            let holds = match u16::from_ne_bytes([a, b]) {
                LOAD => {
                    held = if value == CALL { call } else { processor };
                    at += 1;
                    continue;
                }
                IF_EQUAL => held == value,
                IF_AT_LEAST => held >= value,
                _ => return value,
            };
            at += 1 + usize::from(if holds { then } else { otherwise });
        }
    }

    #[test]
    fn exactly_the_listed_calls_are_denied() {
        for (audit, denied) in
            [(0xC000_003E, [319, 447, 29, 68, 64]), (0xC000_00B7, [279, 447, 194, 186, 190])]
        {
            let kernel = Kernel { audit, denied };
            for call in 0..1000 {
                let expected = if denied.contains(&call) { DENY } else { ALLOW };
                assert_eq!(says(&kernel, audit, call), expected, "{call}");
                assert_eq!(says(&kernel, 0x4000_0003, call), DENY, "{call} of another processor");
                assert_eq!(says(&kernel, audit, OTHER_MODE + call), DENY, "{call} of the other mode");
            }
        }
    }
}
