//! The contract suite: what every environment must do. Each function is one test; it panics with what went
//! wrong.

use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::lemma::symbols;
use andor_core::theorem::Theorem;
use andor_env::checker::{Level, Verdict};
use andor_env::environment::{Environment, Script, ScriptStep};
use andor_env::session::{Attempted, Limits, Obligation, Preview, Session};
use andor_env::worker::{Grouping, TacticLimits, TacticOutcome};
use andor_env::workers::Workers;
use andor_process::program_within;

/// An environment with a theorem of which the suite knows its way about.
pub struct Fixture {
    /// The environment.
    pub environment: Arc<dyn Environment>,
    /// A theorem.
    pub theorem: Theorem,
    /// A tactic on the root that leaves two goals that stand alone.
    pub split: String,
    /// Tactics that close these goals.
    pub close: [String; 2],
    /// A tactic that fails everywhere.
    pub fail: String,
    /// A theorem and tactics that leave a group of several goals and then prove it, one after the other.
    pub coupled: Option<(Theorem, Vec<String>)>,
    /// For each constant that the environment says to be commutative a theorem that states something of it, and a tactic that
    /// exchanges its arguments.
    pub commuting: Vec<(&'static str, Theorem, String)>,
    /// Symbols, and a lemma about them. `None` if the environment has no lemmas.
    pub lemma: Option<(Vec<String>, &'static str)>,
    /// A tactic that never ends on the root.
    pub endless: Option<String>,
    /// A tactic on the root that makes the process behind the worker go away.
    pub crash: Option<String>,
}

impl Fixture {
    async fn open(&self) -> Arc<Session> {
        self.open_with(&self.theorem, Limits { tactic: Duration::from_secs(1), ..Limits::default() }).await
    }

    async fn open_with(&self, theorem: &Theorem, limits: Limits) -> Arc<Session> {
        let environment = Arc::clone(&self.environment);
        Session::open(Workers::new(environment, Grouping::Coupled), theorem.clone(), limits)
            .await
            .expect("the theorem opens")
    }
}

/// The whole suite.
pub async fn run_all(fixture: &Fixture) {
    preview_leaves_no_trace(fixture).await;
    commit_gives_names(fixture).await;
    any_checkpoint_can_be_returned_to(fixture).await;
    siblings_do_not_touch_each_other(fixture).await;
    coupled_goals_stay_together(fixture).await;
    commuting_is_cyclic(fixture).await;
    finished_scripts_are_accepted_and_others_not(fixture).await;
    a_lost_worker_is_replaced(fixture).await;
    a_tactic_that_kills_is_given_up(fixture).await;
    an_endless_tactic_is_stopped(fixture).await;
    several_workers_share_one_session(fixture).await;
    a_lookup_changes_nothing(fixture).await;
    lemmas_are_found_by_symbol(fixture).await;
}

async fn preview(session: &Arc<Session>, at: Obligation, tactic: &str) -> Preview {
    let mut lease = session.lease(at);
    lease.preview(tactic).await.expect("the worker answers")
}

async fn commit(session: &Arc<Session>, at: Obligation, tactic: &str) -> Vec<Obligation> {
    let mut preview = preview(session, at, tactic).await;
    assert!(matches!(*preview.attempted, Attempted::Applied { .. }), "`{tactic}`: {:?}", preview.attempted);
    session.commit(&mut preview).obligations
}

fn texts(session: &Arc<Session>, at: Obligation) -> Vec<String> {
    session.goals(at).iter().map(ToString::to_string).collect()
}

/// A preview changes no bookkeeping: it can be repeated, and names go on as if it had not been.
pub async fn preview_leaves_no_trace(fixture: &Fixture) {
    let session = fixture.open().await;
    let root = session.root();
    let before = texts(&session, root);
    for tactic in [&fixture.split, &fixture.fail, &fixture.split] {
        preview(&session, root, tactic).await;
    }
    assert_eq!(texts(&session, root), before);
    let children = commit(&session, root, &fixture.split).await;
    assert_eq!(children[0].checkpoint.number(), 1, "previews used up no checkpoint");
    assert_eq!(session.counters().memo_hits, 2, "the same tactic is not run again");
}

/// Only commit brings names into being: `cp<checkpoint>:<goal>`, all different.
pub async fn commit_gives_names(fixture: &Fixture) {
    let session = fixture.open().await;
    let root = session.root();
    let mut names = vec![session.scoped_name(root)];
    assert!(names[0].as_str().starts_with("cp0:"), "{}", names[0]);
    for number in 1..=2 {
        // The same tactic committed twice makes two checkpoints.
        let children = commit(&session, root, &fixture.split).await;
        assert_eq!(children.len(), 2, "`{}` leaves two obligations", fixture.split);
        for child in children {
            let name = session.scoped_name(child);
            assert!(name.as_str().starts_with(&format!("cp{number}:")), "{name}");
            names.push(name);
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count, "names are unique: {names:?}");
}

/// After going deep, the root and every checkpoint between can be worked on as before.
pub async fn any_checkpoint_can_be_returned_to(fixture: &Fixture) {
    let session = fixture.open().await;
    let root = session.root();
    let first = preview(&session, root, &fixture.split).await;
    let children = commit(&session, root, &fixture.split).await;
    assert!(commit(&session, children[1], &fixture.close[1]).await.is_empty());
    assert!(commit(&session, children[0], &fixture.close[0]).await.is_empty());
    // A spelling that the memo does not know, so that the worker really goes back.
    let fresh = fixture.open().await;
    assert_eq!(texts(&fresh, fresh.root()), texts(&session, root));
    let again = commit(&session, root, &fixture.split).await;
    for (a, b) in children.iter().zip(&again) {
        assert_eq!(texts(&session, *a), texts(&session, *b));
    }
    assert!(commit(&session, again[1], &fixture.close[1]).await.is_empty());
    drop(first);
}

/// Children can be worked on in any order; working on one does not change the other.
pub async fn siblings_do_not_touch_each_other(fixture: &Fixture) {
    let session = fixture.open().await;
    let children = commit(&session, session.root(), &fixture.split).await;
    let before = texts(&session, children[0]);
    assert!(commit(&session, children[1], &fixture.close[1]).await.is_empty());
    assert_eq!(texts(&session, children[0]), before);
    assert!(matches!(
        *preview(&session, children[0], &fixture.fail).await.attempted,
        Attempted::Rejected { .. }
    ));
    assert!(commit(&session, children[0], &fixture.close[0]).await.is_empty());
}

/// Goals that share a metavariable form one obligation and are worked on in order.
pub async fn coupled_goals_stay_together(fixture: &Fixture) {
    let Some((theorem, tactics)) = &fixture.coupled else { return };
    let session = fixture.open_with(theorem, Limits::default()).await;
    let mut at = session.root();
    let mut seen_group = false;
    for (index, tactic) in tactics.iter().enumerate() {
        let children = commit(&session, at, tactic).await;
        match (&children[..], index + 1 == tactics.len()) {
            ([], true) => {}
            ([only], false) => at = *only,
            _ => panic!("`{tactic}` leaves {} obligations", children.len()),
        }
        seen_group |= children.iter().any(|c| session.goals(*c).len() > 1);
    }
    assert!(seen_group, "some tactic leaves a group of several goals");
}

/// Exchanging the arguments of a commutative operator leads back, to the coarse signature at once, and to the same goal the
/// second time.
pub async fn commuting_is_cyclic(fixture: &Fixture) {
    let mut listed: Vec<&str> =
        fixture.environment.commutative().constants.iter().map(|(name, _)| *name).collect();
    let workers = Workers::reusing(Arc::clone(&fixture.environment), Grouping::Coupled, 1);
    for (constant, theorem, tactic) in &fixture.commuting {
        let session = Session::open(Arc::clone(&workers), theorem.clone(), Limits::default()).await;
        let session = session.unwrap_or_else(|error| panic!("{constant}: {error}"));
        let root = session.root();
        let once = commit(&session, root, tactic).await;
        let [once] = once[..] else { panic!("{constant}: `{tactic}` leaves {} obligations", once.len()) };
        let twice = commit(&session, once, tactic).await;
        let [twice] = twice[..] else { panic!("{constant}: `{tactic}` leaves {} obligations", twice.len()) };
        let [root, once, twice] = [root, once, twice].map(|at| session.signatures(at));
        assert!(!root.textual && root.strict != once.strict, "{constant}: `{tactic}` exchanges something");
        assert_eq!(once.coarse, root.coarse, "{constant}: exchanged once");
        assert_eq!(twice.strict, root.strict, "{constant}: exchanged twice");
        listed.retain(|name| name != constant);
        session.close();
    }
    assert!(listed.is_empty(), "operators that no theorem is about: {listed:?}");
}

/// The assembled script of a finished proof is accepted; one with a part that fails is not.
pub async fn finished_scripts_are_accepted_and_others_not(fixture: &Fixture) {
    let session = fixture.open().await;
    let children = commit(&session, session.root(), &fixture.split).await;
    let (text, groups) = session.script_of(children[0].checkpoint);
    let mut steps = vec![ScriptStep { text, groups, children: vec![1, 2] }];
    for (child, tactic) in children.iter().zip(&fixture.close) {
        let preview = preview(&session, *child, tactic).await;
        let Attempted::Applied { script, .. } = &*preview.attempted else { panic!("`{tactic}` closes it") };
        steps.push(ScriptStep { text: script.clone(), groups: Vec::new(), children: Vec::new() });
    }
    let claim = session.assemble(&Script { steps: steps.clone() });
    let verdict = fixture.environment.checker().check(&claim, Level::Compiled).await;
    assert!(matches!(verdict, Verdict::Accepted { .. }), "{verdict:?}\n{}", claim.submission);
    steps[1].text = fixture.fail.clone();
    let claim = session.assemble(&Script { steps });
    let verdict = fixture.environment.checker().check(&claim, Level::Compiled).await;
    assert!(matches!(verdict, Verdict::Rejected { .. }), "{verdict:?}\n{}", claim.submission);
}

/// When the process behind a worker is killed, the session goes on as if nothing had happened.
pub async fn a_lost_worker_is_replaced(fixture: &Fixture) {
    let session = fixture.open().await;
    let children = commit(&session, session.root(), &fixture.split).await;
    let pids = session.process_ids();
    for pid in &pids {
        // The prover itself, where walls stand around it: they fall a moment later.
        kill(program_within(*pid).unwrap_or(*pid));
    }
    assert!(commit(&session, children[1], &fixture.close[1]).await.is_empty());
    assert_eq!(session.counters().workers_lost, pids.len() as u64);
    assert_eq!(session.counters().workers_started, 1 + pids.len() as u64);
    assert!(pids.is_empty() || session.counters().replayed_tactics >= 1, "the checkpoint was rebuilt");
}

/// A tactic that loses two workers is not tried a third time, and the session goes on.
pub async fn a_tactic_that_kills_is_given_up(fixture: &Fixture) {
    let Some(crash) = &fixture.crash else { return };
    let session = fixture.open().await;
    let preview_of = |tactic| preview(&session, session.root(), tactic);
    assert!(matches!(*preview_of(crash).await.attempted, Attempted::Crashed { .. }));
    assert_eq!(session.counters().workers_lost, 2);
    assert!(matches!(*preview_of(crash).await.attempted, Attempted::Crashed { .. }), "it is remembered");
    assert_eq!(session.counters().workers_lost, 2);
    assert!(matches!(*preview_of(&fixture.split).await.attempted, Attempted::Applied { .. }));
}

/// A tactic that never ends is stopped, and the session goes on.
pub async fn an_endless_tactic_is_stopped(fixture: &Fixture) {
    let Some(endless) = &fixture.endless else { return };
    let session = fixture.open().await;
    let stopped = preview(&session, session.root(), endless).await;
    assert!(matches!(*stopped.attempted, Attempted::OverTime { .. }), "{:?}", stopped.attempted);
    assert_eq!(session.counters().over_time, 1);
    assert_eq!(commit(&session, session.root(), &fixture.split).await.len(), 2);
}

/// Any checkpoint can be worked on by any worker.
pub async fn several_workers_share_one_session(fixture: &Fixture) {
    let session = fixture.open_with(&fixture.theorem, Limits { workers: 3, ..Limits::default() }).await;
    let children = commit(&session, session.root(), &fixture.split).await;
    let mut first = session.lease(children[0]);
    let mut second = session.lease(children[1]);
    let (a, b) = tokio::join!(first.preview(&fixture.close[0]), second.preview(&fixture.close[1]));
    for result in [a, b] {
        let preview = result.expect("the worker answers");
        assert!(matches!(*preview.attempted, Attempted::Applied { .. }), "{:?}", preview.attempted);
    }
    assert_eq!(session.counters().workers_started, 2);
}

/// A lookup between tactics changes neither what they do nor what the next lookup finds.
pub async fn a_lookup_changes_nothing(fixture: &Fixture) {
    let mut worker = fixture.environment.new_worker(Grouping::Coupled);
    let opened = worker.open(&fixture.theorem).await.expect("the theorem opens");
    let symbols = match &fixture.lemma {
        Some((symbols, _)) => symbols.clone(),
        None => symbols(&opened.proof_state.goals[0]),
    };
    let limits = TacticLimits::wall(Duration::from_secs(5));
    let first = worker.lookup(&symbols, 9).await.expect("the worker answers");
    let mut outcomes = Vec::new();
    for _ in 0..2 {
        let outcome =
            worker.apply(opened.state, 0, &fixture.split, limits).await.expect("the worker answers");
        let TacticOutcome::Applied { state, proof_state, script, .. } = outcome else {
            panic!("{outcome:?}")
        };
        assert_eq!(worker.lookup(&symbols, 9).await.expect("the worker answers"), first);
        for (group, close) in fixture.close.iter().enumerate() {
            let closed = worker.apply(state, group, close, limits).await.expect("the worker answers");
            let TacticOutcome::Applied { proof_state: left, .. } = closed else { panic!("{closed:?}") };
            assert_eq!(left.goals, []);
            assert_eq!(worker.lookup(&symbols, 9).await.expect("the worker answers"), first);
        }
        let failed = worker.apply(opened.state, 0, &fixture.fail, limits).await.expect("the worker answers");
        assert!(matches!(failed, TacticOutcome::Rejected { .. }), "{failed:?}");
        assert_eq!(worker.lookup(&symbols, 9).await.expect("the worker answers"), first);
        outcomes.push((proof_state, script));
    }
    assert_eq!(outcomes[0], outcomes[1]);
}

/// A session finds lemmas, and never the theorem or a hypothesis.
pub async fn lemmas_are_found_by_symbol(fixture: &Fixture) {
    let session = fixture.open().await;
    let goals = session.goals(session.root());
    let Some((symbols, expected)) = &fixture.lemma else {
        assert_eq!(*session.lookup(&symbols(&goals[0]), 9).await, []);
        return;
    };
    let all = session.lookup(symbols, 999).await;
    let names: Vec<&str> = all.iter().map(|lemma| lemma.name.as_str()).collect();
    assert!(names.contains(expected), "{names:?}");
    let hidden = goals.iter().flat_map(Goal::locals).map(|(name, _)| name).chain([&*fixture.theorem.name]);
    for name in hidden {
        assert!(!names.contains(&name), "`{name}` is no lemma: {names:?}");
    }
    for lemma in all.iter() {
        assert!(!lemma.statement.is_empty() && !lemma.statement.contains('\n'), "{lemma:?}");
    }
    assert_eq!(*session.lookup(symbols, 1).await, all[..1]);
    assert_eq!(*session.lookup(&["no_such_symbol".to_owned()], 9).await, []);
    assert_eq!(*session.lookup(symbols, 0).await, []);
    // Even if all workers are leased.
    let mut lease = session.lease(session.root());
    lease.preview(&fixture.split).await.expect("the worker answers");
    assert!(!session.lookup(symbols, 2).await.is_empty());
}

/// Sends SIGKILL and waits until the process is gone or a zombie.
pub fn kill(pid: u32) {
    let raw = i32::try_from(pid).expect("process ids fit");
    let id = rustix::process::Pid::from_raw(raw).expect("not zero");
    rustix::process::kill_process(id, rustix::process::Signal::KILL).expect("the process is ours");
    // Its state stands behind its name, which is in parentheses.
    let is_dead = |stat: &str| stat.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with(['Z', 'X']));
    while std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !is_dead(&stat)) {
        std::thread::yield_now();
    }
}
