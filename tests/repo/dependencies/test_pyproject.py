"""pyproject.toml."""

from pathlib import Path

from tests.repo.dependencies.support import brief, declared


def test_project_extras_and_groups(tmp_path: Path) -> None:
    text = """\
[project]
requires-python = ">=3.9"
dependencies = [
  "numpy>=1.2",
  'triton>=2; sys_platform == "linux"',
]
optional-dependencies.dev = ["black"]

[dependency-groups]
test = ["pytest>=7", {include-group = "other"}]
other = ["numpy>=1.2"]
"""
    found = declared(tmp_path, {"pyproject.toml": text})
    assert {(f"{d.name}{d.specifier}", d.line, d.group) for d in found.requirements} == {
        ("numpy>=1.2", 4, ""),
        ("triton>=2", 5, ""),
        ("black", 7, "[dev]"),
        ("pytest>=7", 10, "group test"),
        ("numpy>=1.2", 11, "group other"),
    }
    assert [(p.specifier, p.line) for p in found.python] == [(">=3.9", 2)]
    assert found.unread == ()


def test_poetry(tmp_path: Path) -> None:
    text = """\
[tool.poetry.dependencies]
python = "^3.8"
torch = "^1.13"
local = { path = "../local" }
pkg = { git = "https://example.org/pkg.git" }
many = [{ version = "1.0", python = "<3.9" }, { version = "2.0", python = ">=3.9" }]
opt = { version = "*", optional = true }
requests = { version = "~2.28", extras = ["socks"], markers = "os_name == 'posix'" }

[tool.poetry.group.dev.dependencies]
pytest = "*"
"""
    found = declared(tmp_path, {"pyproject.toml": text})
    assert {(d.name, d.specifier, d.line, d.group) for d in found.requirements} == {
        ("torch", "<2,>=1.13", 3, ""),
        ("pkg", "", 5, ""),
        ("many", "==1.0", 6, ""),
        ("many", "==2.0", 6, ""),
        ("opt", "", 7, "[extras]"),
        ("requests", "<2.29,>=2.28", 8, ""),
        ("pytest", "", 11, "group dev"),
    }
    assert {d.marker for d in found.requirements if d.name in ("many", "requests")} == {
        'python_full_version < "3.9"',
        'python_full_version >= "3.9"',
        'os_name == "posix"',
    }
    assert [p.specifier for p in found.python] == ["<4,>=3.8"]
    assert found.unread == ()


def test_dynamic_from_files(tmp_path: Path) -> None:
    text = '[tool.setuptools.dynamic]\ndependencies = {file = ["deps.txt"]}\noptional-dependencies.x = {file = "more.txt"}\n'
    found = declared(tmp_path, {"pyproject.toml": text, "deps.txt": "a\n", "more.txt": "b\n"})
    assert brief(found) == {"a": "deps.txt:1", "b": "more.txt:1 [x]"}


def test_wrong_types_are_said(tmp_path: Path) -> None:
    text = '[project]\ndependencies = "numpy"\nrequires-python = "three"\n'
    text += "[project.optional-dependencies]\nx = [1]\n[tool.poetry.dependencies]\ny = 3\n"
    found = declared(tmp_path, {"pyproject.toml": text})
    assert found.requirements == ()
    assert [u.place for u in found.unread] == ["pyproject.toml:3", "pyproject.toml:2", "pyproject.toml:5", "pyproject.toml:7"]
