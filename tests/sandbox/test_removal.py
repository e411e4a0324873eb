"""Getting rid of what a run has left."""

import os
import subprocess
from pathlib import Path

from ml_agent.sandbox.removal import remove_tree


def test_removal_of_what_a_run_may_leave(tmp_path: Path) -> None:
    top, outside = tmp_path / "top", tmp_path / "outside"
    outside.mkdir()
    (outside / "keep").write_text("x")
    (top / "closed" / "deep").mkdir(parents=True)
    (top / "closed" / "deep" / "x").touch()
    (top / "link").symlink_to(outside)
    (top / "closed" / "link").symlink_to(outside)
    os.mkfifo(top / "fifo")
    (top / "closed" / "deep").chmod(0)
    (top / "closed").chmod(0)
    top.chmod(0)
    assert remove_tree(top) == []
    assert not top.exists()
    assert (outside / "keep").read_text() == "x"
    assert remove_tree(top) == []
    (tmp_path / "link").symlink_to(outside)
    remove_tree(tmp_path / "link")
    assert (outside / "keep").exists()


def test_removal_of_a_tree_deeper_than_any_path(tmp_path: Path) -> None:
    (tmp_path / "top").mkdir()
    code = "import os\nfor _ in range(3000):\n    os.mkdir('d' * 50)\n    os.chdir('d' * 50)\nopen('x', 'w')"
    subprocess.run(["python3", "-c", code], cwd=tmp_path / "top", check=True)
    assert remove_tree(tmp_path / "top") == []
    assert not (tmp_path / "top").exists()
