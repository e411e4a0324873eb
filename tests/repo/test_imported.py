"""What the code imports from elsewhere."""

import sys
from pathlib import Path

from ml_agent.repo.files import walk
from ml_agent.repo.imported import Imports, read_imports
from ml_agent.repo.modules import PythonModules


def read(root: Path, files: dict[str, str]) -> Imports:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return read_imports(PythonModules(walk(root)), sys.stdlib_module_names)


def kinds(found: Imports) -> dict[str, tuple[str, str]]:
    return {i.module: (i.need, i.place) for i in found.modules}


def test_kinds(tmp_path: Path) -> None:
    text = """\
import os, torch.nn as nn
from numpy import array
from . import sibling
try:
    import fast
except ImportError:
    import slow
try:
    import real
except ValueError:
    pass
def f():
    import lazy
    try:
        from .. import x
        import maybe
    except Exception: pass
if TYPE_CHECKING:
    from typed import A
if version > 3:
    import newer
else:
    import older
class C:
    import inner
with contextlib.suppress(ImportError):
    import quiet
if __name__ == "__main__":
    import at_start
match x:
    case 1:
        import matched
"""
    assert kinds(read(tmp_path, {"a.py": text})) == {
        "torch": ("needed", "a.py:1"),
        "numpy": ("needed", "a.py:2"),
        "fast": ("optional", "a.py:5"),
        "slow": ("optional", "a.py:7"),
        "real": ("needed", "a.py:9"),
        "lazy": ("inside", "a.py:13"),
        "maybe": ("optional", "a.py:16"),
        "typed": ("optional", "a.py:19"),
        "newer": ("inside", "a.py:21"),
        "older": ("inside", "a.py:23"),
        "inner": ("needed", "a.py:25"),
        "quiet": ("optional", "a.py:27"),
        "at_start": ("needed", "a.py:29"),
        "matched": ("needed", "a.py:32"),
    }


def test_the_strongest_import_and_the_count(tmp_path: Path) -> None:
    files = {
        "a.py": "def f():\n    import torch\n    import torch.nn\n",
        "b.py": "\nimport torch\n",
        "tests/test_c.py": "import torch, pytest\n",
    }
    found = read(tmp_path, files)
    assert [(i.module, i.need, i.place, i.files) for i in found.modules] == [
        ("torch", "needed", "b.py:2", 3),
        ("pytest", "development", "tests/test_c.py:1", 1),
    ]


def test_the_repositorys_own(tmp_path: Path) -> None:
    files = {
        "train.py": "import helper, pkg, src_pkg, deep, torch\n",
        "helper.py": "",
        "pkg/__init__.py": "import helper\n",
        "pkg/torch.py": "import torch, beside\n",
        "pkg/beside.py": "",
        "src/src_pkg/__init__.py": "",
        "tools/run/go.py": "import near, helper\n",
        "tools/run/near.py": "",
        "tools/deep/x.py": "",
    }
    found = read(tmp_path, files)
    # Each could be meant as the repository's by a program that changes its search path.
    assert [(i.module, i.files, i.perhaps_own) for i in found.modules] == [("torch", 2, True), ("beside", 1, True), ("deep", 1, True)]


def test_python_2_is_read_line_by_line(tmp_path: Path) -> None:
    found = read(tmp_path, {"old.py": "import urllib2\nfrom yaml import load\nprint 'import nothing'\n"})
    assert kinds(found) == {"urllib2": ("needed", "old.py:1"), "yaml": ("needed", "old.py:2")}
    assert found.by_line == ("old.py",)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(b"\0import torch")
    (tmp_path / "huge.py").write_text("import torch\n" + "#" * 3_000_000)
    assert read(tmp_path, {"deep.py": f"import numpy\nx = {'(' * 3000}\n"}).unread == ("binary.py", "huge.py")
    assert kinds(read(tmp_path, {})) == {"numpy": ("needed", "deep.py:1")}
