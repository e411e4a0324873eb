import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.entrypoints import EntryPoint, read_tasks
from ml_agent.repo.files import walk
from tests.repo.entrypoints.programs import write


def tasks(root: Path, files: dict[str, str]) -> dict[str, EntryPoint]:
    write(root, files)
    return {e.path: e for e in read_tasks(walk(root))}


def test_targets_and_variables(tmp_path: Path) -> None:
    rules = ".PHONY: train\ntrain: data \\\n   model ## Train it\n\tX=3 run $(EPOCHS)\ndata model:\n\ttouch $@\n"
    text = "EPOCHS ?= 10 # how long\nCC := gcc\n" + rules
    entry = tasks(tmp_path, {"sub/Makefile": text})["sub/Makefile"]
    assert entry.run == ("make", "-C", "sub")
    assert entry.options[0].choices == ("train", "data", "model")
    assert [(o.name, o.default, o.source, o.assigned) for o in entry.options[1:]] == [
        ("EPOCHS", "'10'", "sub/Makefile:1", True),
        ("CC", "'gcc'", "sub/Makefile:2", True),
    ]
    assert entry.command_help == (("train", "Train it"),)
    assert not entry.open_ended


def test_what_a_makefile_hides_is_said(tmp_path: Path) -> None:
    entry = tasks(tmp_path, {"Makefile": "all:\n\techo\n%.o: %.c\n\tcc\ninclude other.mk\n"})["Makefile"]
    assert entry.open_ended
    assert entry.unread == ("targets that %.o makes at Makefile:3", "what it includes at Makefile:1")


def test_environments_of_tox_in_each_of_its_files(tmp_path: Path) -> None:
    found = tasks(
        tmp_path,
        {
            "a/tox.ini": "[tox]\nenvlist =\n    py{310,311}\n    lint\n",
            "b/pyproject.toml": '[tool.tox]\nenv_list = ["x"]\n[tool.tox.env.docs]\ndeps = []\n',
            "c/setup.cfg": "[tox:tox]\nenvlist = y\n",
            "d/pyproject.toml": "[tool.other]\n",
            "e/pyproject.toml": '[tool.tox]\nlegacy_tox_ini = """\n[tox]\nenvlist = z\n"""\n',
        },
    )
    assert {path: e.options[0].choices for path, e in found.items()} == {
        "a/tox.ini": ("py310", "py311", "lint"),
        "b/pyproject.toml": ("x", "docs"),
        "c/setup.cfg": ("y",),
        "e/pyproject.toml": ("z",),
    }


def test_parameters_of_a_notebook(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "metadata": {"tags": ["parameters"]}, "source": "lr = 0.1\nname: str = 'x'\n"}
    found = tasks(
        tmp_path, {"a.ipynb": json.dumps({"cells": [{"cell_type": "markdown", "source": "#"}, cell]}), "b.ipynb": "[]", "c.ipynb": "{"}
    )
    assert {p: [(o.name, o.type, o.default) for o in e.options] for p, e in found.items()} == {
        "a.ipynb": [("-p lr", "float", "0.1"), ("-p name", "str", "'x'")]
    }


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='ab:=\\\n\t%$()[]{},"tox= @nx', max_size=200))
def test_any_text_is_read(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), dict.fromkeys(("Makefile", "tox.ini", "noxfile.py", "tox.toml", "x.ipynb"), text))
        for entry in read_tasks(walk(Path(folder))):
            assert entry.run
