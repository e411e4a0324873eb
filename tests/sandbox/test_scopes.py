"""Bounds by systemd, where it runs for the user; elsewhere by a program that acts as it does, to see how it is called."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent import executables
from ml_agent.sandbox import cgroups, process, scopes
from ml_agent.sandbox.cgroups import Group, Resources, limited


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    scopes._program.cache_clear()
    yield
    scopes._program.cache_clear()


@pytest.fixture
def manager(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `systemd-run` that notes its arguments and becomes the command."""
    file = tmp_path / "systemd-run"
    file.write_text(
        '#!/bin/bash\necho "$@" >> "${0%/*}/calls"; echo "$XDG_RUNTIME_DIR" >> "${0%/*}/variables"\n'
        'while [ "$1" != -- ]; do shift; done; shift\n'
        'case "$*" in *self/cgroup*) echo 0::/user.slice/run-1.scope;; *) exec "$@";; esac\n'
    )
    file.chmod(0o755)
    monkeypatch.setattr(executables, "FOLDERS", f"{tmp_path}:{executables.FOLDERS}")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/7")
    return file


def test_without_a_manager_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executables, "FOLDERS", str(tmp_path))
    assert scopes.scope(1, 1) == ()
    (tmp_path / "systemd-run").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "systemd-run").chmod(0o755)
    scopes._program.cache_clear()
    assert scopes.scope(1, 1) == ()


def test_where_no_group_can_be_made_a_scope_bounds_the_run(manager: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "_make_group", lambda _: (Group(()), False, False, False))
    with limited(Resources(memory_bytes=300 << 20, processes=77)) as limits:
        assert limits.notes == ()
        assert {"memory", "pids"} <= set(limits.bounded)
        done = process.run([*limits.prefix, "sh", "-c", "echo said $XDG_RUNTIME_DIR"], env={"PATH": "/usr/bin:/bin"}, timeout=20, mark="m")
    assert done.stdout == "said\n"
    assert "/run/user/7" in (manager.parent / "variables").read_text()
    called = (manager.parent / "calls").read_text().splitlines()[-1]
    assert "-p MemoryMax=314572800 -p MemorySwapMax=0 -p TasksMax=77 --" in called


def test_without_either_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executables, "FOLDERS", str(tmp_path))
    monkeypatch.setattr(cgroups, "_make_group", lambda _: (Group(()), False, False, False))
    with limited(Resources()) as limits:
        assert any("memory is limited for each process" in note for note in limits.notes)
