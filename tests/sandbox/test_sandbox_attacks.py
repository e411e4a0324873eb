"""What a hostile repository may try to reach from inside, the same in docker and in bubblewrap.

These attacks leave a sandbox as it was, so they share one of each kind; at its end nothing may be left of it.
"""

import errno
import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.sandbox.base import ExecResult, Sandbox
from tests.sandbox.leftovers import attacked
from tests.sandbox.support import SYSTEM, bash, token, wait_until_gone

KINDS = [pytest.param("docker", marks=pytest.mark.docker), pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)]


@pytest.fixture(scope="module", params=KINDS)
def sandbox(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    from tests.conftest import WHY_NOT

    if why := WHY_NOT[request.param]():
        pytest.skip(why)
    with attacked(request.param, tmp_path_factory.mktemp("attacked")) as opened:
        yield opened


def python(sandbox: Sandbox, code: str, *arguments: str, timeout: float = 20.0) -> ExecResult:
    return sandbox.exec(["python3", "-c", code, *arguments], timeout=timeout)


def _gateways() -> list[str]:
    rows = [line.split() for line in Path("/proc/net/route").read_text().splitlines()[1:]]
    return [socket.inet_ntoa(int(row[2], 16).to_bytes(4, "little")) for row in rows if int(row[2], 16)]


def test_the_network_cannot_be_reached_by_address(sandbox: Sandbox) -> None:
    """Not the gateway, nor where clouds hand out credentials, nor by IPv6 or without a connection."""
    for address in ("192.0.2.1", "172.17.0.1", "169.254.169.254", *_gateways()):
        assert "unreachable" in python(sandbox, f"import socket; socket.create_connection(({address!r}, 80), 2)").stderr, address
    datagram = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53))"
    assert "unreachable" in python(sandbox, datagram).stderr
    six = python(sandbox, "import socket; socket.create_connection(('2001:db8::1', 80), 2)").stderr
    assert "unreachable" in six or "Cannot assign" in six or "not supported" in six
    assert "not permitted" in python(sandbox, "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)").stderr
    assert bash(sandbox, "cut -d: -f1 /proc/net/dev | tail -n +3").stdout.split() == ["lo"]
    assert bash(sandbox, "tail -n +2 /proc/net/route").stdout == ""


def test_the_network_cannot_be_reached_by_name(sandbox: Sandbox) -> None:
    result = python(sandbox, "import urllib.request; urllib.request.urlopen('http://example.org', timeout=5)")
    assert "Name or service not known" in result.stderr or "name resolution" in result.stderr
    assert python(sandbox, "import socket; socket.getaddrinfo('localhost', 1); socket.getaddrinfo(socket.gethostname(), 1)").ok


def test_servers_and_sockets_of_the_machine_cannot_be_reached(sandbox: Sandbox, tmp_path: Path) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as named,
    ):
        abstract.bind(f"\0ml-agent-{os.getpid()}")
        abstract.listen()
        named.bind(str(tmp_path / "s"))
        named.listen()
        port = server.getsockname()[1]
        assert "refused" in python(sandbox, f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)").stderr
        for name, error in ((abstract.getsockname().decode(), "refused"), (named.getsockname(), "No such file")):
            assert error in python(sandbox, f"import socket; socket.socket(socket.AF_UNIX).connect({name!r})").stderr


def test_the_engines_socket_is_not_there(sandbox: Sandbox) -> None:
    engine = os.environ.get("DOCKER_HOST", "").removeprefix("unix://") or "/var/run/docker.sock"
    assert bash(sandbox, f"ls {engine} /var/run/docker.sock /run/docker.sock /run/containerd /run/user").stdout == ""
    assert bash(sandbox, "find / -xdev -type s 2>/dev/null").stdout == ""


def test_home_and_secrets_are_not_there(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    word = token()
    monkeypatch.setenv("OPENAI_API_KEY", word)
    assert word not in bash(sandbox, "env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'").stdout
    home = Path.home()
    shown = [Path(sandbox.root), *(Path(mount.target) for mount in SYSTEM.mounts)]
    hidden = {entry.name for entry in home.iterdir() if not any(place.is_relative_to(entry) for place in shown)}
    assert hidden.isdisjoint(bash(sandbox, f"ls -A {home} 2>/dev/null").stdout.split())
    assert bash(sandbox, "ls -A /home /var /boot /mnt /media /srv /root/.ssh 2>/dev/null").stdout == ""
    assert set(bash(sandbox, "ls /etc").stdout.split()).isdisjoint({"shadow", "ssh", "sudoers", "pip.conf", "gitconfig", "docker"})


def test_the_kernels_key_rings_cannot_be_read(sandbox: Sandbox) -> None:
    """They are no files, and no namespace hides those of the session that we are of."""
    calls = {"x86_64": (248, 249, 250), "aarch64": (217, 218, 219)}.get(os.uname().machine)
    if calls is None:
        pytest.skip("the numbers of its system calls are not known here")
    code = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
add, request, control = {calls}
for arguments in (
    (add, b"user", b"x", b"y", 1, -3), (request, b"user", b"x", None, 0), (control, 0, -3, 0), (control, 10, -3, b"user", b"x", 0)
):
    print(libc.syscall(*arguments), ctypes.get_errno())
"""
    assert python(sandbox, code).stdout == f"-1 {errno.EPERM}\n" * 4


def test_nothing_but_the_workspace_can_be_written_to(sandbox: Sandbox, tmp_path: Path) -> None:
    """Through a link no more than by its path: the one leads where nothing is, the other to what is read-only."""
    (tmp_path / "outside").write_text("x")
    places = ["/x", "/usr/x", "/usr/bin/env", "/etc/x", "/etc/passwd", "/dev/x", "/run/x", "/proc/x", "/sys/x", "/bin/x"]
    places += [f"{mount.target}/x" for mount in SYSTEM.mounts]
    links = {"out": str(tmp_path), "root": "/", "file": str(tmp_path / "outside"), "passwd": "/etc/passwd"}
    for name, target in links.items():
        assert bash(sandbox, f"ln -s {target} {name}").ok
    for place in [*places, "out/outside", "root/x", "file", "passwd"]:
        assert bash(sandbox, f"echo x > {place}").exit_code != 0, place
    bash(sandbox, "ln -s ../.. up; echo x > up/x; echo x > ../x; ln / hard; ln /etc/passwd hard")
    assert (tmp_path / "outside").read_text() == "x"
    top = Path(sandbox.root)
    assert not any((folder / "x").exists() for folder in (top.parent, top.parent.parent))
    assert not (top / "hard").exists()
    assert bash(sandbox, "echo x > x && echo x > /tmp/x && echo x > ~/x && echo x > /dev/shm/x && rm x /tmp/x ~/x /dev/shm/x").ok


def test_the_kernels_settings_cannot_be_written_to(sandbox: Sandbox) -> None:
    """Also for root, who in bubblewrap is the kernel's user 0 without capabilities: core_pattern would run a program on the host."""
    paths = [str(path) for path in Path("/proc/sys").rglob("*") if path.is_file()][:400]
    code = """
import os, sys
for path in ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", *sys.argv[1:]]:
    try:
        os.close(os.open(path, os.O_WRONLY))
        print(path)
    except OSError:
        pass
"""
    assert python(sandbox, code, *paths).stdout == ""


def test_no_mount_no_namespace_no_device_no_other_user(sandbox: Sandbox) -> None:
    for attack in (
        "mount -t tmpfs none /tmp",
        "mount --bind / /tmp",
        "mount -o remount,rw /",
        "umount /usr",
        "unshare --user --map-root-user true",
        "unshare --mount true",
        "unshare --net true",
        "nsenter -t 1 -m true",
        "chroot / true",
        "mknod /tmp/disk b 254 0",
        "chown 0:0 .",
        "dd if=/dev/mem of=/dev/null count=1",
        "dmesg -C",
        "hostname x",
        "python3 -c 'import os; os.setuid(0)'",
    ):
        assert not bash(sandbox, attack).ok, attack
    status = bash(sandbox, "cat /proc/self/status").stdout
    for line in ("CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
        assert line in status
    before = bash(sandbox, "id -u").stdout
    assert before != "0\n"
    assert bash(sandbox, "cp $(readlink -f /usr/bin/id) ./id && chmod 6755 ./id && ./id -u; rm id").stdout == before


def test_processes_outside_the_run_can_be_neither_seen_traced_nor_ended(sandbox: Sandbox) -> None:
    trace = "import ctypes, os, sys; libc = ctypes.CDLL(None, use_errno=True); print(libc.ptrace(16, int(sys.argv[1]), 0, 0))"
    assert python(sandbox, trace, str(os.getpid())).stdout == "-1\n"
    assert len(bash(sandbox, "ls -d /proc/[0-9]*").stdout.split()) <= 5
    assert bash(sandbox, "cat /proc/1/environ /proc/1/mem 2>/dev/null | tr -d '\\0' | grep -c OPENAI").stdout == "0\n"
    assert bash(sandbox, "ls /proc/1/root/home /proc/1/root/var /proc/1/cwd/home").stdout == ""
    with subprocess.Popen(["sleep", "60"]) as outside:
        bash(sandbox, f"kill -9 {outside.pid}")  # a process inside may have that number as well
        bash(sandbox, "kill -9 1; kill -9 -1")
        assert outside.poll() is None
        outside.kill()
    assert bash(sandbox, "echo still").stdout == "still\n"


def test_what_a_run_started_cannot_wait_for_the_next_one(sandbox: Sandbox) -> None:
    """In its own session, without its variables, deaf to SIGTERM, holding the pipe open."""
    word = token()
    code = f"(env -i setsid bash -c 'trap \"\" TERM HUP; exec -a {word} sleep 1000' &); sleep 60"
    result = bash(sandbox, code, timeout=1.0)
    assert result.timed_out
    assert wait_until_gone(word, 1.0) == []
    assert word not in bash(sandbox, "cat /proc/[0-9]*/cmdline").stdout
