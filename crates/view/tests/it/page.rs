//! What a reader sees and does.

use andor_artifact::result::Outcome;
use andor_view::search::Search;
use andor_view::{Plot, Plots, Server, Window};
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::made::{Made, abort, iteration, start};

const READY: &str = "const c = document.querySelector('.pane canvas'); return c && c.dataset.nodes || null";

/// Where a run is shown: by a server, and in a file of its own.
async fn places(made: &Made) -> [String; 2] {
    let window = Window::open(&[made.path()]).unwrap().with_plots(drawn);
    let file = made.path().join("report.html");
    window.export(&file, &[]).unwrap();
    let server = Server::bind(window, 0).await.unwrap();
    let url = server.url();
    tokio::spawn(server.run());
    [url, format!("file://{}", file.display())]
}

/// A plot that would take over the page if it were a part of it.
fn drawn() -> Plots {
    let evil = "document.title = 'owned'";
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"30\" onload=\"{evil}\">\
         <script>{evil}</script><text y=\"20\">∀ &amp; 100 %</text></svg>"
    );
    Plots { plots: vec![Plot { title: "\"><b>".into(), svg }], notes: vec!["one <i>note".into()] }
}

#[tokio::test]
async fn plots_are_pictures() {
    let made = Made::new();
    made.result("add_comm", 1, Outcome::Accepted);
    let browser = Browser::start().await;
    for url in places(&made).await {
        browser.open(&url).await;
        browser.script("document.getElementById('to-plots').click()").await;
        browser.until("const i = document.querySelector('#plots img'); return i && i.complete").await;
        let seen =
            "const i = document.querySelector('#plots img'); return [i.naturalWidth, i.naturalHeight, i.alt]";
        assert_eq!(browser.script(seen).await, json!([40, 30, "\"><b>"]), "{url}");
        assert_eq!(
            browser.text("return document.querySelector('#plots p').textContent").await,
            "one <i>note"
        );
        assert_eq!(browser.script("return document.getElementById('list').hidden").await, true);
        browser.screenshot("plots").await;
        let title = browser.text("return document.title").await;
        assert!(title.ends_with("andor view"), "{title}");
        assert_eq!(browser.complaints().await, [] as [String; 0], "{url}");
        browser.script("document.getElementById('home').click()").await;
        browser.until("return !document.getElementById('list').hidden").await;
    }
}

async fn nodes(browser: &Browser) -> u64 {
    browser.until(READY).await.as_str().unwrap().parse().unwrap()
}

/// Clicks the root of the first tree.
pub(crate) async fn click_root(browser: &Browser) {
    let place = browser
        .until(
            "const c = document.querySelector('.pane canvas'); if (!c || !c.dataset.root) return null; \
             const [x, y] = c.dataset.root.split(',').map(Number), b = c.getBoundingClientRect(); \
             return [b.left + x, b.top + y]",
        )
        .await;
    browser.click(place[0].as_f64().unwrap(), place[1].as_f64().unwrap()).await;
}

async fn panel(browser: &Browser) -> String {
    browser.text("return document.getElementById('panel').innerText").await
}

async fn set(browser: &Browser, id: &str, value: &str) {
    let value = json!(value);
    browser
        .script(&format!(
            "const e = document.getElementById('{id}'); e.value = {value}; e.dispatchEvent(new Event('input'))"
        ))
        .await;
}

const ROWS: &str = "return [...document.querySelectorAll('tr.row')].map((row) => row.cells[0].textContent)";

#[tokio::test]
async fn a_run_is_filtered_replayed_and_explained() {
    let made = Made::new();
    for theorem in ["add_comm", "mul_comm", "add_zero"] {
        made.result(theorem, 1, if theorem == "mul_comm" { Outcome::NotProved } else { Outcome::Accepted });
        made.search(theorem, 1, 6);
        made.append(&made.trace(theorem, 1), &abort(6));
        made.graph(theorem, 1, 6);
    }
    let browser = Browser::start().await;
    for url in places(&made).await {
        browser.open(&url).await;
        assert_eq!(browser.script(ROWS).await, json!(["add_comm", "mul_comm", "add_zero"]), "{url}");
        browser.screenshot("table").await;
        set(&browser, "text", "ADD").await;
        assert_eq!(browser.script(ROWS).await, json!(["add_comm", "add_zero"]));
        set(&browser, "text", "").await;
        set(&browser, "outcome", "not proved").await;
        assert_eq!(browser.script(ROWS).await, json!(["mul_comm"]));
        set(&browser, "outcome", "").await;
        browser.script("document.querySelector('#table th button').click()").await;
        assert_eq!(browser.script(ROWS).await, json!(["add_comm", "add_zero", "mul_comm"]), "sorted");

        browser.script("document.querySelector('tr.row').click()").await;
        assert_eq!(nodes(&browser).await, 13);
        const PICTURE: &str = "return document.querySelector('.pane canvas').toDataURL()";
        let whole = browser.script(PICTURE).await;
        set(&browser, "slider", "2").await;
        browser.until("return document.querySelector('.pane canvas').dataset.nodes === '5'").await;
        assert_ne!(browser.script(PICTURE).await, whole, "the slider changes the picture");
        let now = browser.text("return document.getElementById('now').textContent").await;
        assert!(now.starts_with("iteration 2 of 6, agent 0, 0.02 s: expanded\n5 nodes"), "{now}");
        set(&browser, "slider", "6").await;

        click_root(&browser).await;
        browser.until("return document.getElementById('panel').innerText.includes('Candidates')").await;
        browser.screenshot("node").await;
        let text = panel(&browser).await;
        for shown in [
            "visits\n6",
            "Candidates (2)",
            "fails\nfailure",
            "log-prior -0.25 · heuristic · iteration 1",
            "there is no such thing",
            "tactic 1\nsuccess",
        ] {
            assert!(text.contains(shown), "{shown}: {text}");
        }
        browser.script("document.getElementById('tab-proof').click()").await;
        browser.until("return !!document.querySelector('.proof')").await;
        browser.screenshot("proof").await;
        let text = panel(&browser).await;
        assert!(
            text.contains("h : hypothesis 1\n⊢ goal 1") && text.contains("theorem add_comm : goal 0"),
            "{text}"
        );
        assert_eq!(browser.complaints().await, [] as [String; 0], "{url}");
    }
}

#[tokio::test]
async fn texts_of_a_run_are_never_markup() {
    let evil =
        "<img src=x onerror=\"document.title='owned'\"></script><script>document.title='owned'</script>";
    let made = Made::new();
    made.result(evil, 1, Outcome::Accepted);
    let trace = made.trace(evil, 1);
    made.append(&trace, &json!(andor_artifact::version::Opening::new(andor_artifact::version::Kind::Trace)));
    made.append(&trace, &start(evil, evil));
    let mut first = iteration(1);
    first["attempts"][0]["error"] = json!(evil);
    first["attempts"][0]["tactic"] = json!(evil);
    made.append(&trace, &first);
    let browser = Browser::start().await;
    for url in places(&made).await {
        browser.open(&url).await;
        assert_eq!(browser.script(ROWS).await, json!([evil]));
        browser.script("document.querySelector('tr.row').click()").await;
        nodes(&browser).await;
        click_root(&browser).await;
        browser.until("return document.getElementById('panel').innerText.includes('Candidates')").await;
        let text = panel(&browser).await;
        assert_eq!(text.matches(evil).count(), 3, "goal, tactic and error are shown as they are: {text}");
        browser.script("document.getElementById('tab-proof').click()").await;
        for place in ["panel", "where"] {
            let has = format!("return document.getElementById('{place}').innerText.includes('onerror')");
            browser.until(&has).await;
        }
        assert_eq!(browser.script("return document.querySelectorAll('img').length").await, 0);
        let title = browser.text("return document.title").await;
        assert!(title.starts_with("<img") && title.ends_with("andor view"), "{title}");
    }
    let page = fs_err::read_to_string(made.path().join("report.html")).unwrap();
    assert!(!page.contains("<img"), "nothing of the run is in the file as it is");
}

#[tokio::test]
async fn what_is_damaged_is_shown_as_far_as_it_goes() {
    let made = Made::new();
    made.search("torn", 1, 4);
    made.append_text(&made.trace("torn", 1), "{\"event\":\"iterat");
    made.search("broken", 1, 3);
    made.append_text(&made.trace("broken", 1), "{]\n");
    made.append(&made.trace("broken", 1), &iteration(4));
    made.search("ends", 1, 2);
    made.graph("ends", 1, 5);
    made.search("lost", 1, 2);
    made.graph("lost", 1, 5);
    fs_err::write(made.path().join(made.trace("lost", 1)), "nonsense\n").unwrap();
    let visits = |theorem: &str| {
        let attempt = made.path().join(made.trace(theorem, 1)).parent().unwrap().to_owned();
        Search::open(&attempt).moment(0).visits(0)
    };
    assert_eq!((visits("lost"), visits("torn")), (None, Some(0)));
    made.append_text("results.jsonl", "nonsense\n");
    let browser = Browser::start().await;
    for url in places(&made).await {
        browser.open(&url).await;
        let notes = browser.text("return document.getElementById('notes').innerText").await;
        assert!(notes.contains("Only a part of results.jsonl is shown: line 2 is unusable"), "{notes}");
        assert!(notes.contains("there is no run.db"), "{notes}");
        assert_eq!(browser.script(ROWS).await, json!(["broken", "ends", "lost", "torn"]));
        let cases = [
            ("torn", 9, "The search has not ended, or the program was killed"),
            ("broken", 7, "Only a part of the search is shown: line 6 is unusable"),
            ("ends", 11, "trace.jsonl lacks 6 of 11 nodes"),
            ("lost", 11, "this is the tree at its end, without its history"),
        ];
        for (theorem, count, note) in cases {
            browser.script("location.hash = ''").await;
            browser.until("return !document.getElementById('list').hidden").await;
            browser
                .script(&format!(
                    "[...document.querySelectorAll('tr.row')].find((row) => row.cells[0].textContent === '{theorem}').click()"
                ))
                .await;
            browser.until(&format!("return document.title.startsWith('{theorem}')")).await;
            assert_eq!(nodes(&browser).await, count, "{theorem} at {url}");
            let notes = browser.text("return document.getElementById('notes').innerText").await;
            assert!(notes.contains(note), "{notes}");
        }
    }
}

#[tokio::test]
async fn a_run_that_is_on_is_followed() {
    let made = Made::new();
    made.search("slow", 1, 1);
    let browser = Browser::start().await;
    let [url, _] = places(&made).await;
    browser.open(&url).await;
    assert_eq!(
        browser.text("return document.querySelector('tr.row').cells[2].textContent").await,
        "no result"
    );
    browser.script("document.querySelector('tr.row').click()").await;
    assert_eq!(nodes(&browser).await, 3);
    for n in 2..=5 {
        made.append(&made.trace("slow", 1), &iteration(n));
    }
    browser.until("return document.querySelector('.pane canvas').dataset.nodes === '11'").await;
    assert_eq!(browser.text("return document.getElementById('slider').value").await, "5");
    // A reader who looks at an earlier time is left there.
    set(&browser, "slider", "2").await;
    made.append(&made.trace("slow", 1), &iteration(6));
    browser.until("return document.getElementById('slider').max === '6'").await;
    assert_eq!(browser.text("return document.getElementById('slider').value").await, "2");
    made.append(&made.trace("slow", 1), &abort(6));
    made.result("slow", 1, Outcome::NotProved);
    browser.until("return document.getElementById('notes').hidden || null").await;
    browser.script("location.hash = ''").await;
    browser
        .until("const row = document.querySelector('tr.row'); return row && row.cells[2].textContent === 'not proved'")
        .await;
    fs_err::remove_dir_all(made.path()).unwrap();
    browser.until("return document.getElementById('live').textContent.startsWith('no longer there: ')").await;
}

#[tokio::test]
async fn two_searches_stand_side_by_side() {
    let made = Made::new();
    for attempt in [1, 2] {
        made.result("both", attempt, Outcome::NotProved);
        made.search("both", attempt, u64::from(attempt) + 2);
        made.graph("both", attempt, u64::from(attempt) + 2);
    }
    let browser = Browser::start().await;
    for url in places(&made).await {
        browser.open(&format!("{url}#row=0&with=1")).await;
        browser.until("return document.querySelectorAll('.pane canvas').length === 2 || null").await;
        browser
            .until("return [...document.querySelectorAll('.pane canvas')].every((c) => c.dataset.nodes)")
            .await;
        let found = browser.text("return document.getElementById('found').textContent").await;
        assert_eq!(found, "7 common goals");
        click_root(&browser).await;
        browser.until("return document.getElementById('panel').innerText.includes('Candidates')").await;
        browser.screenshot("beside").await;
        let drawn: Value = browser
            .script(
                "const c = document.getElementById('links'); \
                 return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((part) => part > 0)",
            )
            .await;
        assert_eq!(drawn, true, "common goals are linked");
    }
}
