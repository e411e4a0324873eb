"""Finding the interpreter and packages of a run, with real interpreters and virtual environments."""

import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

import pytest

from ml_agent.errors import UsageError
from ml_agent.sandbox.bubblewrap import Bubblewrap
from ml_agent.sandbox.environment import Environment, find_environment
from tests.sandbox.support import bash


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    place = tmp_path / "repository"
    place.mkdir()
    return place


def make_venv(folder: Path, *, links: bool = True, shared: bool = False) -> Path:
    venv.create(folder, symlinks=links, system_site_packages=shared, with_pip=False)
    return folder


def add_package(environment: Path, name: str, version: str) -> Path:
    """A distribution of one module; its site-packages folder."""
    (site,) = environment.glob("lib/python3*/site-packages")
    module = name.replace("-", "_").lower()
    (site / f"{module}.py").write_text(f"version = {version!r}\n")
    info = site / f"{module}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n\nName: not-this\n")
    return site


def seen(environment: Environment, repository: Path, code: str) -> str:
    with Bubblewrap(repository, environment, inside=str(repository)) as sandbox:
        result = sandbox.exec(["python", "-c", code], timeout=20)
        return (result.stdout + result.stderr).strip()


@pytest.mark.bubblewrap
def test_the_named_venv_is_what_a_run_sees(repository: Path, tmp_path: Path) -> None:
    site = add_package(make_venv(tmp_path / "env"), "My_Package", "1.2")
    for name in (tmp_path / "env", tmp_path / "env" / "bin" / "python"):
        found = find_environment(repository, str(name))
        assert found.packages() == {"my-package": "1.2"}
        assert found.path == (str(site),)
        assert found.version == ".".join(map(str, sys.version_info[:3]))
        code = "import my_package, sys; print(my_package.version, sys.prefix, sys.version_info[:3] == " + repr(sys.version_info[:3]) + ")"
        assert seen(found, repository, code) == f"1.2 {tmp_path}/env True"


def test_the_order(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    active, named = make_venv(tmp_path / "active"), make_venv(tmp_path / "named")
    assert find_environment(repository, None).python != str(active / "bin" / "python")
    monkeypatch.setenv("VIRTUAL_ENV", str(active))
    assert find_environment(repository, None).python == str(active / "bin" / "python")
    make_venv(repository / ".venv")
    assert find_environment(repository, None).python == str(repository / ".venv" / "bin" / "python")
    assert find_environment(repository, str(named)).python == str(named / "bin" / "python")


def test_a_name_is_looked_up_on_path(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_venv(tmp_path / "env")
    monkeypatch.setenv("PATH", f"{folder}/bin:/usr/bin:/bin")
    assert find_environment(repository, "python3").python == str(folder / "bin" / "python3")
    assert find_environment(repository, None).python == str(folder / "bin" / "python3")


def test_a_wrapper_script_is_followed(repository: Path, tmp_path: Path) -> None:
    """As those of pyenv: python3 on PATH is a shell script."""
    folder = make_venv(tmp_path / "env")
    wrapper = tmp_path / "python3"
    wrapper.write_text(f'#!/bin/sh\nexec {folder}/bin/python "$@"\n')
    wrapper.chmod(0o755)
    found = find_environment(repository, str(wrapper))
    assert found.variables["VIRTUAL_ENV"] == str(folder)


def test_that_which_is_no_python(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("print(1)\n")
    (tmp_path / "runs").write_text("#!/bin/sh\necho '{\"version\": 1}'\n")
    (tmp_path / "runs").chmod(0o755)
    (tmp_path / "link").symlink_to("nowhere")
    names = ["/nosuch", "nosuch", str(tmp_path), str(tmp_path / "text"), str(tmp_path / "runs"), str(tmp_path / "link")]
    for name in [*names, "/bin/true", "/bin/yes", "", " ", "a\0b", "/dev/null", "x" * 5000]:
        with pytest.raises(UsageError, match="--python") as caught:
            find_environment(repository, name)
        assert "\n" not in str(caught.value)


def test_a_program_that_never_answers(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ml_agent.sandbox.interpreter._SECONDS", 0.3)
    (tmp_path / "hangs").write_text("#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 1; done\n")
    (tmp_path / "hangs").chmod(0o755)
    with pytest.raises(UsageError, match="did not answer"):
        find_environment(repository, str(tmp_path / "hangs"))


def test_no_python_at_all(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="--python"):
        find_environment(repository, None)


def trap(path: Path, proof: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\ntouch {proof}\n")
    path.chmod(0o755)


def test_nothing_of_the_repository_is_executed(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proof = tmp_path / "executed"
    trap(repository / ".venv" / "bin" / "python", proof)
    trap(repository / "bin" / "python3", proof)
    monkeypatch.setenv("PATH", f"{repository}/bin:.:bin:{os.environ['PATH']}")
    monkeypatch.chdir(repository)
    found = find_environment(repository, None)
    assert not found.python.startswith(str(repository))
    assert any(".venv is not used" in note for note in found.notes)
    for name in (".venv", "./bin/python3", "python3"):
        with pytest.raises(UsageError, match="inside the repository"):
            find_environment(repository, name)
    (repository / ".venv" / "pyvenv.cfg").write_text(f"home = {repository}/bin\n")
    assert not find_environment(repository, None).python.startswith(str(repository))
    assert not proof.exists()


def test_what_is_installed_is_not_executed_either(repository: Path, tmp_path: Path) -> None:
    proof = tmp_path / "executed"
    folder = make_venv(repository / ".venv")
    site = add_package(folder, "x", "1")
    (site / "trap.pth").write_text(f"import os; os.mkdir({str(proof)!r})\n")
    (site / "sitecustomize.py").write_text(f"import os; os.mkdir({str(proof)!r})\n")
    assert find_environment(repository, None).packages() == {"x": "1"}
    assert not proof.exists()


@pytest.mark.bubblewrap
def test_a_venv_of_copies_in_the_repository(repository: Path, tmp_path: Path) -> None:
    """Its interpreter is a file of the repository: it runs in the sandbox, and the one it was made from is asked."""
    add_package(make_venv(repository / ".venv", links=False), "x", "7")
    found = find_environment(repository, None)
    assert found.python == f"{repository}/.venv/bin/python"
    assert seen(found, repository, "import x; print(x.version)") == "7"


@pytest.mark.parametrize("home", ["{secret}/bin", "{secret}", "/", "{repository}/fake/bin", "relative", "", "/nosuch"])
def test_a_strangers_pyvenv_cannot_show_what_it_names(repository: Path, tmp_path: Path, home: str) -> None:
    secret = tmp_path / "secret"
    (secret / "bin").mkdir(parents=True)
    (secret / "key").write_text("x")
    fake = repository / "fake" / "bin"
    fake.mkdir(parents=True)
    (fake / "python3").symlink_to(secret / "key")
    folder = make_venv(repository / ".venv")
    (folder / "pyvenv.cfg").write_text(f"home = {home.format(secret=secret, repository=repository)}\n")
    found = find_environment(repository, None)
    assert found.python == str(folder / "bin" / "python")
    assert not [mount for mount in found.mounts if secret.is_relative_to(mount.source) or mount.source.is_relative_to(secret)]


def test_a_link_in_the_place_of_a_venv_does_not_show_a_home(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "me"
    make_venv(home)
    monkeypatch.setenv("HOME", str(home))
    (repository / ".venv").symlink_to(home)
    found = find_environment(repository, None)
    assert not [mount for mount in found.mounts if home.is_relative_to(mount.source)]
    with pytest.raises(UsageError, match="would show all of"):
        find_environment(repository, str(home))


@pytest.mark.bubblewrap
def test_an_installation_in_the_home_folder_shows_nothing_else_of_it(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """~/bin/python3 and ~/lib/python3.x, as `make install` with the home folder as prefix leaves them."""
    home = tmp_path / "me"
    lib = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    base = Path(sys.base_prefix)
    ignore = shutil.ignore_patterns("site-packages", "test", "__pycache__", "idlelib", "tkinter", "config-*", "ensurepip", "lib2to3")
    shutil.copytree(base / "lib" / lib, home / "lib" / lib, ignore=ignore)
    (home / "lib" / lib / "site-packages").mkdir()
    (home / "bin").mkdir()
    shutil.copy(os.path.realpath(sys.executable), home / "bin" / "python3")
    (home / ".ssh").mkdir()
    monkeypatch.setenv("HOME", str(home))
    found = find_environment(repository, str(home / "bin" / "python3"))
    assert (
        seen(found, repository, f"import json, os, sys; print(sys.prefix, sorted(os.listdir({str(home)!r})))") == f"{home} ['bin', 'lib']"
    )


@pytest.mark.bubblewrap
def test_an_interpreter_behind_links(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A venv made from ~/.local/bin/python3, which is a link to an installation elsewhere in the home folder."""
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    links = tmp_path / "me" / ".local" / "bin"
    links.mkdir(parents=True)
    (tmp_path / "me" / ".local" / "share").mkdir()
    (links / "python3").symlink_to(os.path.realpath(sys.executable))
    subprocess.run([links / "python3", "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    add_package(tmp_path / "env", "x", "3")
    for environment in (str(links / "python3"), str(tmp_path / "env")):
        found = find_environment(repository, environment)
        with Bubblewrap(repository, found) as sandbox:
            assert bash(sandbox, "python -c 'import sys, json; print(sys.version_info[0])'").stdout == "3\n"
            assert bash(sandbox, f"ls -A {tmp_path}/me/.local 2>/dev/null").stdout in ("", "bin\n")
    assert seen(found, repository, "import x; print(x.version)") == "3"


@pytest.mark.bubblewrap
def test_packages_of_the_user_are_seen_and_nothing_else_of_local(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    from ml_agent.sandbox import interpreter

    interpreter.ask.cache_clear()
    local = tmp_path / "me" / ".local"
    base = os.path.realpath(sys.executable)
    (local / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages").mkdir(parents=True)
    (local / "share").mkdir()
    add_package(local, "mine", "5")
    found = find_environment(repository, base)
    assert found.packages()["mine"] == "5"
    assert seen(found, repository, f"import mine, os; print(mine.version, os.listdir({str(local)!r}))") == "5 ['lib']"
    interpreter.ask.cache_clear()


def test_an_editable_install_elsewhere_is_noted(repository: Path, tmp_path: Path) -> None:
    site = add_package(make_venv(tmp_path / "env"), "x", "1")
    (tmp_path / "src").mkdir()
    (site / "a.pth").write_text(f"{tmp_path}/src\n")
    (site / "b.pth").write_text(f"{repository}\n")
    notes = find_environment(repository, str(tmp_path / "env")).notes
    assert [note for note in notes if "src" in note]
    assert not [note for note in notes if "b.pth" in note]


@pytest.mark.bubblewrap
def test_the_repository_installed_editable_is_the_workspace(repository: Path, tmp_path: Path) -> None:
    site = add_package(make_venv(tmp_path / "env"), "x", "1")
    (site / "own.pth").write_text(f"{repository}/src\n")
    (repository / "src").mkdir()
    (repository / "src" / "own.py").write_text("word = 'own'\n")
    assert seen(find_environment(repository, str(tmp_path / "env")), repository, "import own; print(own.word)") == "own"


def test_metadata_of_every_kind(repository: Path, tmp_path: Path) -> None:
    site = add_package(make_venv(tmp_path / "env"), "A.b", "1")
    (site / "old-2.egg-info").write_text("Name: old\nVersion: 2\n")
    (site / "older-3.egg-info").mkdir()
    (site / "older-3.egg-info" / "PKG-INFO").write_bytes(b"Name: older\nVersion: 3\n\xff")
    (site / "broken-4.dist-info").mkdir()
    assert find_environment(repository, str(tmp_path / "env")).packages() == {"a-b": "1", "old": "2", "older": "3"}


def test_a_limit_that_is_reached_while_an_interpreter_is_asked_is_no_answer(tmp_path: Path) -> None:
    import signal
    import threading

    from ml_agent.errors import LimitReached
    from ml_agent.sandbox import interpreter

    slow, there = tmp_path / "python3", tmp_path / "there"
    slow.write_text(f'#!/bin/sh\ntest -e {there} && exec {os.path.realpath(sys.executable)} "$@"\ntouch {there}; sleep 30\n')
    slow.chmod(0o755)

    def interrupt(number: int, frame: object) -> None:
        raise LimitReached("seconds", "over")

    def wait() -> None:
        end = time.monotonic() + 10
        while not there.exists() and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGUSR1)

    before = signal.signal(signal.SIGUSR1, interrupt)
    thread = threading.Thread(target=wait)
    try:
        thread.start()
        with pytest.raises(LimitReached):
            interpreter.ask(str(slow), os.defpath)
    finally:
        thread.join()
        signal.signal(signal.SIGUSR1, before)
    assert isinstance(interpreter.ask(str(slow), os.defpath), interpreter.Interpreter)
