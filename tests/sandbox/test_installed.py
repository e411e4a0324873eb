"""Which modules an Environment has, with real virtual environments."""

import os
import sys
from pathlib import Path

from ml_agent.sandbox.environment import Environment, find_environment
from ml_agent.sandbox.installed import installed_modules
from tests.sandbox.test_environment import make_venv


def test_modules_and_their_distributions(tmp_path: Path) -> None:
    (site,) = make_venv(tmp_path / "env").glob("lib/python3*/site-packages")
    recorded = (
        "other_pkg/__init__.py",
        "single.py",
        "fast.cpython-311-x86_64-linux-gnu.so",
        "../../../bin/x",
        "other-2.0.dist-info/RECORD",
    )
    listed = {
        "Some_Thing-1.0.dist-info/top_level.txt": "thing\n_thing\n",
        "other-2.0.dist-info/RECORD": "\n".join(f"{name},," for name in recorded),
        "plain/__init__.py": "",
        "lone.py": "",
        "__pycache__/x.pyc": "",
        "not-a-name/x.py": "",
    }
    for name, text in listed.items():
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text(text)
    found = installed_modules(find_environment(tmp_path, str(tmp_path / "env")))
    assert found == {
        "thing": "Some_Thing",
        "_thing": "Some_Thing",
        "other_pkg": "other",
        "single": "other",
        "fast": "other",
        "plain": "",
        "lone": "",
    }


def test_pth_counts_where_runs_see_it(tmp_path: Path) -> None:
    (site,) = make_venv(tmp_path / "env").glob("lib/python3*/site-packages")
    for name in ("inside", "outside"):
        folder = (tmp_path / "env" if name == "inside" else tmp_path) / "linked"
        folder.mkdir()
        (folder / f"{name}.py").write_text("")
        (site / f"{name}.pth").write_text(f"import sys\n{folder}\n")
    assert set(installed_modules(find_environment(tmp_path, str(tmp_path / "env")))) == {"inside"}


def test_hostile_metadata(tmp_path: Path) -> None:
    """A repository's own .venv is a stranger's too."""
    info = tmp_path / "x-1.dist-info"
    info.mkdir()
    os.mkfifo(info / "top_level.txt")
    (info / "RECORD").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "y.pth")
    (tmp_path / "z.pth").write_text("\0\n")
    assert installed_modules(Environment(sys.executable, "3.11.7", path=(str(tmp_path), str(tmp_path / "gone")))) == {}
