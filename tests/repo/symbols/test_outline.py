"""The map of a repository."""

from ml_agent.repo.symbols import SymbolTable, parse_symbols, repo_map
from tests.repo.symbols.trees import table


def test_an_outline_with_parents_and_lines() -> None:
    made = repo_map(table(), "call forward of the net", 1_000)
    assert "pkg/nets.py:\n  4: class Net(Base)\n    7: def forward(self, x)\n" in made.text
    assert made.left_out == 0


def test_the_budget_holds() -> None:
    for budget in (0, 10, 25, 60):
        made = repo_map(table(), "train the net", budget)
        assert made.tokens <= budget
        assert len(made.text) <= 4 * budget
    assert repo_map(table(), "train the net", 0).text == ""


def test_the_words_of_the_task_lead() -> None:
    files = {f"m{i}.py": f"def common_{i}(): pass\ndef use_{i}():\n    common_{i}()\n" for i in range(50)}
    files["odd.py"] = "from util import load_points\ndef count_zebras(x):\n    return load_points(x)\n"
    files["util.py"] = "def load_points(x): pass\ndef other(x): pass\n"
    tree = SymbolTable((path, parse_symbols(path, text)) for path, text in files.items())
    made = repo_map(tree, "count the zebras", 40)
    assert [s.name for s in made.symbols[:2]] == ["count_zebras", "load_points"]  # what it calls comes next


def test_what_many_refer_to_leads_without_a_task() -> None:
    files = {f"m{i}.py": "from core import engine\nengine()\n" for i in range(10)}
    files["core.py"] = "def engine(): pass\ndef spare(): pass\n"
    tree = SymbolTable((path, parse_symbols(path, text)) for path, text in files.items())
    assert repo_map(tree, "", 100).symbols[0].name == "engine"


def test_methods_of_lists_do_not_count_for_a_class_of_the_tree() -> None:
    files = {f"m{i}.py": "x = []\nx.append(1)\nwork(2)\n" for i in range(10)}
    files["frame.py"] = "class Frame:\n    def append(self, x): pass\ndef work(x): pass\n"
    tree = SymbolTable((path, parse_symbols(path, text)) for path, text in files.items())
    names = [s.name for s in repo_map(tree, "", 100).symbols]
    assert names.index("work") < names.index("append")


def test_nothing_to_show() -> None:
    assert repo_map(SymbolTable([]), "anything", 100).text == ""
    assert repo_map(SymbolTable([("a.py", parse_symbols("a.py", "f()\n"))]), "f", 100).symbols == ()
