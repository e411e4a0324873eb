"""Files planted in a repository, against ml-agent's own processes: none of them may be executed outside the sandbox.

Each plant writes to a file outside the repository, which only a process outside a sandbox can. That they work is looked at first.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commandline import environment, run, scripted, submit

SANDBOXES = [
    pytest.param("docker", marks=pytest.mark.docker),
    pytest.param("bubblewrap", marks=pytest.mark.bubblewrap),
    "none",
]
TASK = "train the MLP on the moons with a learning rate of 0.05 for 5 epochs"
_MODULES = ("sitecustomize", "usercustomize", "conftest", "setup", "json", "numpy", "docker", "ml_agent", "tests", "runpy", "pytest_plugin")
_PROGRAMS = ("python", "python3", "bash", "sh", "git", "bwrap", "setpriv", "nice", "env", "timeout", "docker", "ps", "uname")
_LIBRARY = """
#include <stdio.h>
__attribute__((constructor)) static void run(void) {
    FILE *file = fopen(MARKER, "a");
    if (file) { fputs("library\\n", file); fclose(file); }
}
"""


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "executed-outside"


@pytest.fixture
def planted(smoke: Path, marker: Path) -> Path:
    """The example repository with all of them."""
    code = f"""
for place in ({str(marker)!r}, 'executed-inside'):
    try:
        open(place, 'a').write(__name__ + chr(10))
    except OSError:
        pass
"""
    for name in _MODULES:
        (smoke / f"{name}.py").write_text(code)
    script = f'#!/bin/sh\n{{ echo "$0" >> {marker}; }} 2>/dev/null\necho "$0" >> executed-inside\n'
    for folder in ("bin", ".venv/bin", "node_modules/.bin"):
        (smoke / folder).mkdir(parents=True)
        for name in _PROGRAMS:
            (smoke / folder / name).write_text(script)
            (smoke / folder / name).chmod(0o755)
    for name in _PROGRAMS[2:]:
        shutil.copy(smoke / "bin" / name, smoke / name)
    packages = smoke / ".venv" / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "x.pth").write_text(f"import os; open({str(marker)!r}, 'a').write('pth')\n")
    (packages / "sitecustomize.py").write_text(code)
    (smoke / ".venv" / "pyvenv.cfg").write_text(f"home = {smoke / 'bin'}\ninclude-system-site-packages = true\n")
    (smoke / ".git" / "hooks").mkdir(parents=True)
    for name, text in {
        "HEAD": "ref: refs/heads/main\n",
        "config": f"[core]\n\trepositoryformatversion = 0\n\tfsmonitor = {smoke}/bin/git\n\thooksPath = {smoke}/bin\n"
        f"\tpager = {smoke}/bin/git\n",
        "objects/x": "",
        "refs/x": "",
    }.items():
        (smoke / ".git" / name).parent.mkdir(exist_ok=True)
        (smoke / ".git" / name).write_text(text)
    for name in (".env", ".envrc"):
        (smoke / name).write_text(f"export LD_PRELOAD={smoke}/planted.so PYTHONPATH={smoke} BASH_ENV={smoke}/bin/bash PATH={smoke}/bin\n")
    (smoke / "pytest.ini").write_text("[pytest]\naddopts = -p pytest_plugin\n")
    return smoke


def command() -> str:
    """As it is installed: `python -m` looks for modules in the working folder, which is Python's own doing."""
    return str(Path(sys.executable).parent / "ml-agent")


def solve(planted: Path, sandbox: str, *more: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """From the repository as the working folder, with its programs on PATH: an activated environment's, then the relative ones."""
    path = os.pathsep.join((str(planted / ".venv" / "bin"), str(planted / "bin"), ".", "bin", "", os.environ["PATH"]))
    env = environment(PATH=path, VIRTUAL_ENV=str(planted / ".venv"), **variables)
    del env["PYTHONPATH"]
    words = [command(), "solve", "--repo", ".", "--task", TASK, "--sandbox", sandbox, "--json", *more]
    return subprocess.run(words, capture_output=True, text=True, timeout=50, cwd=planted, env=env)


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_the_plants_are_live(planted: Path, marker: Path) -> None:
    def is_executed(*words: str, **variables: str) -> bool:
        marker.unlink(missing_ok=True)
        subprocess.run(words, cwd=planted, env={**os.environ, **variables}, capture_output=True)
        return marker.exists()

    assert is_executed(sys.executable, "-c", "pass", PYTHONPATH=str(planted))
    assert is_executed(sys.executable, "-m", "pytest", "--collect-only", "-q", PYTHONSAFEPATH="")
    assert is_executed("git", "status", GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="safe.directory", GIT_CONFIG_VALUE_0="*")
    assert is_executed("/bin/sh", "-c", "python", PATH=str(planted / "bin"))


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_solve_executes_none_of_them(planted: Path, marker: Path, sandbox: str) -> None:
    before = {path: path.stat().st_mtime_ns for path in planted.rglob("*")}
    done = solve(planted, sandbox)
    assert not marker.exists(), marker.read_text()
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["run"]["outcome"] == ("not_run" if sandbox == "none" else "completed"), result
    assert {path: path.stat().st_mtime_ns for path in planted.rglob("*")} == before


@pytest.mark.parametrize("sandbox", SANDBOXES[:2])
def test_what_a_run_executes_stays_inside(planted: Path, marker: Path, tmp_path: Path, sandbox: str) -> None:
    code = "PYTHONPATH=. python3 -c pass; ./git status; bin/python; python3 -m conftest; PATH=bin:$PATH bwrap"
    policy = scripted(tmp_path, run(code), submit("python train.py --epochs 1"))
    done = solve(planted, sandbox, "--policy", policy, "--output", str(tmp_path / "kept"))
    assert done.returncode == 0, done.stderr
    inside = (tmp_path / "kept" / "made" / "executed-inside").read_text().split()
    assert {"sitecustomize", "__main__", "./git", "bin/python", "bin/bwrap"} <= set(inside)
    assert not marker.exists(), marker.read_text()


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler to make a library with")
@pytest.mark.parametrize("sandbox", SANDBOXES[:2])
def test_a_library_is_loaded_inside_alone(planted: Path, marker: Path, tmp_path: Path, sandbox: str) -> None:
    library = planted / "planted.so"
    source = tmp_path / "planted.c"
    source.write_text(_LIBRARY)
    for target, place in ((library, marker), (planted / "inside.so", Path("library-inside"))):
        subprocess.run(["cc", "-shared", "-fPIC", f'-DMARKER="{place}"', "-o", target, source], check=True)
    subprocess.run(["true"], env={"LD_PRELOAD": str(library)}, check=True)
    assert marker.read_text() == "library\n", "it is live"
    marker.unlink()
    code = "export LD_PRELOAD=$PWD/planted.so:$PWD/inside.so LD_LIBRARY_PATH=$PWD; python3 -c pass; sleep 0.1"
    policy = scripted(tmp_path, run(code), submit(f"{code}; python train.py --epochs 1"))
    done = solve(planted, sandbox, "--policy", policy, "--output", str(tmp_path / "kept"))
    assert done.returncode == 0, done.stderr
    assert "library" in (tmp_path / "kept" / "made" / "library-inside").read_text()
    assert not marker.exists()


def test_a_check_executes_none_of_them(planted: Path, marker: Path) -> None:
    path = os.pathsep.join((str(planted / "bin"), str(planted / ".venv" / "bin"), os.environ["PATH"]))
    for code in ("python train.py --epochs 3", "cd bin && ./python x.py", "import json, numpy\nimport train"):
        words = [command(), "check", "--repo", ".", code]
        subprocess.run(words, capture_output=True, text=True, timeout=50, cwd=planted, env=environment(PATH=path, PYTHONPATH=""))
    assert not marker.exists(), marker.read_text()


def test_python_itself_looks_in_the_working_folder(planted: Path, marker: Path) -> None:
    """The one gap, and why the command is to be used: `python -m ml_agent`, from a repository, is that repository's `ml_agent.py`."""
    words = [sys.executable, "-m", "ml_agent", "--help"]
    subprocess.run(words, capture_output=True, timeout=50, cwd=planted)
    assert "__main__" in marker.read_text() or "runpy" in marker.read_text()
