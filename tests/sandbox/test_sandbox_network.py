"""What a run reaches once the user has given it the network, and what the sandbox `local` has from the start."""

import os
import socket
from pathlib import Path

import pytest

from ml_agent.sandbox.base import Mount
from ml_agent.sandbox.bubblewrap import Bubblewrap
from ml_agent.sandbox.docker import Docker
from ml_agent.sandbox.docker_engine import connect
from ml_agent.sandbox.local import Local
from tests.sandbox.engine import containers
from tests.sandbox.leftovers import attacked
from tests.sandbox.support import SYSTEM, bash

_CONNECT = "import socket; socket.create_connection(('127.0.0.1', {}), 2)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    place.mkdir()
    return place


@pytest.mark.bubblewrap
def test_bubblewrap_shares_this_machines_network(folder: Path, tmp_path: Path) -> None:
    """With its own servers, and the sockets that are no files; those that are files stay out of reach, and so does all else."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as named,
        Bubblewrap(folder, SYSTEM, network=True) as sandbox,
    ):
        abstract.bind(f"\0ml-agent-{os.getpid()}")
        abstract.listen()
        named.bind(str(tmp_path / "s"))
        named.listen()
        assert sandbox.exec(["python3", "-c", _CONNECT.format(server.getsockname()[1])], timeout=10).ok
        for name, reached in ((abstract.getsockname().decode(), True), (named.getsockname(), False)):
            code = f"import socket; socket.socket(socket.AF_UNIX).connect({name!r})"
            assert sandbox.exec(["python3", "-c", code], timeout=10).ok == reached
        assert bash(sandbox, "ls -A /home /var /root/.ssh 2>/dev/null; ls -A ~").stdout == ""
        assert not bash(sandbox, "echo x > /etc/resolv.conf").ok


@pytest.mark.docker
def test_docker_uses_the_engines_bridge(folder: Path) -> None:
    """As the engine has it, whether or not that one has a bridge: all else is as without, and this machine's loopback is not shared."""
    api = connect()
    with Docker(folder, SYSTEM, network=True) as sandbox, socket.create_server(("127.0.0.1", 0)) as server:
        host = api.inspect_container(containers()[0])["HostConfig"]
        code = _CONNECT.format(server.getsockname()[1])
        assert "refused" in sandbox.exec(["python3", "-c", code], timeout=10).stderr
    api.close()
    assert (host["NetworkMode"], host["CapDrop"], host["Privileged"], host["ReadonlyRootfs"]) == ("bridge", ["ALL"], False, True)


@pytest.mark.bubblewrap
def test_passwords_of_proxies_are_not_handed_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://user:secret@proxy.invalid:3128")
    monkeypatch.setenv("http_proxy", "http://proxy.invalid:3128")
    with Bubblewrap(folder, SYSTEM, network=True) as sandbox:
        said = bash(sandbox, "env").stdout
    assert "http_proxy=http://proxy.invalid:3128" in said
    assert "secret" not in said


@pytest.mark.parametrize(
    "kind", [pytest.param("docker", marks=pytest.mark.docker), pytest.param("bubblewrap", marks=pytest.mark.bubblewrap)]
)
def test_paths_of_this_machine_can_be_seen_and_not_what_stands_there(kind: str, tmp_path: Path) -> None:
    with attacked(kind, tmp_path) as sandbox:
        assert str(tmp_path) in bash(sandbox, "cat /proc/self/mountinfo").stdout
        assert bash(sandbox, f"ls -A {tmp_path}").stdout == "repository\n"


def test_local_protects_nothing(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("word")
    (tmp_path / "data").mkdir()
    (folder / "data").mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server, Local(folder, SYSTEM, [Mount(tmp_path / "data", f"{folder}/data")]) as sandbox:
        assert bash(sandbox, f"cat {tmp_path}/secret; echo changed > {tmp_path}/secret; echo x > data/x").stdout == "word"
        assert sandbox.exec(["python3", "-c", _CONNECT.format(server.getsockname()[1])], timeout=10).ok
    assert (tmp_path / "secret").read_text() == "changed\n"
    assert (tmp_path / "data" / "x").exists()
