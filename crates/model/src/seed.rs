//! Seeds: derived from others, and as servers take them.

/// A seed that depends on another and on a place, such as the number of a request or of a choice. Equal arguments give
/// equal seeds; seeds of different places are unrelated.
pub fn derived(seed: u64, place: u64) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"andor-model seed");
    hasher.update(&seed.to_le_bytes());
    hasher.update(&place.to_le_bytes());
    let mut first = [0; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// The seed that is sent: 31 bits, because some servers read 32 with a sign and give the highest value a meaning of its
/// own. Seeds below 2³¹ are sent as they are.
pub fn wire_seed(seed: u64) -> u32 {
    const MASK: u64 = 0x7fff_ffff;
    u32::try_from((seed ^ (seed >> 31) ^ (seed >> 62)) & MASK).expect("31 bits fit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_seeds_are_sent_as_they_are_and_large_ones_use_all_bits() {
        assert_eq!(wire_seed(7), 7);
        assert_eq!(wire_seed(0x7fff_ffff), 0x7fff_ffff);
        assert_ne!(wire_seed(7), wire_seed(7 | 1 << 40));
        assert_ne!(wire_seed(7), wire_seed(7 | 1 << 63));
    }

    #[test]
    fn places_have_seeds_of_their_own() {
        let seeds: std::collections::BTreeSet<u64> = (0..100).map(|place| derived(1, place)).collect();
        assert_eq!(seeds.len(), 100);
        assert!(!seeds.contains(&derived(2, 0)));
    }
}
