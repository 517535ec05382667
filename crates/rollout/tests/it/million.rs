//! A large tree within a limit on memory.

use std::sync::Arc;

use andor_rollout::{Child, Key, VerifyResult, make_root};

/// Resident memory of this process, in bytes.
fn resident() -> u64 {
    let status = fs_err::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

/// Bytes that a node may take, its place in the tree and in the frontier included: twice what it was measured to take.
const MOST_BYTES_A_NODE: u64 = 600;

#[test]
fn a_million_nodes_fit_into_memory() {
    let (n, branch) = (1_000_000, 10);
    let before = resident();
    let state = Arc::new(());
    let mut tree = make_root(Arc::clone(&state));
    let mut parents = 0;
    while tree.len() < n {
        let parent = tree.frontier().next().unwrap().0;
        let children =
            (0..branch).map(|i| Child::new(Arc::clone(&state), VerifyResult::scored(0.1 * f64::from(i))));
        tree = tree.add_children(parent, children).unwrap();
        parents += 1;
    }
    let a_node = (resident() - before) / tree.len() as u64;
    assert!(a_node <= MOST_BYTES_A_NODE, "{a_node} bytes a node");
    assert_eq!(tree.frontier_len(), tree.len() - parents);
    let last = tree.frontier().last().unwrap().0;
    assert_eq!(tree.path(last).len(), 7);
    assert_eq!(tree.find(&tree.id(last)), Ok(last));
    assert_eq!(tree.path(last)[0], Key::ROOT);
}
