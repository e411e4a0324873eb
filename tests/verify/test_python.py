from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from tests.verify.support import bash, errors, found, python, repository

FILES = {
    "lib/__init__.py": "from .factory import create_model, Net\n__version__ = '1'",
    "lib/factory.py": (
        "class Net:\n    def __init__(self, dim, heads=8, *, dropout=0.0): ...\n"
        "def create_model(name: str, pretrained=None, **options): ...\n"
        "def fixed(a, b): ...\n"
    ),
    "lib/loose.py": "def __getattr__(name): ...",
    "blocks/attention/SelfAttention.py": "class SelfAttention:\n    def __init__(self, channels): ...",
    "train.py": "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--lr', type=float)\nparser.parse_args()\n",
    "data/sample.json": "{}",
    "tools_folder/helper.py": "x = 1",
    "README.md": "```python\nimport documented_package\n```\n",
}


@pytest.fixture
def index(tmp_path: Path) -> RepoIndex:
    return repository(tmp_path / "great-net", FILES)


@pytest.mark.parametrize(
    "code",
    [
        "from lib import create_model\nm = create_model('x', anything=1)",
        "import lib\nlib.create_model('x')\nlib.factory.Net(3, dropout=0.1)\nprint(lib.__version__, lib.__file__)",
        "import lib.factory as f\nf.Net(dim=3)",
        "from lib.factory import *\nNet(1)\nfixed(1, 2)",
        "from lib import factory\nargs = options = []\nfactory.fixed(*args)\nfactory.fixed(**options)",
        "import torch, numpy as np\nfrom transformers import Trainer\nimport lib\ntorch.nn.Nothing(1, 2, 3)",
        "from lib import loose\nloose.anything(1)",
        "from lib.loose import whatever\nwhatever(1)",
        "try:\n    from lib import gone\nexcept ImportError:\n    gone = None\nimport lib",
        "import contextlib, lib\nwith contextlib.suppress(AttributeError):\n    lib.gone()",
        "from lib import Net\nclass Net:\n    def __init__(self, a, b, c, d): ...\nNet(1, 2, 3, 4)",
        "from lib import Net\ndef f(Net):\n    return Net(1, 2, 3, 4, 5)",
        "import lib\nlib.patched = lambda: 1\nlib.patched()",
        "import sys\nsys.path.insert(0, 'blocks')\nfrom attention.SelfAttention import SelfAttention\nSelfAttention(3)",
        "from tools_folder.helper import x",
        "from lib._version import version\nimport lib",
        "import lib\ngetattr(lib, 'x')",
        "from lib.factory import fixed\nfrom torch import *\nfixed(1)",
        "import lib.factory\ntry:\n    lib.factory.fixed(1)\nexcept TypeError:\n    pass",
        "match 1:\n    case lib: lib.nothing\nimport lib",
        "import documented_package\ndocumented_package.SelfAttention()\nimport lib",
        "from documented_package import SelfAttention\nimport lib",
        "import subprocess, sys\nsubprocess.run([sys.executable, 'train.py', '--lr', '0.1'])",
        "import json\njson.load(open('data/sample.json'))",
        "import lib\nx = [lib for lib in range(3)]\nlib.whatever",
    ],
)
def test_no_false_alarm(index: RepoIndex, code: str) -> None:
    assert python(index, code).findings == ()


@pytest.mark.parametrize(
    ("code", "kind", "place", "source", "suggestion"),
    [
        ("from lib import create_modell", "import", "from lib import create_modell", "lib/__init__.py:1", "from lib import create_model"),
        ("from lib.factori import Net", "import", "from lib.factori import Net", "lib/__init__.py:1", "from lib import Net"),
        ("import lib.factori", "import", "import lib.factori", "lib/__init__.py:1", "import lib.factory"),
        ("import lib\nlib.create_modle('x')", "import", "lib.create_modle", "lib/__init__.py:1", "lib.create_model"),
        (
            "from blocks.attention import SelfAttention\nSelfAttention.Nett",
            "import",
            "SelfAttention.Nett",
            "blocks/attention/SelfAttention.py:1",
            None,
        ),
        (
            "from lib import SelfAttention",
            "import",
            "from lib import SelfAttention",
            "lib/__init__.py:1",
            "from blocks.attention.SelfAttention import SelfAttention",
        ),
        (
            "from great_net import SelfAttention",
            "import",
            "from great_net import SelfAttention",
            "blocks/attention/SelfAttention.py:1",
            "from blocks.attention.SelfAttention import SelfAttention",
        ),
        ("from .lib import Net", "import", "from .lib import Net", None, "from lib import Net"),
        ("from lib import Net\nNet(dim=3, head=2)", "signature", "head=2", "lib/factory.py:1", "heads=2"),
        ("from lib import Net\nNet(width=3)", "signature", "width=3", "lib/factory.py:1", "dim=3"),
        ("from lib import Net\nNet(1, 2, 3)", "signature", "Net(1, 2, 3)", "lib/factory.py:1", "Net(dim, heads=8, *, dropout=0.0)"),
        ("from lib import Net\nNet(1, dim=2)", "signature", "Net(1, dim=2)", "lib/factory.py:1", "Net(dim, heads=8, *, dropout=0.0)"),
        ("from lib.factory import fixed\ndef f():\n    return fixed(1)", "signature", "fixed(1)", "lib/factory.py:4", "fixed(a, b)"),
        ("import lib.factory\nlib.factory.fixed(1)", "signature", "lib.factory.fixed(1)", "lib/factory.py:4", "fixed(a, b)"),
        ("import lib\nx = (1,\ny = 2", "syntax", "x = (1,", None, None),
        ("python train.py --lr 0.1", "syntax", "python train.py --lr 0.1", None, None),
        ("import subprocess\nsubprocess.run('python train.py --lrr 3', shell=True)", "option", "--lrr", "train.py:3", None),
        ("import os\nos.system('cd nowhere && python train.py')", "folder", "cd nowhere", None, None),
    ],
)
def test_errors(index: RepoIndex, code: str, kind: str, place: str, source: str | None, suggestion: str | None) -> None:
    findings = [f for f in python(index, code).findings if f.severity == "error"]
    first = next(f for f in findings if f.place == place)
    assert first.kind == kind
    if source is not None:
        assert first.source == source
    if suggestion is not None:
        assert first.suggestion == suggestion


def test_a_folder_without_init_may_be_an_installed_package(index: RepoIndex) -> None:
    check = python(index, "from tools_folder import load_dataset\nimport tools_folder.nothing\nimport lib")
    assert check.ok
    assert len(check.findings) == 2


def test_import_roots_that_are_not_certain_only_warn(tmp_path: Path) -> None:
    index = repository(tmp_path, {"pkg/__init__.py": "", "jobs/run.py": ""})
    assert errors(python(index, "from pkg import nothing")) == ["import"]
    assert python(index, "from pkg import nothing", "jobs").ok


def test_an_unknown_search_path_only_warns(index: RepoIndex) -> None:
    check = python(index, "import sys, os\nsys.path.append(os.getcwd())\nfrom lib import gone")
    assert check.ok
    assert [f.kind for f in check.findings] == ["import"]


def test_unknown_packages_are_doubted_only_with_reason(index: RepoIndex) -> None:
    assert found(python(index, "from transformers import Trainer")) == [("nothing", "warning", None)]
    assert [(k, s) for k, s, _ in found(python(index, "from timm import SelfAttention"))] == [("import", "warning"), ("nothing", "warning")]


def test_a_module_that_cannot_be_reached_from_here(tmp_path: Path) -> None:
    index = repository(
        tmp_path,
        {
            "jobs/nets/coolgan.py": "class Generator: ...",
            "jobs/nets/run.py": "from coolgan import Generator\nimport datasets",
            "other/datasets.py": "x = 1",
            "other/run.py": "from datasets import x",
        },
    )
    check = python(index, "from coolgan import Generator")
    assert check.findings[0].message == "`jobs/nets/coolgan.py` cannot be imported as `coolgan` from here"
    assert found(check)[0] == ("import", "error", "from jobs.nets.coolgan import Generator")
    assert python(index, "from coolgan import Generator", "jobs/nets").findings == ()
    assert python(index, "from coolgan import train").ok
    # one program imports a package of that name from elsewhere
    assert found(python(index, "from datasets import load_dataset")) == [("nothing", "warning", None)]


def test_nothing(index: RepoIndex) -> None:
    assert [f.kind for f in python(index, "print(1)").findings] == ["nothing"]
    assert errors(python(index, "  \n")) == ["nothing"]
    assert errors(python(index, "import lib", "nowhere")) == ["folder"]


def test_python_in_a_command(index: RepoIndex) -> None:
    assert errors(bash(index, "python -c 'from lib import gone'")) == ["import"]
    assert bash(index, "python -c 'from lib import Net; Net(1)'").findings == ()
    assert bash(index, 'python -c "from lib import $NAME"').ok


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.system(f'python train.py --nope 1')",
        "import os\nrate = '0.1'\nos.system(f'python train.py --nope {rate}')",
        "import os\ncommand = 'python train.py --nope 1'\nos.system(command)",
        "import subprocess\nname = 'train.py'\nsubprocess.run(['python', name, '--nope', '1'])",
    ],
)
def test_a_command_in_a_variable_or_put_together(index: RepoIndex, code: str) -> None:
    assert errors(python(index, code)) == ["option"]


@pytest.mark.parametrize("code", ["import os\nc = 'python gone.py'\nc = f()\nos.system(c)", "import os\nos.system(f'python {x}.py')"])
def test_a_command_that_only_a_run_can_tell(index: RepoIndex, code: str) -> None:
    assert [f.kind for f in python(index, code).findings if f.kind == "program"] == []


def test_a_keyword_argument_that_is_repeated(index: RepoIndex) -> None:
    assert errors(python(index, "from lib import create_model\ncreate_model('x', a=1, a=2)")) == ["syntax"]


def test_a_module_of_the_repositorys_own_name(index: RepoIndex) -> None:
    assert errors(python(index, "from great_net import Whatever")) == ["import"]
    assert errors(python(index, "from other_net import Whatever")) == []


def test_a_whole_path_means_the_file_from_any_folder(index: RepoIndex) -> None:
    code = "from blocks.attention.SelfAttention import Missing"
    assert errors(python(index, code)) == errors(python(index, code, "data")) == ["import"]
