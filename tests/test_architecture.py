"""The house stands as the design draws it: floors, no circles, files of a readable size, tests that mirror the tree."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
LINES = 300

FLOORS: tuple[tuple[str, ...], ...] = (
    ("errors", "config", "limits", "task", "inputs", "interrupts", "executables", "plugins", "seal"),
    ("trajectory", "repo", "sandbox", "models", "git"),
    ("workspace", "verify", "needs"),
    ("policies", "tools", "prompts", "catalogue"),
    ("agent", "agents", "replay"),
    ("result", "solving", "taking_up", "api", "choosing", "doctor"),
    ("benchmarks",),
    ("console", "report", "cli", "__main__"),
)
"""Lowest first. What stands on one floor may import within it, but for policies and tools."""

SIDE_BY_SIDE = {("policies", "tools"): set[str](), ("tools", "policies"): {"ml_agent.policies.base"}}
"""A policy knows tools by name and schema only; a tool's schema is of the class that policies/base.py defines for that."""

ABOUT_THE_WHOLE = {"test_pace", "test_architecture", "test_packaging", "test_security_page", "test_model_security", "test_tutorial"}


def module_files() -> dict[str, Path]:
    """Dotted name -> file of each module of ml_agent, the three folders beside it included."""
    found = {}
    for folder, package in (
        ("ml_agent", "ml_agent"),
        ("tools", "ml_agent.tools"),
        ("prompts", "ml_agent.prompts"),
        ("benchmarks", "ml_agent.benchmarks"),
    ):
        for path in sorted((ROOT / folder).rglob("*.py")):
            inside = path.relative_to(ROOT / folder)
            linked = any((ROOT / folder / parent).is_symlink() for parent in inside.parents if parent != Path())
            if not linked and "repository" not in inside.parts:
                parts = inside.with_suffix("").parts
                found[".".join((package, *(parts[:-1] if parts[-1] == "__init__" else parts)))] = path
    return found


MODULES = module_files()


def imports(name: str, *, at_run_time: bool = False) -> set[str]:
    """The modules of ml_agent that a module imports, anywhere in its file; `at_run_time` leaves out those for type checkers."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    skipped: set[ast.AST] = set()
    for node in ast.walk(tree):
        if at_run_time and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            skipped.update(child for statement in node.body for child in ast.walk(statement))
    found: set[str] = set()
    for node in ast.walk(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{name}:{node.lineno} imports relatively"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                target = whole if whole in MODULES else node.module
                if target in MODULES:
                    found.add(target)
    return found - {name}


def part(name: str) -> str:
    """The part of the house: `ml_agent.repo.files` -> `repo`."""
    return name.split(".")[1] if "." in name else "__init__"


def test_every_part_has_a_floor() -> None:
    known = {name for floor in FLOORS for name in floor} | {"__init__"}
    assert {part(name) for name in MODULES} <= known


def test_imports_go_downwards() -> None:
    floor = {member: number for number, members in enumerate(FLOORS) for member in members}
    wrong = []
    for name in MODULES:
        for target in imports(name):
            if "__init__" in (part(name), part(target)):  # the door imports what is asked of it
                continue
            beside = SIDE_BY_SIDE.get((part(name), part(target)))
            if floor[part(target)] > floor[part(name)] or (beside is not None and target not in beside):
                wrong.append(f"{name} -> {target}")
    assert wrong == []


def test_no_import_circle() -> None:
    graph = {name: imports(name, at_run_time=True) - {"ml_agent"} for name in MODULES if name != "ml_agent"}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"an import circle: {' -> '.join(error.args[1])}")


def test_files_are_short() -> None:
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in {*MODULES.values(), *TESTS.rglob("*.py")}}
    assert {str(path.relative_to(ROOT)): count for path, count in lines.items() if count > LINES} == {}


def test_tests_mirror_the_tree() -> None:
    """tests/a/test_b.py and tests/a/test_b_more.py test ml_agent/a/b.py; tests/a/test_a.py tests ml_agent/a/__init__.py."""
    astray = []
    for path in TESTS.rglob("test_*.py"):
        folder = ".".join(("ml_agent", *path.relative_to(TESTS).parent.parts))
        names = {name.rpartition(".")[2] for name in MODULES if name.rpartition(".")[0] == folder} | {folder.rpartition(".")[2]}
        tested = path.stem.removeprefix("test_")
        mirrors = folder in MODULES and any(tested == name or tested.startswith(name + "_") for name in names)
        if not mirrors and path.stem not in ABOUT_THE_WHOLE:
            astray.append(str(path.relative_to(ROOT)))
    assert astray == []


def test_test_folders_are_packages() -> None:
    folders = {path.parent for path in TESTS.rglob("test_*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []  # two test files of one name would clash
