import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.git import command
from ml_agent.git.command import GitFailed, git
from tests.commandline import environment
from tests.git.test_state import git as own_git
from tests.pace import within


def test_what_git_prints() -> None:
    assert git("--version", seconds=20).startswith(b"git version")


def test_why_it_fails_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match=r"^git cannot fetch the repository: fatal: not a git repository") as caught:
        git("-C", str(tmp_path), "status", seconds=20)
    assert "\n" not in str(caught.value)
    assert not caught.value.too_large


def test_no_configuration_of_the_user_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".gitconfig").write_text("[user]\n name = theirs\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.email")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "theirs")
    said = git("config", "--list", seconds=20).decode()
    assert "theirs" not in said
    assert "protocol.allow=never" in said


def test_a_git_of_path_alone_is_not_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    git("--version", seconds=20)
    assert not (tmp_path / "ran").exists()


def test_without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "find_program", lambda name: None)
    with pytest.raises(InfrastructureError, match="git is not installed: install it, or give a folder"):
        git("--version", seconds=20)


@pytest.fixture
def silent_url() -> Iterator[str]:
    """Of a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []
        thread = threading.Thread(target=_accept, args=(server, kept), daemon=True)
        thread.start()
        yield f"https://127.0.0.1:{server.getsockname()[1]}/x"
        for one in kept:
            one.close()


def _accept(server: socket.socket, kept: list[socket.socket]) -> None:
    try:
        while True:
            kept.append(server.accept()[0])
    except OSError:
        return


def _those_with(text: str) -> list[int]:
    found = []
    for entry in os.listdir("/proc"):
        try:
            if entry.isdigit() and text.encode() in Path(f"/proc/{entry}/cmdline").read_bytes():
                found.append(int(entry))
        except OSError:
            continue
    return found


def test_the_time_is_over_for_it_and_for_what_it_started(silent_url: str) -> None:
    with within(5), pytest.raises(GitFailed, match=r"did not end within 0\.5 seconds"):
        git("ls-remote", silent_url, "HEAD", seconds=0.5)
    _gone(silent_url)


def test_an_interruption_ends_it(silent_url: str) -> None:
    code = f"from ml_agent.git.command import git; git('ls-remote', {silent_url!r}, 'HEAD', seconds=50)"
    process = subprocess.Popen([sys.executable, "-c", code], env=environment(), stderr=subprocess.PIPE)
    until = time.monotonic() + 20
    while len(_those_with(silent_url)) < 3 and time.monotonic() < until:  # ourselves, git, its helper for https
        time.sleep(0.02)
    assert len(_those_with(silent_url)) >= 3
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    _gone(silent_url)


def _gone(text: str) -> None:
    until = time.monotonic() + 5
    while _those_with(text) and time.monotonic() < until:
        time.sleep(0.02)
    assert _those_with(text) == []


def test_it_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_SHELL", "x" * 3_000_000)  # more than one argument may be
    with pytest.raises(InfrastructureError, match="cannot start git: Argument list too long"):
        git("--version", seconds=20)


def test_too_much_is_told(tmp_path: Path) -> None:
    """Of what it prints, and of a pack, which a program of its own writes."""
    with pytest.raises(GitFailed, match="more than 512 bytes of output") as caught:
        git("help", "--all", seconds=20, output_bytes=512)
    assert caught.value.too_large
    for folder in ("one", "two"):
        git("init", "--quiet", str(tmp_path / folder), seconds=20)
    (tmp_path / "one/a").write_bytes(os.urandom(1_000_000))
    own_git(tmp_path / "one", "add", "a")
    own_git(tmp_path / "one", "commit", "-q", "-m", "x")
    fetch = ("-C", str(tmp_path / "two"), "-c", "fetch.unpackLimit=1", "fetch", "--quiet", (tmp_path / "one").as_uri(), "HEAD")
    with pytest.raises(GitFailed, match="File too large") as caught:
        git(*fetch, seconds=20, file_bytes=100_000)
    assert caught.value.too_large
    git(*fetch, seconds=20)
