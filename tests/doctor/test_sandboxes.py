"""Sandboxes that start, and interpreters that do not run in them."""

from pathlib import Path

import pytest

from ml_agent.doctor.check import Found
from ml_agent.doctor.sandboxes import look_at_bubblewrap, look_at_docker, look_at_gpus
from ml_agent.sandbox.docker_engine import connect
from ml_agent.sandbox.docker_image import REPOSITORY
from ml_agent.sandbox.environment import Environment
from tests.doctor.support import given
from tests.sandbox.engine import containers
from tests.sandbox.support import SYSTEM, token


def images() -> set[str]:
    api = connect()
    try:
        return {name for image in api.images(REPOSITORY) for name in image["RepoTags"] or ()}
    finally:
        api.close()


@pytest.mark.bubblewrap
def test_bubblewrap(tmp_path: Path) -> None:
    found = look_at_bubblewrap(given(tmp_path))
    assert (found.status, found.value) == ("ok", True)
    assert "bwrap " in found.detail
    assert "and runs " in found.detail


@pytest.mark.bubblewrap
def test_an_interpreter_that_does_not_run(tmp_path: Path) -> None:
    for number, (python, said) in enumerate((("/usr/bin/false", "exit code 1"), ("/nonexistent/python", "not found"))):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = look_at_bubblewrap(given(folder, interpreter=Found("ok", "", value=Environment(python, "3.11.7"))))
        assert (found.status, found.value) == ("error", True)
        assert f"{python} does not run in it" in found.detail
        assert said in found.detail.lower()
        assert "--python" in (found.remedy or "")


@pytest.mark.docker
def test_docker_leaves_neither_container_nor_image(tmp_path: Path) -> None:
    before = images()
    odd = Environment(SYSTEM.python, SYSTEM.version, SYSTEM.mounts, SYSTEM.path, SYSTEM.bin, {**SYSTEM.links, f"/run/{token()}": "/usr"})
    found = look_at_docker(given(tmp_path, interpreter=Found("ok", "", value=odd)))
    assert (found.status, found.value) == ("ok", True), found
    assert containers() == []
    assert images() <= before | images_of_others(before)


def images_of_others(before: set[str]) -> set[str]:
    """Those of runs of other processes on the same engine, which are in use."""
    api = connect()
    try:
        return {str(container["Image"]) for container in api.containers(all=True)} - before
    finally:
        api.close()


@pytest.mark.docker
def test_docker_keeps_an_image_that_was_there(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    from ml_agent.sandbox.docker import Docker

    with Docker(tmp_path, SYSTEM):
        before = images()
    look_at_docker(given(tmp_path / "first", SYSTEM.python))
    assert before <= images()


def test_no_folder_for_it(tmp_path: Path) -> None:
    found = look_at_docker(given(tmp_path, docker_engine=Found("error", "")))
    assert (found.status, found.value) == ("error", False)


def test_a_machine_without_gpus(tmp_path: Path) -> None:
    if list(Path("/dev").glob("nvidia[0-9]*")) or Path("/dev/kfd").exists() or Path("/dev/dxg").exists():
        pytest.skip("this machine has a GPU")
    assert look_at_gpus(given(tmp_path)).status == "ok"
