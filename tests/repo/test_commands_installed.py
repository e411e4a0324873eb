"""Commands that the repository installs itself, where documents give them no option."""

from pathlib import Path

import pytest

from tests.repo.test_commands import block, read

TEA = {"pyproject.toml": '[project.scripts]\nbrew = "tea.cli:main"\n', "tea/__init__.py": "", "tea/cli.py": "def main(): pass\n"}


def arguments(root: Path, readme: str) -> list[str]:
    return [" ".join(c.arguments) for c in read(root, {**TEA, "README.md": readme})]


@pytest.mark.parametrize(
    ("language", "found"),
    [
        ("bash", ["green.tea", "./teas", "green tea"]),
        ("console", ["green.tea", "./teas", "green tea"]),
        ("", ["green.tea", "./teas"]),
    ],
)
def test_in_a_block(tmp_path: Path, language: str, found: list[str]) -> None:
    lines = ("brew green.tea", "brew ./teas", "brew green tea", "brew 1.0", "brew (1.0)", "brew", "stew green.tea")
    assert arguments(tmp_path, block(*lines, language=language)) == found


def test_between_backticks(tmp_path: Path) -> None:
    readme = "# Tea\n\nBrew it with `brew green.tea`, as `brew 1.0` does, or `brew tea`; `stew green.tea` is another's.\n"
    (command,) = read(tmp_path, {**TEA, "README.md": readme})
    assert (command.words, command.target, command.source) == (("brew", "green.tea"), "tea/cli.py", "README.md:3")
    assert arguments(tmp_path, "Brew it with `brewer green.tea` or brew green.tea alone.\n") == []
