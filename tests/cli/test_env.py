"""`ml-agent env` as a user meets it."""

import json
from pathlib import Path

from tests.commandline import ml_agent, one_line
from tests.sandbox.test_environment import add_package, make_venv


def make(tmp_path: Path, files: dict[str, str]) -> tuple[Path, Path]:
    repository, environment = tmp_path / "repo", make_venv(tmp_path / "env")
    for name, text in files.items():
        (repository / name).parent.mkdir(parents=True, exist_ok=True)
        (repository / name).write_text(text)
    add_package(environment, "here", "1.0")
    return repository, environment


def test_missing_first_and_exit_code_1(tmp_path: Path) -> None:
    files = {"requirements.txt": "here\nold>=2\ngone>=1  # x\n", "requirements-dev.txt": "pytest\n"}
    files |= {"setup.py": "def (:", "a.py": "import gone, cv2\n"}
    repository, environment = make(tmp_path, files)
    add_package(environment, "old", "1.5")
    done = ml_agent("env", "--repo", repository, "--python", environment)
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[1] == "declared   3 in requirements.txt: 1 here, 1 missing, 1 of another version"
    assert [line.split() for line in lines[2:5]] == [
        "missing gone>=1 requirements.txt:3 imported by 1 file".split(),
        "version old>=2 requirements.txt:2 1.5 is here".split(),
        "undeclared cv2 (opencv-python) a.py:1 imported by 1 file".split(),
    ]
    assert lines[5].startswith("unread     setup.py:1  it is no Python 3")
    assert lines[6].split() == "optional requirements-dev.txt 1 of 1 not met pytest".split()
    assert "--setup 'pip install -r requirements.txt opencv-python' --network setup" in done.stdout
    assert f"{environment}/bin/python -m venv ~/envs/repo" in done.stdout


def test_all_there_is_exit_code_0(tmp_path: Path) -> None:
    repository, environment = make(tmp_path, {"requirements.txt": "here>=1\n", "a.py": "import here\n"})
    done = ml_agent("env", "--repo", repository, "--python", environment)
    assert done.returncode == 0
    assert "1 here" in done.stdout
    assert "--setup" not in done.stdout


def test_json_has_all(tmp_path: Path) -> None:
    many = "".join(f"p{i}\n" for i in range(40))
    repository, environment = make(tmp_path, {"requirements.txt": many, "a.py": "import torch\n"})
    screen = ml_agent("env", "--repo", repository, "--python", environment).stdout
    assert len(screen.splitlines()) < 24
    assert "and 31 more; --json names them" in screen
    done = ml_agent("env", "--repo", repository, "--python", environment, "--json")
    said = json.loads(done.stdout)
    assert done.returncode == 1
    assert len(said["distributions"]) == 40
    assert said["distributions"][0]["place"] == "requirements.txt:1"
    assert said["modules"] == [
        {
            "module": "torch",
            "need": "needed",
            "files": 1,
            "place": "a.py:1",
            "installed": False,
            "distribution": "torch",
            "certain": True,
            "declared_as": "",
            "remark": "",
        }
    ]
    assert (said["ok"], said["environment"]["python"]) == (False, f"{environment}/bin/python")
    assert said["remedy"]["setup"] == "pip install -r requirements.txt torch"


def test_foreign_text_is_shown_not_obeyed(tmp_path: Path) -> None:
    files = {"requirements.txt": "\x1b[31m[/bold]\nreq @ https://example.org/\x1b]0;x\x07\n--extra-index-url https://x/\x1b[2J\n"}
    repository, environment = make(tmp_path, {**files, "a\x1b[1m.py": "import torch\n"})
    done = ml_agent("env", "--repo", repository, "--python", environment)
    assert "\x1b" not in done.stdout + done.stderr
    assert "\x07" not in done.stdout
    assert "[/bold]" in done.stdout


def test_bad_input_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    repository, _ = make(tmp_path, {"a.py": ""})
    cases: list[tuple[list[str | Path], str]] = [
        (["--repo", tmp_path / "nowhere"], "no such folder"),
        (["--repo", repository, "--python", "no-such-python"], "no-such-python"),
        ([], "--repo"),
    ]
    for arguments, said in cases:
        done = ml_agent("env", *arguments)
        assert done.returncode == 2
        assert said in one_line(done)
