use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::constant::Safety;
use super::region::Natural;
use super::*;
use crate::olean::Version;

const SAMPLE: &[u8] = include_bytes!("../../tests/data/olean/sample.olean");

/// Reads everything in a file: all declarations with all their terms. The result is the number of terms.
fn read_all(module: &Module) -> Result<usize, OleanError> {
    let mut names = Names::default();
    module.imports(&mut names)?;
    let constants = module.constants(&mut names)?;
    let mut terms = HashSet::new();
    let mut open = Vec::new();
    for node in constants.values() {
        let constant = Constant::read(*node)?;
        for parameter in &constant.parameters {
            names.read(*parameter)?;
        }
        open.push(constant.statement);
        match constant.kind {
            Kind::Definition { value, .. } | Kind::Theorem { value, .. } | Kind::Opaque { value, .. } => {
                open.push(value);
            }
            Kind::Recursor { rules, .. } => open.extend(rules.iter().map(|rule| rule.value)),
            _ => {}
        }
    }
    while let Some(node) = open.pop() {
        if !terms.insert(node.address()) {
            continue;
        }
        match Term::read(node)? {
            Term::Bound(_) | Term::Literal(_) => {}
            Term::Sort(level) => levels(vec![level], &mut names)?,
            Term::Constant(name, of) => {
                names.read(name)?;
                levels(of.list("levels")?, &mut names)?;
            }
            Term::Application(a, b) | Term::Lambda(a, b) | Term::Pi(a, b) => open.extend([a, b]),
            Term::Let(a, b, c) => open.extend([a, b, c]),
            Term::Projection(name, _, value) => {
                names.read(name)?;
                open.push(value);
            }
        }
    }
    Ok(terms.len())
}

fn levels(mut open: Vec<Node<'_>>, names: &mut Names) -> Result<(), OleanError> {
    let mut seen = HashSet::new();
    while let Some(node) = open.pop() {
        if !seen.insert(node.address()) {
            continue;
        }
        match Level::read(node)? {
            Level::Zero => {}
            Level::Successor(level) => open.push(level),
            Level::Max(a, b) | Level::IMax(a, b) => open.extend([a, b]),
            Level::Parameter(name) => drop(names.read(name)?),
        }
    }
    Ok(())
}

fn sample() -> Module {
    Module::from_bytes(SAMPLE.to_vec()).unwrap()
}

#[test]
fn every_declaration_of_a_file_is_read() {
    let module = sample();
    let mut names = Names::default();
    assert_eq!(module.imports(&mut names).unwrap(), [Name::written("Init")]);
    let constants = module.constants(&mut names).unwrap();
    let kind = |name: &str| Constant::read(constants[&Name::written(name)]).unwrap();
    assert!(matches!(kind("Sample.assumed").kind, Kind::Axiom { is_unsafe: false }));
    assert!(matches!(kind("hidden").kind, Kind::Opaque { is_unsafe: false, .. }));
    assert!(matches!(kind("goal").kind, Kind::Theorem { .. }));
    assert!(matches!(kind("Tree.size").kind, Kind::Definition { safety: Safety::Safe, .. }));
    assert_eq!(kind("Pair").parameters.len(), 2);
    let Kind::Inductive { constructors, counts, is_recursive, .. } = kind("Tree").kind else {
        panic!("Tree")
    };
    let constructors: Vec<Name> = constructors.into_iter().map(|c| names.read(c).unwrap()).collect();
    assert_eq!(constructors, ["Tree.leaf", "Tree.node"].map(Name::written));
    assert!(counts[0] == Natural::Small(1) && is_recursive);
    let Kind::Recursor { rules, k, .. } = kind("Tree.rec").kind else { panic!("Tree.rec") };
    assert!(rules.len() == 2 && !k);
    let Kind::Definition { value, .. } = kind("large").kind else { panic!("large") };
    // Instances of literals are applied: `OfNat.ofNat Nat 123… inst`.
    let Term::Application(function, _) = Term::read(value).unwrap() else { panic!("{value:?}") };
    let Term::Application(_, literal) = Term::read(function).unwrap() else { panic!("{value:?}") };
    let Term::Literal(Literal::Natural(Natural::Large(digits))) = Term::read(literal).unwrap() else {
        panic!("{literal:?}")
    };
    assert_eq!((digits.len(), digits[0]), (32, 0xd2));
    assert!(constants.keys().any(|name| name.as_str() == "_private.sample.0.«a b».inner"));
    assert!(read_all(&module).unwrap() > 300);
}

#[test]
fn declarations_are_listed_by_their_names() {
    let whole = sample();
    let word = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
    // The root is a constructor whose second field is the array of names; an array has 24 bytes before its elements.
    let base = word(SAMPLE, 80);
    let at = |address: u64| usize::try_from(address - base).unwrap();
    let listed = at(word(SAMPLE, at(word(SAMPLE, 88)) + 16)) + 24;
    let mut bytes = SAMPLE.to_vec();
    bytes.copy_within(listed..listed + 8, listed + 8);
    let error = Module::from_bytes(bytes.clone()).unwrap().constants(&mut Names::default()).unwrap_err();
    assert!(error.to_string().contains("the declaration of its name"), "{error}");
    assert!(whole.constants(&mut Names::default()).is_ok());
    // With the declaration itself twice, too.
    let declared = at(word(SAMPLE, at(word(SAMPLE, 88)) + 24)) + 24;
    bytes.copy_within(declared..declared + 8, declared + 8);
    let error = Module::from_bytes(bytes).unwrap().constants(&mut Names::default()).unwrap_err();
    assert!(matches!(error, OleanError::Twice { .. }), "{error}");
}

#[test]
fn names_are_distinct_as_texts() {
    assert_eq!(Name::written("a.«b».c"), Name::written("a.b.c"));
    assert_eq!(Name::written("_root_.a"), Name::written("a"));
    assert_ne!(Name::written("a.«b.c»"), Name::written("a.b.c"));
    assert_ne!(Name::written("a.«1»").as_str(), "a.1");
    assert_eq!(Name::written("«x\ny»").as_str(), "«x\\ny»");
}

#[test]
fn another_version_is_refused_by_name() {
    let mut bytes = SAMPLE.to_vec();
    bytes[9..11].copy_from_slice(b"34");
    let error = Module::from_bytes(bytes.clone()).err().unwrap().to_string();
    assert!(error.contains("4.34.0") && error.contains("4.35.0 and later"), "{error}");
    // A later one is read, as long as it is the same in everything else.
    bytes[9..11].copy_from_slice(b"36");
    assert!(Module::from_bytes(bytes).is_ok());
    let is = |text: &str, of: fn(Version) -> bool| of(text.parse().unwrap());
    assert!(is("4.35.0", reads) && is("4.35.1", reads) && is("4.36.0-rc1", reads) && !is("4.34.1", reads));
    assert!(is("4.36.0", is_newer) && !is("4.35.2", is_newer));
    assert!(matches!(Module::from_bytes(b"olean".to_vec()), Err(OleanError::Header)));
}

#[test]
fn damaged_files_give_errors() {
    for seed in 0..400 {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut bytes = SAMPLE.to_vec();
        match seed % 4 {
            0 => bytes.truncate(random.random_range(0..bytes.len())),
            1 => {
                let at = random.random_range(88..bytes.len() - 8) & !7;
                let to = random.random_range(0..bytes.len() - 8) & !7;
                let word: [u8; 8] = bytes[to..to + 8].try_into().unwrap();
                bytes[at..at + 8].copy_from_slice(&word);
            }
            _ => {
                for _ in 0..random.random_range(1..200) {
                    let at = random.random_range(0..bytes.len());
                    bytes[at] = random.random();
                }
            }
        }
        // It may still be readable; it must not panic or run forever.
        let read =
            std::panic::catch_unwind(|| Module::from_bytes(bytes).and_then(|module| read_all(&module)));
        assert!(read.is_ok(), "panics on the file of seed {seed}");
    }
}

#[test]
fn objects_of_one_file_refer_to_those_of_another() {
    let object = |kind: u8, size: u16, fields: u8, words: &[u64]| {
        let mut bytes = vec![0; 4];
        bytes.extend(size.to_le_bytes());
        bytes.extend([fields, kind]);
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        bytes
    };
    let text = object(249, 1, 0, &[2, 2, 1, u64::from(b'x')]);
    let name = object(1, 32, 2, &[1, 0x1000, 0]);
    let part = |base, bytes| region::Part { base, first: 0, image: image::Image::Whole(bytes) };
    let region = region::Region::new(vec![part(0x8000, name.clone()), part(0x1000, text)]);
    assert_eq!(Names::default().read(region.node(0x8000)).unwrap(), Name::written("x"));
    let alone = region::Region::new(vec![part(0x8000, name)]);
    let error = Names::default().read(alone.node(0x8000)).unwrap_err();
    assert!(matches!(error, OleanError::Outside { address: 0x1000 }), "{error}");
}

#[test]
fn a_cycle_is_found() {
    let mut bytes = SAMPLE.to_vec();
    let base = u64::from_le_bytes(bytes[80..88].try_into().unwrap());
    let root = usize::try_from(u64::from_le_bytes(bytes[88..96].try_into().unwrap()) - base).unwrap();
    // The declarations become the root itself.
    let own = (base + root as u64).to_le_bytes();
    bytes[root + 24..root + 32].copy_from_slice(&own);
    let module = Module::from_bytes(bytes).unwrap();
    assert!(matches!(read_all(&module), Err(OleanError::Order { .. })));
}

#[test]
fn a_file_is_read_in_pieces_as_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.olean");
    std::fs::write(&path, SAMPLE).unwrap();
    let module = Module::installed(&files(&path)).unwrap();
    assert_eq!(read_all(&module).unwrap(), read_all(&sample()).unwrap());
    let mut names = Names::default();
    let index = module.index(&mut names).unwrap();
    assert_eq!(index.len(), sample().constants(&mut Names::default()).unwrap().len());
    for (name, at) in &index {
        module.constant(name.as_str(), *at, &mut names).unwrap();
    }
    let (tree, at) = (&index[0].0, index[1].1);
    assert!(matches!(module.constant(tree.as_str(), at, &mut names), Err(OleanError::Shape { .. })));
    assert!(module.verify().is_ok());
}

#[test]
fn pieces_of_any_size_are_those_of_the_file() {
    let mut random = Pcg64::seed_from_u64(7);
    let bytes: Vec<u8> = (0..100_000).map(|_| random.random()).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bytes");
    std::fs::write(&path, &bytes).unwrap();
    let [whole, pieces] = [image::Image::whole(&path).unwrap(), image::Image::in_pieces(&path).unwrap()];
    for _ in 0..2_000 {
        let offset = random.random_range(0..bytes.len() + 100);
        let longest = if random.random() { 40 } else { 80_000 };
        let length = random.random_range(0..longest);
        let expected = bytes.get(offset..offset + length);
        for image in [&whole, &pieces] {
            assert_eq!(image.get(offset, length).unwrap().as_deref(), expected, "{offset} {length}");
        }
    }
}

#[test]
fn a_file_that_changes_while_it_is_read_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.olean");
    let mut long = SAMPLE.to_vec();
    long.resize(SAMPLE.len() + (1 << 20), 0);
    std::fs::write(&path, &long).unwrap();
    let opened = || (Module::installed(&files(&path)).unwrap(), image::Image::in_pieces(&path).unwrap());
    let (module, image) = opened();
    std::fs::File::options().write(true).open(&path).unwrap().set_len(SAMPLE.len() as u64).unwrap();
    assert!(matches!(module.verify(), Err(OleanError::Changed { .. })));
    assert!(matches!(image.get(SAMPLE.len() + 100_000, 8), Err(OleanError::Changed { .. })));
    let (module, image) = opened();
    std::fs::write(&path, SAMPLE).unwrap();
    assert!(module.verify().is_err() && image.verify().is_err());
}
