"""What a hostile repository may try in the docker sandbox. Attacks that leave the container as it was share one."""

import os
import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.sandbox.base import OUTPUT_BYTES, ExecResult
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.docker import Docker
from tests.sandbox.engine import containers
from tests.sandbox.support import SYSTEM, bash, token, wait_until_gone

pytestmark = pytest.mark.docker
_SMALL = Resources(memory_bytes=120 << 20, processes=40, tmp_bytes=8 << 20)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Docker]:
    folder = tmp_path_factory.mktemp("shared") / "repository"
    folder.mkdir()
    with Docker(folder, SYSTEM, inside=str(folder)) as opened:
        yield opened


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Docker]:
    folder = tmp_path_factory.mktemp("small") / "repository"
    folder.mkdir()
    with Docker(folder, SYSTEM, resources=_SMALL) as opened:
        yield opened


def python(sandbox: Docker, code: str, timeout: float = 20.0) -> ExecResult:
    return sandbox.exec(["python3", "-c", code], timeout=timeout)


def test_the_network_cannot_be_reached_by_address(shared: Docker) -> None:
    for address in ("192.0.2.1", "172.17.0.1", "169.254.169.254", *_gateways()):
        assert "unreachable" in python(shared, f"import socket; socket.create_connection(({address!r}, 80), 2)").stderr, address
    assert bash(shared, "cut -d: -f1 /proc/net/dev | tail -n +3").stdout.split() == ["lo"]
    assert bash(shared, "tail -n +2 /proc/net/route").stdout == ""


def _gateways() -> list[str]:
    rows = [line.split() for line in Path("/proc/net/route").read_text().splitlines()[1:]]
    return [socket.inet_ntoa(int(row[2], 16).to_bytes(4, "little")) for row in rows if int(row[2], 16)]


def test_the_network_cannot_be_reached_by_name(shared: Docker) -> None:
    result = python(shared, "import urllib.request; urllib.request.urlopen('http://example.org', timeout=5)")
    assert "Name or service not known" in result.stderr
    assert python(shared, "import socket; socket.getaddrinfo('localhost', 1); socket.getaddrinfo(socket.gethostname(), 1)").ok


def test_servers_and_sockets_of_the_machine_cannot_be_reached(shared: Docker, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        port, name = server.getsockname()[1], f"\0ml-agent-{os.getpid()}"
        abstract.bind(name)
        abstract.listen()
        assert "refused" in python(shared, f"import socket; socket.create_connection(('127.0.0.1', {port}), 2)").stderr
        assert "refused" in python(shared, f"import socket; socket.socket(socket.AF_UNIX).connect({name!r})").stderr


def test_the_engines_socket_is_not_there(shared: Docker) -> None:
    engine = os.environ.get("DOCKER_HOST", "").removeprefix("unix://") or "/var/run/docker.sock"
    assert os.path.exists(engine)
    assert bash(shared, f"ls {engine} /var/run/docker.sock /run/docker.sock /run/containerd").stdout == ""
    assert bash(shared, "find / -xdev -type s 2>/dev/null").stdout == ""


def test_home_and_secrets_are_not_there(shared: Docker, monkeypatch: pytest.MonkeyPatch) -> None:
    word = token()
    monkeypatch.setenv("OPENAI_API_KEY", word)
    assert word not in bash(shared, "env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'").stdout
    home = Path.home()
    shown = [Path(shared.root), *(Path(mount.target) for mount in SYSTEM.mounts)]
    hidden = {entry.name for entry in home.iterdir() if not any(place.is_relative_to(entry) for place in shown)}
    assert hidden.isdisjoint(bash(shared, f"ls -A {home} 2>/dev/null").stdout.split())
    assert bash(shared, "ls -A /home /var /boot /mnt /media /srv /root/.ssh 2>/dev/null").stdout == ""
    assert set(bash(shared, "ls /etc").stdout.split()).isdisjoint({"shadow", "ssh", "sudoers", "pip.conf", "gitconfig", "docker"})


def test_nothing_but_the_workspace_can_be_written_to(shared: Docker, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("x")
    places = ["/x", "/usr/x", "/usr/bin/env", "/etc/x", "/etc/passwd", "/dev/x", "/run/x", "/proc/x", "/sys/x", "../x"]
    places += [f"{mount.target}/x" for mount in SYSTEM.mounts]
    links = {"out": str(tmp_path), "up": "../..", "root": "/", "file": str(tmp_path / "outside"), "passwd": "/etc/passwd"}
    for name, target in links.items():
        assert bash(shared, f"ln -s {target} {name}").ok
    for place in [*places, "out/outside", "up/x", "root/x", "file", "passwd"]:
        assert bash(shared, f"echo x > {place}").exit_code != 0, place
    assert (tmp_path / "outside").read_text() == "x"
    assert not (shared.workspace.parent / "x").exists()
    assert bash(shared, "echo x > x && echo x > /tmp/x && echo x > ~/x && echo x > /dev/shm/x && rm x /tmp/x ~/x /dev/shm/x").ok


def test_the_kernels_settings_cannot_be_written_to(shared: Docker) -> None:
    paths = [str(path) for path in Path("/proc/sys").rglob("*") if path.is_file()][:400]
    code = """
import os
for path in ["/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", *PATHS]:
    try:
        os.close(os.open(path, os.O_WRONLY))
        print(path)
    except OSError:
        pass
"""
    assert python(shared, code.replace("PATHS", repr(paths))).stdout == ""


def test_no_mount_no_namespace_no_device_no_other_user(shared: Docker) -> None:
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
        assert not bash(shared, attack).ok, attack
    setuid = "cp $(readlink -f /usr/bin/id) ./id && chmod 6755 ./id && ./id -u; rm id"
    assert bash(shared, setuid).stdout == f"{os.getuid() or 65534}\n"


def test_processes_outside_the_run_can_be_neither_traced_nor_ended(shared: Docker) -> None:
    trace = "import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); print(libc.ptrace(16, 1, 0, 0), os.strerror(ctypes.get_errno()))"
    assert python(shared, trace).stdout == "-1 Operation not permitted\n"
    assert bash(shared, "cat /proc/1/environ /proc/1/mem; ls -l /proc/1/fd /proc/1/root/").stdout == ""
    assert bash(shared, f"kill -9 1; kill -0 {os.getpid()}").exit_code == 1
    name = containers()
    bash(shared, "kill -9 -1")
    assert bash(shared, "echo still").stdout == "still\n"
    assert containers() == name


def test_one_gigabyte_of_output(shared: Docker) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = bash(shared, "head -c 1000000000 /dev/zero; echo end", timeout=60)
    assert result.ok
    assert result.stdout.endswith("end\n")
    assert result.output_dropped == 1_000_000_004 - OUTPUT_BYTES
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000, "kB"


@pytest.mark.parametrize("place", ["/tmp", "/tmp/home", "/dev/shm"])
def test_a_disk_fill_ends_at_the_size(small: Docker, place: str) -> None:
    result = bash(small, f"head -c 30000000 /dev/zero > {place}/x; stat -c %s {place}/x; rm {place}/x")
    assert "No space left" in result.stderr
    assert int(result.stdout) <= 8 << 20


def test_a_fork_bomb_stops(small: Docker) -> None:
    word, started = token(), time.monotonic()
    result = bash(small, f"f() {{ f | f & sleep 5; : {word}; }}; f; for i in $(seq 100); do sleep 3 & done; wait", timeout=1.5)
    assert "Resource temporarily unavailable" in result.stderr or "retry" in result.stderr
    assert time.monotonic() - started < 15
    assert wait_until_gone(word, 2.0) == []
    assert bash(small, "echo again").stdout == "again\n"


_ALLOCATE = "python3 -c 'x = bytearray(400 << 20); print(len(x))'"


@pytest.mark.parametrize("code", [_ALLOCATE, f"{_ALLOCATE}; echo went on", f"{_ALLOCATE} & wait"])
def test_endless_allocation_is_told(small: Docker, code: str) -> None:
    result = bash(small, code)
    assert result.oom_killed
    assert str(400 << 20) not in result.stdout
    assert not bash(small, "true").oom_killed


def test_memory_and_disk_at_once(tmp_path: Path) -> None:
    """File systems in memory count: a run that fills them is out of memory, and the next one finds room again."""
    with Docker(tmp_path, SYSTEM, resources=Resources(memory_bytes=30 << 20, processes=40, tmp_bytes=100 << 20)) as sandbox:
        before = bash(sandbox, "ls /tmp").stdout  # home, and the place of an environment that stands in /tmp
        assert bash(sandbox, "head -c 90000000 /dev/zero > /tmp/x; sleep 0.1; tail /dev/zero").oom_killed
        assert bash(sandbox, "ls /tmp; echo again").stdout == f"{before}again\n"
