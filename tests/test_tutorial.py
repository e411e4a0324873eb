"""docs/tutorial.md is done as it says: its files are written, its commands are run, and what it claims comes out."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ml_agent.benchmarks.suites.smoke import REPOSITORY
from tests.commandline import environment
from tests.models.server import ScriptedServer, serving, text

PAGE = (Path(__file__).parent.parent / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
FILES = {match[1]: code for _, code in BLOCKS if (match := re.match(r"# ([\w.]+)\n", code))}
COMMANDS = [line for language, code in BLOCKS if language == "bash" for line in code.splitlines()]
_SERVER = "http://127.0.0.1:8080/v1"
_INSTALL = f"{shlex.quote(sys.executable)} -m pip -q install --no-deps --no-index --no-build-isolation --target installed ."
"""In place of `pip install .`: offline, and not among the packages of whoever runs the tests."""


class Reader:
    """Someone who does what the page says, one command after the other, and keeps what each printed."""

    def __init__(self, folder: Path, server: ScriptedServer) -> None:
        self.folder, self.printed = folder, dict[str, str]()
        programs = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
        path = os.pathsep.join((str(folder / "installed"), environment()["PYTHONPATH"]))
        env = environment(PATH=programs, PYTHONPATH=path, EXAMPLE=str(REPOSITORY), COLUMNS="200")
        for name, code in FILES.items():
            (folder / name).write_text(code)
        for line in COMMANDS:
            command = line.replace(_SERVER, server.url).replace("pip install .", _INSTALL)
            done = subprocess.run(["bash", "-ec", command], capture_output=True, text=True, timeout=50, cwd=folder, env=env)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
            self.printed[line] = done.stdout

    def output(self, *words: str) -> str:
        """Of the one command that has these words."""
        (found,) = [printed for line, printed in self.printed.items() if all(word in line for word in words)]
        return found


@pytest.fixture(scope="module")
def server() -> Any:
    replies = [json.dumps({"command": f"python train.py --dataset rings {option} 8"}) for option in ("--units", "--hidden")]
    with serving(*map(text, replies)) as made:
        yield made


@pytest.fixture(scope="module")
def reader(server: ScriptedServer, tmp_path_factory: pytest.TempPathFactory) -> Reader:
    return Reader(tmp_path_factory.mktemp("reader"), server)


def test_every_block_is_a_file_or_commands() -> None:
    assert set(FILES) == {"mentions.py", "pyproject.toml", "asks.py"}
    assert [language for language, code in BLOCKS if language != "bash" and code not in FILES.values()] == []
    assert PAGE.count("\n```") == 2 * len(BLOCKS)
    assert len([line for line in COMMANDS if line.startswith("ml-agent bench")]) == 8


def test_the_policy_is_about_as_long_as_it_says() -> None:
    """Without its imports, and the lines between."""
    body = FILES["mentions.py"].partition("class ")[2]
    assert len([line for line in body.splitlines() if line.strip()]) <= 24


def test_it_solves(reader: Reader) -> None:
    first = reader.output("solve", "mentions.py:Mentions").splitlines()[0]
    assert f"It prints `{first}`" in PAGE


def test_it_is_announced(reader: Reader) -> None:
    (line,) = [line for line in reader.output("ml-agent policies").splitlines() if line.startswith("mentions ")]
    assert "The program that fits best" in line
    assert line.endswith("(mentions 0.1)")


def test_it_is_scored(reader: Reader) -> None:
    printed = reader.output("score", "runs/mentions")
    (score,) = re.findall(r"^pass@1 +(.*)$", printed, re.MULTILINE)
    assert f"`pass@1 {score}`: 4 of the 12 tasks" in PAGE
    assert " 4 passed, 3 wrong_language, 2 missing_argument" in printed
    assert "A better on 0, B on 8" in reader.output("compare")


def test_it_is_on_the_leaderboard(reader: Reader) -> None:
    board = json.loads((reader.folder / "board.json").read_text())["entries"]
    names = {entry["policy"]["name"]: round(entry["score"]["value"] * entry["score"]["n"]) for entry in board}
    assert names == {"mentions": 4, "grounded": 12}
    assert "`grounded`, with the same tools, passes all 12." in PAGE
    assert "all 2 entries are what comes of" in reader.output("submit", "--check")
    assert "mentions" in (reader.folder / "pages" / "index.html").read_text()


def test_with_a_model(reader: Reader, server: ScriptedServer) -> None:
    printed = reader.output("asks.py:Asks")
    assert printed.splitlines()[0] == "python train.py --dataset rings --hidden 8"
    first, second = ([message["content"] for message in request["messages"]] for request in server.requests)
    assert "--hidden int default=16" in first[-1]
    assert "--units" not in first[-1]
    assert "rejected" in second[-1]
    assert "--units" in second[-1]
