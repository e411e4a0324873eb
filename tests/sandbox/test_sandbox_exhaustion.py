"""A run that takes all it can get, the same in docker and in bubblewrap: it ends, what it took is told, and nothing of it is left.

All bounds are small, and every attack is bounded in itself as well: a sandbox that fails must not take the machine with it.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.sandbox.base import OUTPUT_BYTES, Sandbox
from ml_agent.sandbox.cgroups import Resources
from ml_agent.sandbox.outcome import ExecutionRecord, record
from tests.conftest import WHY_NOT
from tests.sandbox.leftovers import KINDS, attacked
from tests.sandbox.support import SYSTEM, bash, can_bound, token, wait_until_gone

_LIMIT = 12 << 20
_SMALL = Resources(memory_bytes=120 << 20, processes=40, tmp_bytes=8 << 20, disk_bytes=_LIMIT)
BOTH = [pytest.param("docker", marks=pytest.mark.docker), pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)]


@pytest.fixture(scope="module", params=["docker", "bubblewrap"])
def sandbox(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """Not marked as in need of bubblewrap: where that is required, a control group may still not be to be had."""
    if request.param == "bubblewrap" and not all(can_bound()):
        pytest.skip("no control group can be made here")
    if why := WHY_NOT[request.param]():
        pytest.skip(why)
    with attacked(request.param, tmp_path_factory.mktemp("exhausted"), _SMALL) as opened:
        yield opened


def ended(sandbox: Sandbox, code: str, *, timeout: float = 20.0, within: float = 6.0) -> ExecutionRecord:
    """The record of a run, which has to come within that many seconds after its limit; and then all goes on as before."""
    started = time.monotonic()
    result = bash(sandbox, code, timeout=timeout)
    assert time.monotonic() - started < timeout + within
    assert bash(sandbox, "echo again").stdout == "again\n"
    return record(result)


def test_a_fork_bomb_stops(sandbox: Sandbox) -> None:
    word = token()
    done = ended(sandbox, f"f() {{ f | f & sleep 5; : {word}; }}; f; for i in $(seq 100); do sleep 3 & done; wait", timeout=1.5)
    assert "Resource temporarily unavailable" in done.output_tail or "retry" in done.output_tail
    assert done.exhausted in ("time", "processes")
    assert wait_until_gone(word, 2.0) == []


def test_processes_without_end_are_told(sandbox: Sandbox) -> None:
    code = "import subprocess\nfor _ in range(100): subprocess.Popen(['sleep', '30'])"
    done = ended(sandbox, f'python3 -c "{code}"')
    assert (done.outcome, done.exhausted) == ("failed", "processes")


_ALLOCATE = "python3 -c 'x = bytearray(400 << 20); print(len(x))'"


@pytest.mark.parametrize("code", [_ALLOCATE, f"{_ALLOCATE}; echo went on", f"{_ALLOCATE} & wait", f'setsid sh -c "{_ALLOCATE}" & wait'])
def test_endless_allocation_is_told(sandbox: Sandbox, code: str) -> None:
    """In the main process, in a child that it outlives, and in one of another session."""
    done = ended(sandbox, code)
    assert (done.outcome, done.exhausted) == ("failed", "memory")
    assert str(400 << 20) not in done.output_tail


@pytest.mark.parametrize("place", ["/tmp", "$HOME", "/dev/shm"])
def test_file_systems_in_memory_have_a_size(sandbox: Sandbox, place: str) -> None:
    done = ended(
        sandbox, f"head -c 30000000 /dev/zero > {place}/x || {{ size=$(stat -c %s {place}/x); rm {place}/x; echo $size; exit 1; }}"
    )
    assert int(done.output_tail.split()[0]) <= _SMALL.tmp_bytes
    writing = ended(
        sandbox,
        f"python3 -c \"import os; open(os.path.expandvars('{place}/y'), 'wb').write(bytes(30000000))\"; s=$?; rm {place}/y; exit $s",
    )
    assert (writing.outcome, writing.exhausted) == ("failed", "disk")


# Each writes about 60 MB, slowly: five times what is allowed, should nothing stop it.
FILLS = {
    "one file": "for i in $(seq 60); do head -c 1000000 /dev/zero >> full; sleep 0.05; done",
    "small files": "for i in $(seq 60); do mkdir d$i; (cd d$i; head -c 1000000 /dev/zero | split -a 3 -b 25000); sleep 0.05; done",
    "allocated": "fallocate -l 60M full; sleep 5",
    "deaf to signals": "trap '' TERM; for i in $(seq 60); do head -c 1000000 /dev/zero >> full; sleep 0.05; done",
    "in the background": "(setsid sh -c 'for i in $(seq 60); do head -c 1000000 /dev/zero >> full; sleep 0.05; done' &); sleep 5",
    "behind a closed door": "mkdir -p a/b;"
    "for i in $(seq 60); do head -c 1000000 /dev/zero >> a/b/full; chmod 0 a; sleep 0.05; chmod 700 a; done",
    "too deep for a path": "n=$(printf 'x%.0s' $(seq 250)); for i in $(seq 20); do mkdir $n; cd -P $n; done;"
    "for i in $(seq 60); do head -c 1000000 /dev/zero >> full; sleep 0.05; done",
}


@pytest.mark.parametrize("how", FILLS)
def test_a_full_disk_is_told(sandbox: Sandbox, how: str) -> None:
    done = ended(sandbox, FILLS[how])
    assert (done.outcome, done.exhausted) == ("failed", "disk")
    assert done.seconds < 6
    assert bash(sandbox, "chmod 700 a; rm -rf *; ls").stdout == ""


def test_a_file_of_holes_takes_no_room(sandbox: Sandbox) -> None:
    done = ended(sandbox, "truncate -s 100G holes; sleep 0.5; stat -c %s holes; rm holes")
    assert (done.outcome, done.output_tail) == ("completed", str(100 << 30))


@pytest.mark.skipif(os.getuid() != 0, reason="only root can mount")
@pytest.mark.parametrize("kind", BOTH)
def test_what_is_removed_but_held_open_is_bounded_by_the_reserve(kind: str, tmp_path: Path) -> None:
    """It stands in no folder: so the disk, here one of 64 MB, tells it when half of what was free is gone."""
    place = tmp_path / "disk" / "repository"
    place.parent.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m,mode=1777", "none", place.parent], check=True)
    try:
        place.mkdir()
        with KINDS[kind](place, SYSTEM, inside=str(place)) as sandbox:
            code = "exec 3> full; rm full; for i in $(seq 60); do head -c 1000000 /dev/zero >&3; sleep 0.05; done"
            done = ended(sandbox, code)
            assert (done.outcome, done.exhausted) == ("failed", "disk")
            assert done.seconds < 5
            assert os.statvfs(place).f_bavail * os.statvfs(place).f_frsize > 60 << 20, "what it held is free again"
    finally:
        subprocess.run(["umount", place.parent], check=True)


def _peak() -> int:
    """The most memory that this process has had since `_forget`, in kB."""
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))


def _forget() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def test_one_gigabyte_of_output(sandbox: Sandbox) -> None:
    _forget()
    before = _peak()
    result = bash(sandbox, "head -c 1000000000 /dev/zero; echo end", timeout=50)
    assert result.ok
    assert result.stdout.endswith("end\n")
    assert result.output_dropped == 1_000_000_004 - OUTPUT_BYTES
    assert _peak() - before < 30_000, "kB"


def test_endless_output_on_both_streams(sandbox: Sandbox) -> None:
    _forget()
    before = _peak()
    result = bash(sandbox, "yes >&2 & yes", timeout=1.5)
    assert record(result).exhausted == "time"
    assert result.output_dropped > 20_000_000
    assert _peak() - before < 30_000, "kB"


def test_output_that_is_no_text(sandbox: Sandbox) -> None:
    """A byte of another encoding, half a character at the end, colours and a cleared screen: the record holds text, and all of it."""
    done = ended(sandbox, r"printf '\x96 \033[2J\033[31mred\033[0m \xe2\x82'")
    assert (done.outcome, done.output_tail) == ("completed", "\ufffd \x1b[2J\x1b[31mred\x1b[0m \ufffd")
