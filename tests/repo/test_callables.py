from pathlib import Path

from ml_agent.repo.callables import Callee, find_callables
from ml_agent.repo.index import RepoIndex
from tests.policies.grounded.support import write

NETS = '''import torch.nn as nn

SIZES = {"tiny": 8, "wide": 64}


class Base(nn.Module):
    def forward(self, x):
        return x

    def describe(self, depth=1):
        """Say what it is."""


class LeafNet(Base):
    """A net for leaves.

    Args:
        veins (int): Number of veins. Default: 3
        folds (tuple(int)): Folds of each stage.
    """

    def __init__(self, size, veins=3, folds=(1, 2), norm="batch", maker=None, waxy=False):
        super().__init__()
        self.width = SIZES[size]
        if norm == "layer":
            self.norm = maker(veins)


def leaf_net_wide(frozen=False, **kwargs):
    return LeafNet("wide", **kwargs)


def _hidden():
    pass
'''
FILES = {
    "nets/__init__.py": "from nets.leaf import LeafNet\n",
    "nets/leaf.py": NETS,
    "tests/test_leaf.py": "class LeafNetTest:\n    pass\n",
}


def found(root: Path, text: str) -> dict[str, Callee]:
    return {c.name: c for _, c in find_callables(RepoIndex(write(root, FILES)), text, 10)}


def test_a_class_with_all_that_it_takes(tmp_path: Path) -> None:
    leaf = found(tmp_path, "build a leaf net")["LeafNet"]
    assert (leaf.kind, leaf.module, leaf.source, leaf.library) == ("class", "nets", "nets/leaf.py:14", "torch")
    assert leaf.bases == ("Base", "nn.Module")
    takes = {t.name: t for t in leaf.takes}
    assert list(takes) == ["size", "veins", "folds", "norm", "maker", "waxy"]
    assert takes["size"].required
    assert takes["size"].choices == ("tiny", "wide")
    assert takes["norm"].choices == ("layer",)
    assert takes["veins"].help == "Number of veins. Default: 3"
    assert takes["folds"].help == "Folds of each stage."
    assert takes["maker"].called
    assert [m.name for m in leaf.methods] == ["forward", "describe"]


def test_a_function_that_makes_one_takes_what_it_hands_on(tmp_path: Path) -> None:
    made = found(tmp_path, "the wide leaf net, please")["leaf_net_wide"]
    assert made.kind == "function"
    assert "nn.Module" in made.bases
    assert [t.name for t in made.takes] == ["frozen", "kwargs", "veins", "folds", "norm", "maker", "waxy"]


def test_a_function_whose_class_is_in_another_file(tmp_path: Path) -> None:
    files = {
        "kit/__init__.py": "from .load import load_model, load_other\n",
        "kit/load.py": "from .owl import Owl\n\ndef load_model(name):\n    return Owl(name)\n\ndef load_other() -> Owl:\n    return made\n",
        "kit/owl.py": "class Owl:\n    def __init__(self, name): pass\n\n    def sing(self, song, loud=False): pass\n",
    }
    index = RepoIndex(write(tmp_path, files))
    for name in ("load_model", "load_other"):
        (callee,) = [c for _, c in find_callables(index, name.replace("_", " "), 10) if c.name == name]
        assert [(m.name, [t.name for t in m.takes]) for m in callee.methods] == [("sing", ["song", "loud"])]


def test_the_name_in_any_spelling_comes_first(tmp_path: Path) -> None:
    index = RepoIndex(write(tmp_path, FILES))
    for text in ("a LeafNet", "a leaf-net", "the leaf net here", "the leafy network"):
        assert find_callables(index, text, 10)[0][1].name == "LeafNet", text
    assert find_callables(index, "the wide LeafNet", 10)[0][1].name == "leaf_net_wide"
    assert find_callables(index, "boil an egg", 10) == []


def test_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"broken.py": "class LeafNet:\n    def __init__(self:\n"})
    assert find_callables(RepoIndex(tmp_path), "a LeafNet", 10) == []


DECORATED = """from nets.tools import register, renamed


class Base:
    def __init__(self, size, depth=2):
        self.size = size

    @renamed("rows", "lines")
    def rank(self, lines, best=None):
        return lines[:best]


class Wide(Base):
    def __init__(self, width=3, **kwargs):
        super().__init__(**kwargs)


class Closed(Base):
    def __init__(self, width=3, **kwargs):
        super().__init__(4)


@register
def wide_tree(frozen=False):
    return Wide()
"""


def test_decorators_keep_parameters_and_bases_take_what_is_handed_on(tmp_path: Path) -> None:
    index = RepoIndex(write(tmp_path, {"nets/__init__.py": "", "nets/tree.py": DECORATED}))
    callees = {c.name: c for _, c in find_callables(index, "the Wide, the Closed and wide_tree", 10)}
    assert [t.name for t in callees["wide_tree"].takes] == ["frozen"]
    assert [t.name for t in callees["Wide"].takes] == ["width", "kwargs", "depth"]
    assert [t.name for t in callees["Closed"].takes] == ["width", "kwargs"]
    (rank,) = callees["Wide"].methods
    assert [t.name for t in rank.takes] == ["lines", "best"]
