from pathlib import Path

import pytest

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.pairs.replaced import labelled_literals
from ml_agent.policies.grounded.replacing import LITERAL_FEATURES
from tests.policies.grounded.support import proposals, write

README = """# Loom

Weave in Python:

```python
from loom import Loom
loom = Loom(threads=40, rows=7)
loom.weave('plain.png')
```
"""
CODE = "class Loom:\n    def __init__(self, threads=1, rows=1): ...\n    def weave(self, path): ...\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "weaver", {"loom.py": CODE, "README.md": README})


def right(root: Path, text: str, output: str) -> dict[str, list[str]] | None:
    """Kind of value -> the literals that it replaces."""
    found = labelled_literals(Sample("1/1", "weaver", text, "python", output), proposals(root, text))
    if found is None:
        return None
    assert all(c.features.shape == (len(c.options), len(LITERAL_FEATURES)) for c in found.choices)
    assert found.wanted == {o for c in found.choices for o, ok in zip(c.options, c.right, strict=True) if ok}
    code = README.partition("```python\n")[2]
    return {
        c.kind: [code[int(o) :].split(",")[0].split(")")[0] for o, ok in zip(c.options, c.right, strict=True) if ok] for c in found.choices
    }


def test_by_the_name_of_the_place(root: Path) -> None:
    text = "Write Python: weave with the Loom, 9 rows, into silk.png"
    output = "from loom import Loom\nLoom(rows=9, threads=40).weave('silk.png')\n"
    assert right(root, text, output) == {"number": ["7"], "path": ["'plain.png'"]}


def test_what_the_ground_truth_has_elsewhere_replaces_nothing(root: Path) -> None:
    text = "Write Python: weave with the Loom, 9 rows, into silk.png"
    output = "from loom import Loom\nLoom(width=9).weave(path='silk.png')\n"
    assert right(root, text, output) == {"number": [], "path": []}


def test_of_programs_that_use_something_else_nothing_is_learnt(root: Path) -> None:
    text = "Write Python: weave with the Loom, 9 rows, into silk.png"
    assert right(root, text, "from spindle import spin\nspin(9)\n") is None
    assert right(root, text, "python loom.py (9 rows)") is None
