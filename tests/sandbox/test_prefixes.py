"""Which interpreters a repository's virtual environment may name: none that came with it, as that would be run outside the sandbox."""

import os
import sys
from pathlib import Path

import pytest

from ml_agent.sandbox.environment import find_environment

_BASE = os.path.realpath(sys.executable)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A part of a clone, whose other part holds a program that tells when it is run."""
    place = tmp_path / "clone" / "part"
    (place / ".venv" / "bin").mkdir(parents=True)
    (place / ".venv" / "pyvenv.cfg").write_text(f"home = {os.path.dirname(_BASE)}\n")
    program = tmp_path / "clone" / "evil" / "bin" / "python3"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\necho run >> {tmp_path}/marker\nexec {_BASE} "$@"\n')
    program.chmod(0o755)
    return place


def _link(repository: Path, target: str) -> None:
    for name in ("python", "python3"):
        (repository / ".venv" / "bin" / name).symlink_to(target)


def _is_used(repository: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setenv("PATH", os.path.dirname(_BASE))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    found = find_environment(repository, None)
    assert not (repository.parents[1] / "marker").exists(), "it was run outside the sandbox"
    return found.python.startswith(str(repository))


def test_one_that_is_linked_by_its_place_on_this_machine(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _link(repository, _BASE)
    assert _is_used(repository, monkeypatch)


@pytest.mark.parametrize(
    "target", ["../../../evil/bin/python3", "/proc/self/cwd/../evil/bin/python3", "/usr/../proc/self/cwd/../evil/bin/python3"]
)
def test_one_beside_the_repository(repository: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    monkeypatch.chdir(repository)
    _link(repository, target)
    assert not _is_used(repository, monkeypatch)


@pytest.mark.parametrize("linked", [".venv", ".venv/bin"])
def test_a_folder_that_is_linked(repository: Path, monkeypatch: pytest.MonkeyPatch, linked: str) -> None:
    """The link need not be the last part of the path."""
    (repository / ".venv" / "bin").rmdir()
    if linked == ".venv":
        (repository / ".venv" / "pyvenv.cfg").rename(repository.parent / "evil" / "pyvenv.cfg")
        (repository / ".venv").rmdir()
        (repository / ".venv").symlink_to("../evil")
    else:
        (repository / ".venv" / "bin").symlink_to("../../evil/bin")
    (repository.parent / "evil" / "bin" / "python").symlink_to("python3")
    assert not _is_used(repository, monkeypatch)


def test_a_home_that_is_another_for_each_process(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    _link(repository, "nosuch")
    for name in ("python", "python3"):
        (repository / ".venv" / "bin" / name).unlink()
        (repository / ".venv" / "bin" / name).write_text("#!/bin/sh\n")
        (repository / ".venv" / "bin" / name).chmod(0o755)
    (repository / ".venv" / "pyvenv.cfg").write_text("home = /proc/self/cwd/../evil/bin\n")
    assert not _is_used(repository, monkeypatch)


def test_links_in_a_circle_end(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / ".venv" / "bin" / "python").symlink_to("python3")
    (repository / ".venv" / "bin" / "python3").symlink_to("python")
    assert not _is_used(repository, monkeypatch)


def test_a_pipe_in_place_of_a_file_is_not_waited_for(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _link(repository, _BASE)
    packages = repository / ".venv" / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    (packages / "x.dist-info").mkdir(parents=True)
    os.mkfifo(packages / "x.dist-info" / "METADATA")
    os.mkfifo(packages / "x.pth")
    assert _is_used(repository, monkeypatch)
    assert find_environment(repository, None).packages().get("x") is None
