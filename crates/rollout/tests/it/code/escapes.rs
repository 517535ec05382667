//! Ways out of the sandbox. Each program says `ESCAPED` where it succeeds; all of them are bounded, so that nothing comes of
//! it if a wall is missing.

use std::os::unix::net::UnixListener;
use std::path::Path;

use andor_rollout::code::Code;
use serde_json::json;

use super::{call, task};

/// What each program begins with. `attempt` says whether something can be done, `syscall` makes a system call by number.
const PRELUDE: &str = r#"
import ctypes, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
def attempt(what, do):
    try:
        got = do()
    except Exception as error:
        print('stopped:', what, error)
        return
    print('ESCAPED' if got not in (False, -1) else 'stopped:', what)
"#;

async fn stopped(what: &str, program: &str) -> String {
    let mut code = Code::new(task()).await.unwrap();
    let main = format!("{PRELUDE}\n{program}\nprint('END')");
    call(&mut code, "write", json!({ "path": "main.py", "content": main })).await;
    let told = call(&mut code, "run", json!({ "command": "python3 main.py" })).await;
    assert!(!told.contains("ESCAPED"), "{what}: {told}");
    told
}

/// The processes that a bounded number of attempts could start. They last as long as the program that starts them.
#[tokio::test]
async fn processes_are_limited() {
    let told = stopped(
        "processes",
        "n = 0\nend, held = os.pipe()\nfor _ in range(200):\n  try: pid = os.fork()\n  except OSError: continue\n  if pid == 0:\n    os.close(held); os.read(end, 1); os._exit(0)\n  n += 1\nprint('started', n)",
    )
    .await;
    // The shell and the program itself are two of the 24.
    assert!(told.contains("started 22\n"), "{told}");
    let told = stopped(
        "threads",
        "import threading\nn, never = 0, threading.Event()\nfor _ in range(100):\n  try: threading.Thread(target=never.wait, daemon=True).start()\n  except RuntimeError: break\n  n += 1\nprint('started', n)",
    )
    .await;
    // Their stacks count as memory, too.
    let started = told.split("started ").nth(1).and_then(|rest| rest.lines().next()?.parse::<u32>().ok());
    assert!(started.is_some_and(|started| started <= 22), "{told}");
}

#[tokio::test]
async fn no_way_leads_out() {
    let place = tempfile::tempdir().unwrap();
    let outside = place.path().join("outside");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let path = place.path().join("socket");
    let unix = UnixListener::bind(&path).unwrap();
    unix.set_nonblocking(true).unwrap();
    let name = format!("andor-test-{}", std::process::id());
    let abstract_name =
        <std::os::unix::net::SocketAddr as std::os::linux::net::SocketAddrExt>::from_abstract_name(&name)
            .unwrap();
    let abstract_socket = UnixListener::bind_addr(&abstract_name).unwrap();
    abstract_socket.set_nonblocking(true).unwrap();
    let home = std::env::var("HOME").unwrap_or_else(|_| "/root".to_owned());
    let own = std::process::id();
    let escapes: &[(&str, String)] = &[
        ("network", format!("attempt('tcp', lambda: socket.create_connection(('127.0.0.1', {port}), 1))")),
        ("internet", "attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('1.1.1.1', 53)))".into()),
        ("names", "attempt('dns', lambda: socket.getaddrinfo('example.org', 80))".into()),
        ("raw sockets", "attempt('raw', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))".into()),
        ("unix sockets", format!("s = socket.socket(socket.AF_UNIX)\nattempt('unix', lambda: s.connect({path:?}))")),
        ("abstract sockets", format!("s = socket.socket(socket.AF_UNIX)\nattempt('abstract', lambda: s.connect('\\0{name}'))")),
        ("docker", "for p in ('/var/run/docker.sock', '/run/docker.sock', '/run/dbus/system_bus_socket'):\n  s = socket.socket(socket.AF_UNIX)\n  attempt(p, lambda: s.connect(p))".into()),
        ("writing outside", format!("for p in ({outside:?}, '/etc/x', '/usr/x', '/tmp/x', '/dev/shm/x', '/var/x', '/x'):\n  attempt(p, lambda: open(p, 'w'))")),
        ("links", format!("os.symlink('/etc', 'e')\nattempt('link', lambda: open('e/x', 'w'))\nattempt('hard link', lambda: os.link('/etc/passwd', 'p') or open('p', 'a'))\nattempt('up', lambda: open('../../x', 'w'))\nos.symlink({outside:?}, 'o')\nattempt('out', lambda: open('o', 'w'))")),
        ("the home folder", format!("attempt('home', lambda: len(os.listdir({home:?})) > 0)\nattempt('ssh', lambda: open({home:?} + '/.ssh/id_rsa'))")),
        ("secrets of root", "attempt('shadow', lambda: open('/etc/shadow'))".into()),
        ("other processes", format!("attempt('kill', lambda: os.kill({own}, 0))\nattempt('proc', lambda: os.stat('/proc/{own}/cmdline').st_uid < 0)\nattempt('many', lambda: len([p for p in os.listdir('/proc') if p.isdigit()]) > 4)")),
        ("ptrace", format!("for p in (1, {own}):\n  attempt('ptrace', lambda: libc.ptrace(16, p, 0, 0))")),
        ("memory of others", format!("for p in ({own},):\n  attempt('mem', lambda: open(f'/proc/{{p}}/mem', 'r+b'))")),
        ("mounts", "attempt('mount', lambda: libc.mount(b'none', b'/tmp', b'tmpfs', 0, None))\nattempt('bind', lambda: libc.mount(b'/', b'/tmp', None, 4096, None))\nattempt('remount', lambda: libc.mount(None, b'/', None, 32, None))\nattempt('umount', lambda: libc.umount2(b'/tmp', 2))\nattempt('pivot', lambda: libc.syscall(155, b'.', b'.'))".into()),
        ("namespaces", "for f in (0x10000000, 0x00020000, 0x40000000, 0x20000000):\n  attempt('unshare', lambda: libc.unshare(f))\nattempt('setns', lambda: libc.setns(os.open('/proc/1/ns/mnt', 0), 0) if os.readlink('/proc/1/ns/mnt') != os.readlink('/proc/self/ns/mnt') else -1)".into()),
        ("other users", "for u in (0, 1, 1000, 65533):\n  attempt('setuid', lambda: os.setuid(u))\n  attempt('setgid', lambda: os.setgid(u))\nattempt('groups', lambda: os.setgroups([0]))\nattempt('root', lambda: os.popen('su -c id root < /dev/null 2>/dev/null; sudo -n id 2>/dev/null').read() or False)".into()),
        ("setuid programs", "open('s', 'w').write('x')\nos.chmod('s', 0o6755)\nattempt('owner', lambda: os.chown('s', 0, 0))".into()),
        ("devices", "attempt('mknod', lambda: os.mknod('d', 0o60600, os.makedev(8, 0)))\nattempt('mem', lambda: open('/dev/mem'))\nattempt('kmsg', lambda: open('/dev/kmsg'))\nattempt('kvm', lambda: open('/dev/kvm', 'r+'))\nattempt('fuse', lambda: open('/dev/fuse', 'r+'))".into()),
        ("the kernel", "attempt('sysctl', lambda: open('/proc/sys/kernel/core_pattern', 'w'))\nattempt('sysrq', lambda: open('/proc/sysrq-trigger', 'w'))\nattempt('modules', lambda: libc.syscall(175, b'', 0, b''))\nattempt('reboot', lambda: libc.reboot(0))\nattempt('hostname', lambda: libc.sethostname(b'x', 1))\nattempt('time', lambda: __import__('time').clock_settime(0, 0))".into()),
        ("control groups", "attempt('cgroup', lambda: open('/sys/fs/cgroup/cgroup.procs', 'w'))\nattempt('pids', lambda: os.mkdir('/sys/fs/cgroup/pids/x'))".into()),
        ("limits", "import resource as r\nfor k in (r.RLIMIT_AS, r.RLIMIT_NPROC, r.RLIMIT_FSIZE, r.RLIMIT_CPU):\n  attempt('raise', lambda: r.setrlimit(k, (r.RLIM_INFINITY, r.RLIM_INFINITY)))\nattempt('nice', lambda: os.setpriority(os.PRIO_PROCESS, 0, -10))".into()),
        ("memory of nobody", "attempt('memfd', lambda: libc.syscall(319, b'x', 0))\nattempt('memfd', lambda: os.memfd_create('x'))\nattempt('secret', lambda: libc.syscall(447, 0))\nattempt('shmget', lambda: libc.shmget(0, 1 << 28, 0o1600))\nattempt('msgget', lambda: libc.msgget(0, 0o1600))\nattempt('semget', lambda: libc.semget(0, 32000, 0o1600))\nattempt('x32', lambda: libc.syscall(0x40000000 + 319, b'x', 0))\nattempt('shm', lambda: os.open('/dev/shm', os.O_TMPFILE | os.O_RDWR))\nattempt('tmp', lambda: os.open('/tmp', os.O_TMPFILE | os.O_RDWR))\nattempt('files', lambda: [os.dup(0) for _ in range(300)])".into()),
        ("files of andor", "attempt('fds', lambda: len(os.listdir('/proc/self/fd')) > 4)\nattempt('secrets', lambda: [k for k in os.environ if 'KEY' in k or 'TOKEN' in k] or False)".into()),
    ];
    for (what, program) in escapes {
        let told = stopped(what, program).await;
        assert!(told.contains("END"), "{what}: {told}");
    }
    assert!(!outside.exists());
    assert!(listener.accept().is_err(), "nothing came through");
    assert!(unix.accept().is_err() && abstract_socket.accept().is_err(), "nothing came through");
}

/// What exhausts something ends, and leaves no process and no file.
#[tokio::test]
async fn nothing_is_exhausted_and_nothing_outlives() {
    let mark = format!("andor-outlives-{}", std::process::id());
    let daemon = format!(
        "if os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: os.execvp('sh', ['{mark}', '-c', 'sleep 60; :'])\n  os._exit(0)\nprint('left')"
    );
    let told = stopped("daemons", &daemon).await;
    assert!(told.contains("left"), "{told}");
    assert!(!lives(&mark));
    let held = "held = []\nfor _ in range(200): held.append(bytearray(1 << 24))\nprint('ESCAPED')";
    stopped("memory", held).await;
    // Each of them may have 256 MiB, but all together no more.
    let shared = "import time\nfor _ in range(6):\n  if os.fork() == 0:\n    b = bytearray(200 << 20); time.sleep(3); print('ESCAPED'); os._exit(0)\ntime.sleep(4)\nprint('ESCAPED')";
    let told = stopped("memory of several", shared).await;
    assert!(told.contains("too much memory"), "{told}");
    let large = "f = open('f', 'wb')\nfor _ in range(40): f.write(b'x' * 10**6)\nprint('ESCAPED')";
    stopped("a large file", large).await;
    let many = "import time\nfor n in range(2000): open(str(n), 'w')\ntime.sleep(3)\nprint('ESCAPED')";
    let told = stopped("many files", many).await;
    assert!(told.contains("too much to its folder"), "{told}");
    let hidden = "import os, time\nheld = []\nfor n in range(10):\n  held.append(open('x', 'wb')); os.remove('x'); held[-1].write(b'x' * 10**7)\ntime.sleep(3)\nprint('ESCAPED')";
    let told = stopped("files without names", hidden).await;
    assert!(told.contains("too much to its folder"), "{told}");
    let told = stopped("time", "import time\ntime.sleep(30)\nprint('ESCAPED')").await;
    assert!(told.contains("too long"), "{told}");
}

fn lives(mark: &str) -> bool {
    let lines = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path().join("cmdline"));
    let has_mark =
        |path: &Path| std::fs::read(path).is_ok_and(|line| String::from_utf8_lossy(&line).starts_with(mark));
    lines.into_iter().any(|path| has_mark(&path))
}
