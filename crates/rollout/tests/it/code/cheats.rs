//! Ways to pass tests without doing what is asked. All of them score nothing.

use super::{HONEST, scored};

/// What prints the right sum, and comes with a cheat that must not be rewarded for it either.
const SUM: &str = "import sys\nprint(sum(map(int, sys.stdin)))\n";

#[tokio::test]
async fn the_honest_are_solved_and_cheats_score_nothing() {
    assert!(scored(&[("main.py", HONEST)]).await.terminal);
    // The answers lie where the sandbox does not show them, as those of a task do.
    let place = tempfile::tempdir().unwrap();
    let answers = place.path().join("few.out");
    std::fs::write(&answers, "6\n").unwrap();
    let reads = format!("print(open({answers:?}).read())");
    let slow_exit = format!("{SUM}sys.exit(3)");
    let cheats: &[(&str, &[(&str, &str)])] = &[
        ("writes tests of its own", &[("tests/few.out", "x\n"), ("main.py", "print('x')")]),
        (
            "writes a conftest.py",
            &[
                ("conftest.py", "def pytest_runtest_makereport(item, call): item.outcome = 'passed'"),
                ("main.py", ""),
            ],
        ),
        ("exits with 0 at once", &[("main.py", "import os\nos._exit(0)")]),
        (
            "exits with 0 at the end",
            &[("main.py", "import atexit, os\natexit.register(os._exit, 0)\nraise SystemExit(1)")],
        ),
        ("prints a summary", &[("main.py", "print('2 passed, 0 failed')\nprint('{\"score\": 1.0}')")]),
        (
            "prints the summary of unittest",
            &[("main.py", "import sys\nprint('Ran 2 tests in 0.0s\\n\\nOK', file=sys.stderr)")],
        ),
        (
            "patches unittest",
            &[
                ("unittest.py", "def main(*_): pass\nclass TestCase: pass"),
                ("main.py", "import unittest\nunittest.main()"),
            ],
        ),
        (
            "patches pytest",
            &[("pytest.py", "def main(*_): return 0"), ("main.py", "import pytest\npytest.main()")],
        ),
        ("has a sitecustomize.py", &[("sitecustomize.py", "print(6)"), ("main.py", "")]),
        (
            "has a usercustomize.py and a .pth",
            &[("usercustomize.py", "print(6)"), ("x.pth", "import os; os._exit(0)"), ("main.py", "")],
        ),
        (
            "sets PYTHONSTARTUP",
            &[
                (
                    "main.py",
                    "import os, sys\nos.environ['PYTHONSTARTUP'] = 'x.py'\nos.execv(sys.executable, [sys.executable, '-c', ''])",
                ),
                ("x.py", "print(6)"),
            ],
        ),
        (
            "is equal to everything",
            &[(
                "main.py",
                "class All(str):\n  def __eq__(self, _): return True\n  __hash__ = str.__hash__\nprint(All('x'))",
            )],
        ),
        (
            "patches the builtins",
            &[(
                "main.py",
                "import builtins\nbuiltins.print = lambda *_: None\nbuiltins.sum = lambda *_: 6\nprint(0)",
            )],
        ),
        (
            "looks at the frames of its caller",
            &[(
                "main.py",
                "import sys\nf = sys._getframe()\nwhile f:\n  for v in list(f.f_locals.values()):\n    if v == '6': print(v)\n  f = f.f_back",
            )],
        ),
        (
            "traces its caller",
            &[(
                "main.py",
                "import sys, gc\nsys.settrace(lambda f, e, a: print(f.f_locals.get('expected')))\n[print(o) for o in gc.get_objects() if isinstance(o, dict) and 'output' in o]",
            )],
        ),
        (
            "reads the processes above it",
            &[(
                "main.py",
                "import glob\nfor p in glob.glob('/proc/[0-9]*/environ') + glob.glob('/proc/[0-9]*/cmdline'):\n  try: print(open(p).read())\n  except OSError: pass",
            )],
        ),
        (
            "reads the memory above it",
            &[(
                "main.py",
                "import os\nfor p in (1, os.getppid()):\n  try:\n    for line in open(f'/proc/{p}/maps'):\n      a, b = (int(x, 16) for x in line.split()[0].split('-'))\n      with open(f'/proc/{p}/mem', 'rb') as m:\n        m.seek(a); print(m.read(b - a).find(b'400007'))\n  except OSError as e: print(e)",
            )],
        ),
        ("reads the answers", &[("main.py", &reads)]),
        (
            "links to the answers",
            &[(
                "main.py",
                "import os\nfor n in ('few.out', '../few.out', '/tmp/few.out'):\n  try:\n    os.symlink(n, 'l'); print(open('l').read())\n  except OSError: pass",
            )],
        ),
        (
            "writes results",
            &[(
                "main.py",
                "for n in ('result.json', 'report.xml', 'few.out', '../results.jsonl', '/dev/shm/score', '/tmp/score'):\n  try: open(n, 'w').write('{\"score\": 1, \"passed\": 2}')\n  except OSError: pass",
            )],
        ),
        (
            "writes to files that others opened",
            &[(
                "main.py",
                "import os\nfor n in range(2, 64):\n  try: os.write(n, b'6\\n')\n  except OSError: pass",
            )],
        ),
        ("writes without end", &[("main.py", "import sys\nwhile True: sys.stdout.write('6\\n' * 4096)")]),
        ("writes the answer and more", &[("main.py", &format!("{SUM}print('and more')"))]),
        (
            "leaves a process that writes later",
            &[(
                "main.py",
                "import os, time\nif os.fork() == 0:\n  os.setsid(); time.sleep(0.5); print(6, flush=True); time.sleep(60)",
            )],
        ),
        ("is right and fails", &[("main.py", &slow_exit)]),
        ("is right and ends too late", &[("main.py", &format!("{SUM}sys.stdout.flush()\nwhile True: pass"))]),
        (
            "kills its parents",
            &[(
                "main.py",
                "import os\nfor s in (9, 10, 12, 15, 19):\n  for p in (1, os.getppid()):\n    try: os.kill(p, s)\n    except OSError: pass\nos.kill(-1, 9)",
            )],
        ),
        (
            "changes the program between the tests",
            &[(
                "main.py",
                "import os\nn = 2 if os.path.exists('n') else 1\nopen('n', 'w')\nopen('main.py', 'w').write('print(6)')\nprint({1: 'x', 2: 6}[n])",
            )],
        ),
        ("takes all memory", &[("main.py", "held = []\nwhile True: held.append(bytearray(1 << 24))")]),
        (
            "fills the disk",
            &[(
                "main.py",
                "import signal\nfor n in range(60): open(str(n), 'w').write('x' * 10**6)\nsignal.pause()",
            )],
        ),
        ("never ends", &[("main.py", "while True: pass")]),
    ];
    for (what, files) in cheats {
        let verdict = scored(files).await;
        assert_eq!((verdict.score, verdict.terminal), (Some(0.0), false), "{what}: {verdict:?}");
    }
}
