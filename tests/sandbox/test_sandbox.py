"""Sandboxes by name."""

from pathlib import Path

import pytest

from ml_agent.errors import ToolError, UsageError
from ml_agent.sandbox import AUTO, SANDBOXES, open_sandbox
from ml_agent.sandbox.local import WARNING
from tests.sandbox.support import SYSTEM


def test_an_unknown_name_is_told_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="auto, docker, bubblewrap, local, none"):
        open_sandbox("nosuch", tmp_path, SYSTEM)


def test_every_name_opens_a_sandbox_of_that_name(tmp_path: Path) -> None:
    for name in SANDBOXES:
        assert open_sandbox(name, tmp_path, SYSTEM).name == name


@pytest.mark.parametrize("name", [name for name in SANDBOXES if name != "docker"])
@pytest.mark.parametrize(("image", "gpus"), [("python:3.11", None), (None, "all")])
def test_images_and_gpus_are_dockers(name: str, image: str | None, gpus: str | None, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--sandbox docker"):
        open_sandbox(name, tmp_path, SYSTEM, image=image, gpus=gpus)
    for own in ("auto", "docker"):
        assert open_sandbox(own, tmp_path, SYSTEM, image=image, gpus=gpus).name == "docker"


def test_auto_never_means_local() -> None:
    assert "local" not in AUTO


@pytest.mark.bubblewrap
def test_auto_is_bubblewrap_where_no_engine_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nosuch.sock")
    with open_sandbox("auto", tmp_path, SYSTEM) as opened:
        assert opened.name == "bubblewrap"
        assert opened.exec(["true"], timeout=10).ok


def test_local_warns(tmp_path: Path) -> None:
    with open_sandbox("local", tmp_path, SYSTEM) as opened:
        assert opened.notes[0] == WARNING
        assert opened.network


def test_none_runs_nothing(tmp_path: Path) -> None:
    with open_sandbox("none", tmp_path, SYSTEM) as opened, pytest.raises(ToolError, match="nothing is run"):
        opened.exec(["touch", str(tmp_path / "x")], timeout=5)
    assert not (tmp_path / "x").exists()
