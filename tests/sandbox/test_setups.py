"""Setups: a command that is run once, and what it did kept."""

import functools
import http.server
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.errors import UsageError
from ml_agent.sandbox import setups
from ml_agent.sandbox.options import Options
from ml_agent.task import Answer
from ml_agent.workspace import Workspace

BACKENDS = [
    pytest.param("docker", marks=pytest.mark.docker),
    pytest.param("bubblewrap", marks=pytest.mark.bubblewrap),
]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "ml-agent" / "setups"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "train.py").write_text("print('trained')\n")
    return root


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A distribution `birds`, as a wheel."""
    folder = tmp_path / "index" / "birds"
    folder.mkdir(parents=True)
    path = folder / "birds-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("birds.py", "def sing():\n    return 'tweet'\n")
        file.writestr("birds-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: birds\nVersion: 1.0\n")
        file.writestr("birds-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr("birds-1.0.dist-info/RECORD", "birds.py,,\nbirds-1.0.dist-info/METADATA,,\nbirds-1.0.dist-info/WHEEL,,\n")
    return path


@pytest.fixture
def index(wheel: Path) -> Iterator[str]:
    """The address of a server of packages on this machine."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(wheel.parents[1]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def run(repository: Path, code: str, **options: object) -> tuple[str, str]:
    """Outcome and output of a command after a setup."""
    with Workspace(repository, Options(python=sys.executable, **options)) as workspace:  # type: ignore[arg-type]
        done = workspace.run_answer(Answer("bash", code), 30)
    return done.outcome, done.output_tail.strip()


@pytest.mark.parametrize("sandbox", BACKENDS)
def test_what_it_did_is_there_for_each_run(sandbox: str, repository: Path, cache: Path) -> None:
    setup = "date +%N > built; python -c 'import sys; print(sys.prefix)' > prefix; echo 'print(1)' > $VIRTUAL_ENV/bin/tool"
    first = run(repository, "cat built prefix; ls $VIRTUAL_ENV/bin/tool", sandbox=sandbox, setup=setup)
    assert first[0] == "completed", first
    built, prefix, tool = first[1].split()
    assert prefix.startswith(str(cache))
    assert tool == f"{prefix}/bin/tool"
    assert run(repository, "cat built", sandbox=sandbox, setup=setup)[1] == built, "it ran once"
    assert not (repository / "built").exists()


@pytest.mark.parametrize("sandbox", BACKENDS)
def test_packages_of_the_base_are_seen_and_runs_cannot_change_the_environment(sandbox: str, repository: Path) -> None:
    code = "python -c 'import pytest, sys; print(sys.prefix != sys.base_prefix)'; touch $VIRTUAL_ENV/x; true"
    outcome, said = run(repository, code, sandbox=sandbox, setup="true")
    assert outcome == "completed"
    assert said.splitlines()[0] == "True"
    assert "Read-only file system" in said


@pytest.mark.bubblewrap
def test_a_package_is_installed_with_the_network_for_the_setup_alone(repository: Path, index: str) -> None:
    setup = f"pip install --index-url {index} birds"
    code = f"python -c 'import birds; print(birds.sing())' && python -c 'import urllib.request as u; u.urlopen(\"{index}\", timeout=2)'"
    outcome, said = run(repository, code, sandbox="bubblewrap", setup=setup, network="setup")
    assert outcome == "failed", "the server is not to be reached"
    assert said.startswith("tweet")
    assert "urlopen error" in said
    outcome, said = run(repository, code, sandbox="bubblewrap", setup=setup, network="on")
    assert (outcome, said) == ("completed", "tweet")


@pytest.mark.bubblewrap
def test_without_the_network_the_error_says_what_to_do(repository: Path, cache: Path) -> None:
    setup = "pip install --retries 1 --index-url https://index.invalid/ birds"
    with pytest.raises(UsageError, match="--network setup"):
        run(repository, "true", sandbox="bubblewrap", setup=setup)
    (folder,) = [path for path in cache.iterdir() if path.is_dir()]
    assert [path.name for path in folder.iterdir()] == ["log"], "what was half made is gone"
    with pytest.raises(UsageError, match="exit code 3"):
        run(repository, "true", sandbox="bubblewrap", setup="exit 3", network="setup")


@pytest.mark.bubblewrap
def test_a_changed_repository_or_command_is_set_up_anew(repository: Path) -> None:
    setup = "date +%N > built"

    def built(setup: str = setup) -> str:
        return run(repository, "cat built", sandbox="bubblewrap", setup=setup)[1]

    first = built()
    assert built() == first
    assert built("date +%N  > built") != first
    (repository / "train.py").write_text("print('otherwise')\n")
    assert built() != first


@pytest.mark.bubblewrap
def test_a_venv_as_the_base(repository: Path, tmp_path: Path, wheel: Path) -> None:
    """A virtual environment over another: both their packages are there."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "base"], check=True)
    (packages,) = (tmp_path / "base" / "lib").glob("python*/site-packages")
    zipfile.ZipFile(wheel).extractall(packages)
    options = Options(
        sandbox="bubblewrap", python=str(tmp_path / "base"), setup="cd $VIRTUAL_ENV/lib/python3*/site-packages; echo 'x = 1' > own.py"
    )
    with Workspace(repository, options) as workspace:
        done = workspace.run_answer(Answer("bash", "python -c 'import birds, own; print(birds.sing(), own.x)'"), 30)
        assert workspace.environment.packages().items() >= {"birds": "1.0"}.items()
    assert (done.outcome, done.output_tail) == ("completed", "tweet 1")


@pytest.mark.bubblewrap
def test_what_a_setup_plants_is_never_executed_outside(repository: Path, tmp_path: Path) -> None:
    """It replaces the interpreter of its environment, its settings and its packages; then the environment is looked at and used again."""
    marker = tmp_path / "executed"
    evil = f"#!/bin/sh\\ntouch {marker}\\n"
    setup = f"""
        cd $VIRTUAL_ENV; rm bin/python*
        for name in python python3; do printf '{evil}' > bin/$name; chmod +x bin/$name; done
        printf 'home = %s/bin\\n' $VIRTUAL_ENV > pyvenv.cfg
        echo 'import os; os.system("touch {marker}")' > lib/python3.*/site-packages/x.pth
        ln -sfn /etc bin/link; rm -rf lib64; ln -s {tmp_path} lib64
    """
    for _ in range(2):
        with Workspace(repository, Options(sandbox="bubblewrap", python=sys.executable, setup=setup)) as workspace:
            workspace.run_answer(Answer("python", "print(1)"), 20)
            workspace.environment.packages()
    assert not marker.exists()


@pytest.mark.bubblewrap
def test_two_at_once_make_it_once(repository: Path) -> None:
    setup = "sleep 0.5; date +%N > built"
    said: list[str] = []
    threads = [
        threading.Thread(target=lambda: said.append(run(repository, "cat built", sandbox="bubblewrap", setup=setup)[1])) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(50)
    assert len(said) == 3
    assert len(set(said)) == 1


@pytest.mark.bubblewrap
def test_what_is_old_or_half_made_is_removed(repository: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (cache / "half" / "venv").mkdir(parents=True)
    run(repository, "true", sandbox="bubblewrap", setup="true")
    assert not (cache / "half").exists()
    (old,) = [path for path in cache.iterdir() if path.is_dir()]
    os.utime(old / "done.json", (1, 1))
    run(repository, "true", sandbox="bubblewrap", setup="true #")
    assert not old.exists()
    assert setups.SECONDS > 0
