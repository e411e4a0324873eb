from pathlib import Path

import pytest

from ml_agent.errors import ToolError
from ml_agent.sandbox.options import Options
from ml_agent.workspace import Workspace
from tests.tools.support import call


def test_entry_points_and_their_options(workspace: Workspace) -> None:
    seen = call(workspace, "entry_points", path="examples/train.py")
    (program,) = seen.data["entry_points"]
    assert program["path"] == "examples/train.py"
    assert program["kind"] == "argparse"
    assert program["score"] == 0
    options = {o["name"]: o for o in program["options"]}
    assert options["--optimizer"]["choices"] == ["sgd", "adam"]
    assert options["--lr"]["source"] == "examples/train.py:11"
    assert "--lr float default=0.1 - learning rate" in seen.text
    assert "--out str required" in seen.text or "--out value required" in seen.text
    assert seen.data["commands"][0]["workdir"] == "examples"
    assert "(in examples) python train.py --lr 0.5 --out model.txt  [README.md:" in seen.text


def test_entry_points_by_query_and_folder(workspace: Workspace) -> None:
    best = call(workspace, "entry_points", query="train with a learning rate")
    assert best.data["entry_points"][0]["path"] == "examples/train.py"
    assert best.data["entry_points"][0]["score"] > 0
    assert {e["path"] for e in call(workspace, "entry_points", path="examples").data["entry_points"]} == {
        "examples/train.py",
        "examples/run.sh",
    }
    assert call(workspace, "entry_points", query="train", path="lines").data["commands"] == []
    limited = call(workspace, "entry_points", limit=1)
    assert len(limited.data["entry_points"]) == 1
    assert "programs more" in limited.text
    with pytest.raises(ToolError, match="no file or folder 'nosuch'"):
        call(workspace, "entry_points", path="nosuch")


def test_commands_come_with_programs_that_fit_by_their_options(tmp_path: Path) -> None:
    code = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--feathers', help='how many plumes')\np.parse_args()\n"
    (tmp_path / "main.py").write_text(code)
    (tmp_path / "README.md").write_text("# Owl\n\n```bash\npython main.py --feathers 3\n```\n")
    with Workspace(tmp_path, Options(sandbox="none")) as workspace:
        seen = call(workspace, "entry_points", query="plumes")
    assert [(c["text"], c["score"]) for c in seen.data["commands"]] == [("python main.py --feathers 3", 0.0)]


def test_options_stand_below_their_sub_command(tmp_path: Path) -> None:
    code = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--seed')\nsub = p.add_subparsers()\n"
    code += "sub.add_parser('train', aliases=['t']).add_argument('--lr', required=True)\np.parse_args()\n"
    (tmp_path / "main.py").write_text(code)
    with Workspace(tmp_path, Options(sandbox="none")) as workspace:
        lines = call(workspace, "entry_points").text.splitlines()
    assert lines[1:3] == ["  --seed value", "  command value nargs=A... {train,t}"]
    assert lines[-2:] == ["  sub-command train, t:", "    --lr value required"]


def test_commands_of_built_programs_show_what_they_read_and_write(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("bell: bell.c\n\tgcc bell.c -o bell\n")
    (tmp_path / "README.md").write_text("# Bells\n\n```bash\n./bell -loud 2 < tower.txt > rung.txt\n```\n")
    with Workspace(tmp_path, Options(sandbox="none")) as workspace:
        observation = call(workspace, "entry_points")
    assert "./bell -loud 2 < tower.txt > rung.txt  [README.md:4]" in observation.text
    assert [c["redirects"] for c in observation.data["commands"]] == [[["<", "tower.txt"], [">", "rung.txt"]]]
