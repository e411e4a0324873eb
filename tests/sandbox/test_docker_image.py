"""Our own image, made without a registry, and images of the user's."""

import io
import json
import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ml_agent.errors import SandboxUnavailable
from ml_agent.sandbox import docker_image
from ml_agent.sandbox.docker import Docker
from ml_agent.sandbox.docker_engine import connect
from ml_agent.sandbox.environment import Environment
from tests.sandbox.engine import containers
from tests.sandbox.support import SYSTEM

pytestmark = pytest.mark.docker
_BUSYBOX = "ml-agent-test-busybox:1"
_LIBRARIES = "ml-agent-test-libraries:1"
_STRANGE = "ml-agent-test-strange:1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    place.mkdir()
    return place


@pytest.fixture(scope="module")
def api() -> Iterator[Any]:
    client = connect()
    yield client
    for name in (_BUSYBOX, _LIBRARIES, _STRANGE):
        if client.images(name):
            client.remove_image(name, force=True)
    client.close()


def make_image(api: Any, name: str, files: dict[str, str]) -> None:
    """An image of busybox and these files: path inside -> path here."""
    program = shutil.which("busybox")
    if program is None or libraries(program):
        pytest.fail("busybox-static is not installed: .ci/docker-engine start")
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tree:
        tree.add(program, "bin/busybox")
        for applet in subprocess.run([program, "--list"], capture_output=True, text=True, check=True).stdout.split():
            if applet != "busybox":
                entry = tarfile.TarInfo(f"bin/{applet}")
                entry.type, entry.linkname = tarfile.SYMTYPE, "busybox"
                tree.addfile(entry)
        for inside, path in files.items():
            tree.add(os.path.realpath(path), inside.lstrip("/"))
    changes = ["ENV FLAVOUR=vanilla PATH=/opt/own/bin:/bin", 'ENTRYPOINT ["/bin/false"]', "USER root"]
    api.import_image_from_data(buffer.getvalue(), *name.split(":"), changes=changes)


def libraries(*objects: str) -> set[str]:
    said = "".join(subprocess.run(["ldd", path], capture_output=True, text=True).stdout for path in objects)
    return {word for word in said.split() if word.startswith("/")}


def test_our_own_is_made_once_for_the_same_links(api: Any) -> None:
    first = docker_image.ensure_base(api, {"/run/x/python": "/usr/bin/python3"}, "1:1")
    try:
        known = api.inspect_image(first)
        assert docker_image.ensure_base(api, {"/run/x/python": "/usr/bin/python3"}, "1:1") == first
        assert api.inspect_image(first)["Created"] == known["Created"]
        assert known["Size"] < 100_000
        assert known["Config"]["Labels"]["ml-agent.sandbox"] == "base"
        other = docker_image.ensure_base(api, {"/run/x/python": "/usr/bin/python"}, "1:1")
        assert other != first
        api.remove_image(other)
    finally:
        api.remove_image(first)


def test_links_of_an_environment_are_shown(folder: Path) -> None:
    environment = Environment("/run/ml-agent/bin/python", "", links={"/run/ml-agent/bin/python": "/bin/echo", "/opt/x/link": "/usr"})
    with Docker(folder, environment) as sandbox:
        assert sandbox.exec(["sh", "-c", "python said; readlink /opt/x/link"], timeout=10).stdout == "said\n/usr\n"


def test_an_image_without_python_has_its_own_programs(api: Any, folder: Path) -> None:
    make_image(api, _BUSYBOX, {"/opt/own/bin/python3": __file__, "/data/x": __file__})
    with Docker(folder, SYSTEM, image=_BUSYBOX) as sandbox:
        assert any("does not start in it" in note for note in sandbox.notes)
        code = "echo $FLAVOUR; echo $PATH; id -u; test -e /data/x && touch made && echo ok; ls /usr/bin 2>/dev/null; echo $VIRTUAL_ENV"
        lines = sandbox.exec(["sh", "-c", code], timeout=10).stdout.splitlines()
        assert lines == ["vanilla", "/opt/own/bin:/bin:/usr/local/bin:/usr/bin:/bin", str(os.getuid() or 65534), "ok", ""]
        assert (folder / "made").exists()
        assert sandbox.exec(["sleep", "30"], timeout=0.5).timed_out
        assert "python3" in sandbox.exec([SYSTEM.python, "x.py"], timeout=10).stderr, "the image's is asked"
    assert containers() == []


def test_an_image_that_the_environments_python_starts_in(api: Any, folder: Path) -> None:
    if not SYSTEM.mounts or SYSTEM.links:
        pytest.skip("the Python of these tests is the system's own")
    modules = [import_module(name) for name in ("_ctypes", "_ssl", "zlib")]
    wanted = [module.__file__ for module in modules if module.__file__]
    make_image(api, _LIBRARIES, {path: path for path in libraries(os.path.realpath(SYSTEM.python), *wanted)})
    with Docker(folder, SYSTEM, image=_LIBRARIES) as sandbox:
        assert any("runs still use" in note for note in sandbox.notes)
        result = sandbox.exec(["python3", "-c", "import sys, pytest; print(sys.executable)"], timeout=20)
        assert result.stdout == f"{os.path.dirname(SYSTEM.python)}/python3\n", result.stderr


def refusal(folder: Path, image: str) -> str:
    with pytest.raises(SandboxUnavailable) as caught:
        Docker(folder, SYSTEM, image=image).start()
    assert "\n" not in str(caught.value)
    assert containers() == []
    return str(caught.value)


def test_no_such_image(folder: Path, api: Any) -> None:
    assert "docker pull nosuch:1" in refusal(folder, "nosuch:1")
    assert "is no name of an image" in refusal(folder, "No Such Image")
    empty = docker_image.ensure_base(api, {}, "1:1")
    assert "/bin/sh" in refusal(folder, empty), "it has no programs"


def test_an_image_of_another_architecture(folder: Path, api: Any) -> None:
    other = "arm64" if api.version()["Arch"] != "arm64" else "amd64"
    config = {"architecture": other, "os": "linux", "rootfs": {"type": "layers", "diff_ids": []}, "config": {}}
    files = {"config.json": config, "manifest.json": [{"Config": "config.json", "RepoTags": [_STRANGE], "Layers": []}]}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data := json.dumps(content).encode())
            archive.addfile(entry, io.BytesIO(data))
    list(api.load_image(buffer.getvalue()))
    assert f"is for {other}" in refusal(folder, _STRANGE)
