use super::*;

/// A run of so many attempts, two at once, and moments in seconds since it began.
fn run(waiting: usize) -> (Tally, impl Fn(u64) -> Instant) {
    let start = Instant::now();
    let mut tally = Tally::default();
    tally.take_outlook(Outlook { jobs: 2, waiting, ..Outlook::default() }, start);
    (tally, move |s| start + Duration::from_secs(s))
}

fn begin(tally: &mut Tally, attempt: &str, now: Instant) {
    let waiting = tally.outlook.waiting - 1;
    tally.take_outlook(Outlook { waiting, ..tally.outlook }, now);
    tally.begin(attempt, now);
}

#[test]
fn a_line_says_what_is_proved_running_and_left() {
    let (mut tally, at) = run(5);
    assert_eq!(tally.count() + &tally.line(at(0)), "[0/5, 0 proved] 0 running, 5 waiting; 0 s");
    begin(&mut tally, "a", at(0));
    begin(&mut tally, "b", at(0));
    assert_eq!(tally.count() + &tally.line(at(3)), "[0/5, 0 proved] 2 running, 3 waiting; 3 s");
    tally.end("a", Outcome::Accepted, at(10));
    begin(&mut tally, "c", at(10));
    // One of two ended after 10 s each: 20 s per attempt, and four of them, two at once.
    let line = "[1/5, 1 proved] 2 running, 2 waiting; 10 s, 6.0/min, about 40 s left";
    assert_eq!(tally.count() + &tally.line(at(10)), line);
    tally.end("b", Outcome::NotProved, at(20));
    tally.end("c", Outcome::Accepted, at(30));
    begin(&mut tally, "d", at(30));
    begin(&mut tally, "e", at(30));
    assert_eq!(
        tally.count() + &tally.line(at(30)),
        "[3/5, 2 proved] 2 running, 0 waiting; 30 s, 6.0/min, about 16 s left"
    );
    tally.end("d", Outcome::InfrastructureError, at(40));
    // One alone takes as long as one takes, however many could run.
    assert_eq!(
        tally.count() + &tally.line(at(40)),
        "[4/5, 2 proved] 1 running, 0 waiting; 40 s, 6.0/min, about 17 s left"
    );
    tally.end("e", Outcome::NotProved, at(50));
    assert_eq!(tally.count() + &tally.line(at(50)), "[5/5, 2 proved] 0 running, 0 waiting; 50 s, 6.0/min");
}

#[test]
fn a_run_that_goes_on_counts_earlier_attempts_but_not_in_its_rate() {
    let (mut tally, at) = run(0);
    let outlook = Outlook { jobs: 1, finished_earlier: 100, accepted_earlier: 40, waiting: 2, limit: None };
    tally.take_outlook(outlook, at(0));
    begin(&mut tally, "a", at(0));
    assert_eq!(tally.count() + &tally.line(at(5)), "[100/102, 40 proved] 1 running, 1 waiting; 5 s");
    tally.end("a", Outcome::Accepted, at(120));
    assert_eq!(
        tally.count() + &tally.line(at(120)),
        "[101/102, 41 proved] 0 running, 1 waiting; 2 min 00 s, 30/h, about 2 min 00 s left"
    );
}

#[test]
fn no_attempt_is_expected_to_take_longer_than_it_may() {
    let (mut tally, at) = run(3);
    let limit = Some(Duration::from_secs(30));
    tally.take_outlook(Outlook { limit, ..tally.outlook }, at(0));
    begin(&mut tally, "a", at(0));
    begin(&mut tally, "b", at(0));
    tally.end("a", Outcome::NotProved, at(28));
    // One of two ended after 28 s each: 56 s per attempt. One has 2 s left, the other 30 s.
    assert!(tally.line(at(28)).ends_with("about 16 s left"), "{}", tally.line(at(28)));
    begin(&mut tally, "c", at(28));
    tally.end("b", Outcome::NotProved, at(30));
    assert!(tally.line(at(57)).ends_with("about 1 s left"), "{}", tally.line(at(57)));
}

#[test]
fn interrupted_attempts_are_not_finished() {
    let (mut tally, at) = run(3);
    begin(&mut tally, "a", at(0));
    tally.end("a", Outcome::Interrupted, at(9));
    assert_eq!((tally.done(), tally.total()), (0, 3));
    assert_eq!(tally.line(at(9)), "0 running, 2 waiting; 9 s");
}

#[test]
fn the_line_of_an_attempt_is_one_line() {
    let (mut tally, at) = run(1);
    begin(&mut tally, "and\u{1b}[2J_comm", at(0));
    let line = |tally: &Tally, now| tally.running().map(|(name, r)| r.line(name, now)).collect::<String>();
    assert_eq!(line(&tally, at(1)), "and\\u001b[2J_comm (1 s): opening");
    let goal = "∀ p q : Prop,\n\tp ∧ q\r\n→ q ∧ p".into();
    tally.note("and\u{1b}[2J_comm", Doing::Searching { iteration: 3, nodes: 8, depth: 2, goal });
    assert_eq!(
        line(&tally, at(4000)),
        "and\\u001b[2J_comm (1 h 06 min): iteration 3, 8 nodes, depth 2: ∀ p q : Prop, p ∧ q → q ∧ p"
    );
    assert_eq!(tally.count(), "", "one attempt is not counted");
}

#[test]
fn times_and_rates_have_units_for_people() {
    let times =
        [(59, "59 s"), (61, "1 min 01 s"), (600, "10 min"), (7_500, "2 h 05 min"), (180_000, "2 d 2 h")];
    for (seconds, text) in times {
        assert_eq!(span(Duration::from_secs(seconds)), text);
    }
    for (finished, seconds, text) in
        [(5000, 10, "500/s"), (12, 10, "1.2/s"), (1, 59, "1.0/min"), (1, 3600, "1.0/h")]
    {
        assert_eq!(rate(finished, Duration::from_secs(seconds)), text);
    }
}
