"""`ml-agent tools`."""

import json
from pathlib import Path

import pytest

from ml_agent.cli import main
from ml_agent.tools import TOOLS
from tests.commandline import ml_agent


def test_every_tool_is_there_and_says_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "--json"]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)["tools"]}
    assert set(TOOLS) <= set(found)
    for name in TOOLS:
        assert found[name]["error"] is None
        assert len(found[name]["about"]) > 30
        for argument in found[name]["arguments"]:
            assert argument["about"], f"{name}.{argument['name']}"
            assert argument["type"] not in ("", "anything", "object"), f"{name}.{argument['name']}"
    submit = {argument["name"]: argument for argument in found["submit"]["arguments"]}
    assert (submit["language"]["type"], submit["language"]["required"]) == ("bash or python", True)
    assert (submit["evidence"]["type"], submit["workdir"]["default"]) == ("list of object", ".")


def test_on_the_screen() -> None:
    lines = ml_agent("tools", COLUMNS="200").stdout.splitlines()
    assert [line.split()[0] for line in lines][: len(TOOLS)] == list(TOOLS)
    shown = ml_agent("tools", "grep", COLUMNS="200").stdout
    assert "  pattern" in shown
    assert "string, required" in shown


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("class T(Tool):\n    '''Does.'''\n    name = 'mine'\n    arguments = A\n    def call(self, a, c): ...", None),
        ("class T(Tool):\n    name = 'mine'\n    arguments = A\n    def call(self, a, c): ...", "needs a docstring"),
        ("class T(Tool):\n    '''Does.'''\n    arguments = A\n    def call(self, a, c): ...", "needs a `name`"),
        ("class T(Tool):\n    '''Does.'''\n    name = 'mine'\n    def call(self, a, c): ...", "and `arguments`"),
        ("class T(Tool):\n    '''Does.'''\n    name = 'mine'\n    arguments = A", "cannot make the tool .*abstract"),
        ("class T(Tool):\n    '''Does.'''\n    name = 'run'\n    arguments = A\n    def call(self, a, c): ...", "ml-agent's own tool run"),
        ("T = 3", "is no tool"),
        ("class T: ...", "is no tool"),
    ],
)
def test_one_of_a_file(tmp_path: Path, code: str, words: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    head = "from ml_agent.tools.base import Tool\nfrom ml_agent.tools.arguments import Arguments as A\n"
    (tmp_path / "mine.py").write_text(head + code + "\n")
    code_of = main(["tools", f"{tmp_path}/mine.py:T"])
    said = capsys.readouterr()
    if words is None:
        assert (code_of, said.out.splitlines()[1]) == (0, "Does.")
    else:
        import re

        assert code_of == 2
        assert re.search(words, said.err)
        assert (said.out, said.err.count("\n")) == ("", 1)
