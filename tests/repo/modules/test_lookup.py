from pathlib import Path
from typing import TypeVar

import pytest

from ml_agent.repo.files import walk
from ml_agent.repo.modules import PythonModules

T = TypeVar("T")


def must(found: T | None) -> T:
    assert found is not None
    return found


def modules(folder: Path, files: dict[str, str]) -> PythonModules:
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return PythonModules(walk(folder))


def test_finds_modules_in_pythons_order(tmp_path: Path) -> None:
    m = modules(
        tmp_path,
        {
            "a.py": "",
            "sub/a.py": "",
            "src/b.py": "",
            "src/pkg/__init__.py": "",
            "deep/code/c.py": "",
            "deep/setup.py": "package_dir={'': 'code'}",
        },
    )
    assert m.find("a") is not None
    assert must(m.find("a")).path == "a.py"
    assert must(m.find("a", "sub")).path == "sub/a.py"
    assert must(m.find("b")).path == "src/b.py"
    assert must(m.find("pkg")).path == "src/pkg/__init__.py"
    assert must(m.find("c")).path == "deep/code/c.py"
    assert m.find("nosuch") is None
    assert m.find("a.b") is None
    assert m.find("") is None
    assert {"a", "b", "pkg", "c", "sub"} <= m.top_level()
    assert must(m.find("b")).certain is False
    assert must(m.find("c")).certain is True


def test_a_regular_package_goes_before_a_folder_without_init(tmp_path: Path) -> None:
    m = modules(tmp_path, {"data/x.py": "", "src/data/__init__.py": "y = 1", "pyproject.toml": "[project]\nname='p'\n"})
    module = m.find("data")
    assert module is not None
    assert module.path == "src/data/__init__.py"
    assert not module.namespace
    assert m.find("data.x") is not None
    assert must(m.find("data.x")).namespace is False


def test_names_at_top_level(tmp_path: Path) -> None:
    text = """
import os, numpy as np
from math import *
if os.name == "posix":
    def inside(): ...
else:
    inside = None
try:
    import fast
except ImportError:
    fast = None
with open(__file__) as handle: pass
for i, (j, k) in []: pass
A: int = 1
B: str
x = y = 0
if (n := 3): pass
class C:
    attribute = 1
def f():
    global made
    made = 1
    local = 2
[c for c in "abc"]
"""
    module = modules(tmp_path, {"m.py": text}).find("m")
    assert module is not None
    assert module.names >= {"os", "np", "inside", "fast", "handle", "i", "j", "k", "A", "x", "y", "n", "C", "f", "made"}
    assert not module.names & {"attribute", "local", "c", "numpy"}
    assert module.open_ended  # a star import from outside


@pytest.mark.parametrize(
    "text",
    [
        "def __getattr__(name): ...",
        "globals()['x'] = 1",
        "import sys\nsetattr(sys.modules[__name__], 'x', 1)",
        "exec('x = 1')",
        "_init_api('a.b', __name__)",
        "def broken(:",
        "from nowhere import *",
    ],
)
def test_open_ended(tmp_path: Path, text: str) -> None:
    m = modules(
        tmp_path,
        {
            "m.py": text,
            "user.py": "from m import *",
            "plain.py": "import logging\nlog = logging.getLogger(__name__)\nlogging.getLogger(__name__)",
        },
    )
    assert must(m.find("m")).open_ended
    assert must(m.find("user")).open_ended
    assert not must(m.find("plain")).open_ended


def test_follows_reexports_to_the_definition(tmp_path: Path) -> None:
    m = modules(
        tmp_path,
        {
            "pkg/__init__.py": "from .a import Thing as Alias\nfrom .sub import *\nfrom . import b\nimport pkg.c as cc\n",
            "pkg/a.py": "from pkg.b import Thing",
            "pkg/b.py": "class Thing:\n    '''First.\n\n    Second.'''\n    def __init__(self, x, y=1): ...\ndef helper(): ...",
            "pkg/c.py": "import torch\nfrom torch import nn",
            "pkg/sub/__init__.py": "from .one import *\n__all__ = ['shown']",
            "pkg/sub/one.py": "shown = 1\nhidden = 2\n_private = 3",
        },
    )
    pkg = m.find("pkg")
    assert pkg is not None
    assert not pkg.open_ended
    thing = pkg.get("Alias")
    assert thing is not None
    assert (thing.kind, thing.source, thing.module) == ("class", "pkg/b.py:1", "pkg.b")
    assert str(thing.signature) == "(x, y=1)"
    assert pkg.get("shown") is not None
    assert pkg.get("hidden") is None
    assert must(pkg.get("b")).kind == "module"
    assert must(pkg.get("cc")).kind == "module"
    assert must(pkg.get("c")).kind == "module"
    assert pkg.get("nosuch") is None
    assert pkg.submodules == ("a", "b", "c", "sub")
    c = m.find("pkg.c")
    assert c is not None
    assert must(c.get("nn")).kind == "import"


def test_import_circles_end(tmp_path: Path) -> None:
    m = modules(
        tmp_path,
        {
            "a.py": "from b import *\nfrom b import x",
            "b.py": "from a import *\nfrom a import x",
            "c.py": "class A(A): ...\nclass B(C): ...\nclass C(B): ...",
        },
    )
    a = m.find("a")
    assert a is not None
    assert not a.open_ended
    assert a.names == {"x"}
    assert a.get("x") is not None
    assert a.get("y") is None
    assert must(must(m.find("c")).get("B")).signature is None


def test_compiled_and_generated_parts(tmp_path: Path) -> None:
    m = modules(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/fast.pyx": "",
            "pkg/ext.cpython-311-x86_64-linux-gnu.so": "",
            "setup.py": "ext_modules=[Extension('pkg.ops', [])]",
        },
    )
    for name in ("pkg.fast", "pkg.ext"):
        assert m.find(name) is not None
        assert must(m.find(name)).open_ended
    assert m.may_be_generated("ops")
    assert m.may_be_generated("_version")
    assert m.may_be_generated("x_pb2")
    assert not m.may_be_generated("train")


def test_a_module_that_git_ignores_is_found(tmp_path: Path) -> None:
    m = modules(tmp_path, {".gitignore": "data/\n", "data/__init__.py": "def load(): ...", "data/x.py": ""})
    assert m.find("data") is not None
    assert must(m.find("data")).get("load") is not None
    assert m.find("data.x") is not None


def test_exports_of(tmp_path: Path) -> None:
    m = modules(
        tmp_path,
        {
            "lib/__init__.py": "from .models.net import ResidualNet",
            "lib/models/__init__.py": "",
            "lib/models/net.py": "class ResidualNet: ...\nclass Hidden:\n    class Inner: ...",
            "other/deep/net.py": "class ResidualNet: ...",
            "my-scripts/x.py": "class Unreachable: ...",
        },
    )
    assert [(d.module, d.path) for d in m.exports_of("ResidualNet")] == [
        ("lib", "lib/models/net.py"),
        ("other.deep.net", "other/deep/net.py"),
    ]
    assert m.exports_of("residual_net")[0].name == "ResidualNet"
    assert m.exports_of("Hiden")[0].module == "lib.models.net"
    assert m.exports_of("Unreachable") == ()
    assert m.exports_of("zzzzqqqq") == ()


def test_hostile_files(tmp_path: Path) -> None:
    m = modules(
        tmp_path,
        {
            "deep.py": "(" * 50_000,
            "minus.py": "-" * 200_000 + "1",
            "chain.py": "a" + ".a" * 200_000,
            "ok.py": "def f(x=" + "-" * 500 + "1): ...",
        },
    )
    (tmp_path / "nul.py").write_bytes(b"x = 1\0\n")
    (tmp_path / "latin.py").write_bytes(b"# -*- coding: latin-1 -*-\nname = '\xe9'\n")
    for name in ("deep", "minus", "chain", "nul"):
        assert m.find(name) is not None
        assert must(m.find(name)).open_ended
    assert m.find("latin") is not None
    assert "name" in must(m.find("latin")).names
    assert must(m.find("ok")).get("f") is not None


def test_links_out_of_the_repository_are_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.py").write_text("x = 1")
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "link").symlink_to(outside)
    (inside / "a.py").write_text("")
    assert PythonModules(walk(inside)).find("link.secret") is None


def test_packages_that_are_installed_from_a_folder_of_another_name(tmp_path: Path) -> None:
    setup = """
def folders():
    return {"bird.tools": "tools", "nosuch": "absent"}
setup(package_dir=folders(), extras={"tools": "extra"})
"""
    m = modules(tmp_path, {"setup.py": setup, "bird/__init__.py": "", "tools/sing.py": "def sing(): pass", "extra/x.py": ""})
    assert must(m.find("bird.tools.sing")).path == "tools/sing.py"
    assert must(m.find("bird.tools.sing")).certain
    assert m.find("bird.tools.fly") is None
    assert m.find("nosuch") is None


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": '[tool.setuptools.package-dir]\n"owl" = "code"\n\n[tool.other]\nx = "extra"\n'},
        {"pyproject.toml": '[tool.setuptools]\npackage-dir = {"owl" = "code"}\n'},
        {"setup.cfg": "[options]\npackage_dir =\n    owl = code\npackages = owl\n"},
    ],
)
def test_mapped_packages_of_every_packaging_file(tmp_path: Path, files: dict[str, str]) -> None:
    m = modules(tmp_path, {**files, "code/__init__.py": "y = 1", "code/hoot.py": "", "extra/z.py": ""})
    assert must(m.find("owl")).path == "code/__init__.py"
    assert must(m.find("owl.hoot")).path == "code/hoot.py"
    assert m.find("x") is None


def test_what_lies_in_the_package_itself_goes_first(tmp_path: Path) -> None:
    files = {
        "setup.py": "package_dir={'a.b': 'tools'}",
        "a/__init__.py": "",
        "a/b/__init__.py": "",
        "a/b/c.py": "",
        "tools/c.py": "",
        "tools/d.py": "",
    }
    m = modules(tmp_path, files)
    assert must(m.find("a.b.c")).path == "a/b/c.py"
    assert must(m.find("a.b.d")).path == "tools/d.py"


def test_a_module_for_an_old_python_has_names_and_is_not_judged(tmp_path: Path) -> None:
    m = modules(tmp_path, {"old.py": 'def sing(song):\n    print "la", song\n', "broken.py": "def sing(:\n"})
    assert must(must(m.find("old")).get("sing")).line == 1
    assert must(m.find("old")).open_ended
    assert must(m.find("broken")).get("sing") is None
