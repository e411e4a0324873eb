import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ml_agent.policies.grounded.observed import callables_of, examples_of, own_modules, programs_of, sections_of
from ml_agent.sandbox.options import Options
from ml_agent.trajectory import Observation
from ml_agent.workspace import Workspace
from tests.policies.grounded.support import write
from tests.tools.support import call

FILES = {
    "README.md": "# Birds\n\nTag songs of birds:\n\n```bash\npython nest/tag.py --owls 3\n```\n\n```python\nimport nest\n```\n",
    "nest/tag.py": 'import argparse\np = argparse.ArgumentParser()\np.add_argument("--owls", type=int, choices=[2, 3])\np.parse_args()\n',
    "nest/__init__.py": "",
    "src/flight/__init__.py": "",
    "main.py": "print('tag')\n",
    "data/list.txt": "owl\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(write(tmp_path, FILES), Options(sandbox="none")) as made:
        yield made


def stored(observation: Observation) -> Observation:
    """As it is read back from a trajectory on disk."""
    return Observation(observation.text, json.loads(json.dumps(dict(observation.data))))


def test_programs_and_commands_come_back_as_they_were(workspace: Workspace) -> None:
    seen = call(workspace, "entry_points", query="tag owls")
    for observation in (seen, stored(seen)):
        material = programs_of(observation)
        assert {p for _, p in material.programs} <= set(workspace.index.entry_points)
        assert [c for _, c in material.commands] == list(workspace.index.commands)
        assert material.programs[0][1].path == "nest/tag.py"
        assert material.programs[0][0] == material.commands[0][0] == 1.0
        assert all(0 <= score <= 1 for score, _ in material.programs)


def test_sections_come_back_as_they_were(workspace: Workspace) -> None:
    seen = call(workspace, "read_readme", query="songs of birds")
    for observation in (seen, stored(seen)):
        assert sections_of(observation) == [(1.0, s) for s in workspace.index.sections if s.headings == ("Birds",)]


def test_modules_of_the_root_and_of_src(workspace: Workspace) -> None:
    assert {"nest", "flight", "main"} <= own_modules(call(workspace, "file_tree", depth=3))
    assert {"nest", "main"} <= own_modules(call(workspace, "file_tree", depth=2))
    assert "data" not in own_modules(call(workspace, "file_tree", depth=3))


def test_a_call_that_failed_brought_nothing() -> None:
    failed = Observation("no", error="ToolError")
    assert (programs_of(failed).programs, programs_of(failed).commands) == ([], [])
    assert sections_of(failed) == []
    assert own_modules(failed) == frozenset()


def test_packages_below_src_are_the_repositorys_own() -> None:
    paths = ["src/pots/__init__.py", "src/pots/deep/lid.py", "kiln.py", "data/raw/deep.py", "README.md"]
    assert own_modules(Observation("", {"files": [{"path": p} for p in paths]})) == {"pots", "kiln"}


SHOWN = '''class Owl:
    """An owl.

    >>> owl = Owl(3)
    >>> owl.sing(2)
    """
    def __init__(self, age): ...
'''


def test_what_docstrings_show_is_a_section(tmp_path: Path) -> None:
    root = write(tmp_path, {"nest/__init__.py": "", "nest/birds.py": SHOWN, "README.md": "# Birds\n"})
    with Workspace(root, Options(sandbox="none")) as made:
        found = callables_of(call(made, "search_symbols", callables="an Owl that sings", limit=5))
        ((score, section),) = examples_of(found, ())
        assert 0 < score <= 0.5
        assert section.blocks[0].code == "from nest.birds import Owl\nowl = Owl(3)\nowl.sing(2)\n"
        assert (section.path, section.headings) == ("nest/birds.py", ("#",))
        assert examples_of(found, [(1.0, section)]) == []  # a document shows it already
