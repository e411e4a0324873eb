"""Engines of every kind."""

from pathlib import Path
from typing import Any

import pytest

from ml_agent.doctor.engine import look_at_engine
from tests.doctor.support import engine_that_says, given

FULL: dict[str, Any] = {
    "Driver": "overlay2",
    "CgroupVersion": "2",
    "CgroupDriver": "systemd",
    "SecurityOptions": ["name=seccomp,profile=x"],
}


@pytest.mark.docker
def test_a_real_one(tmp_path: Path) -> None:
    found = look_at_engine(given(tmp_path))
    assert found.status == "ok"
    assert found.detail.startswith("Docker 2")
    assert "seccomp" in found.detail


@pytest.mark.parametrize(
    ("info", "version", "status", "words", "todo"),
    [
        ({}, {"Version": "27.1"}, "ok", "Docker 27.1 at ", None),
        ({"MemoryLimit": True, "SwapLimit": False}, {}, "warning", "cannot limit swap", "swapaccount=1"),
        ({"SecurityOptions": []}, {}, "warning", "filters no system calls", "seccomp"),
        (
            {"SecurityOptions": ["name=seccomp", "name=rootless"], "CgroupDriver": "none"},
            {},
            "warning",
            "rootless, seccomp); it cannot limit memory, swap, the number of processes, CPUs",
            "systemd",
        ),
        ({}, {"Components": [{"Name": "Podman Engine", "Version": "4.3.1"}]}, "ok", "Podman 4.3.1 at ", None),
    ],
)
def test_what_it_can_and_cannot(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    info: dict[str, Any],
    version: dict[str, Any],
    status: str,
    words: str,
    todo: str | None,
) -> None:
    with engine_that_says(tmp_path / "d.sock", FULL | info, version) as host:
        monkeypatch.setenv("DOCKER_HOST", host)
        found = look_at_engine(given(tmp_path))
    assert found.status == status
    assert words in found.detail
    assert "\n" not in found.detail
    assert (todo is None) == (found.remedy is None)
    assert todo is None or todo in (found.remedy or "")
