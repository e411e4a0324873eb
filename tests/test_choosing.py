"""A task without a repository: the candidates are cloned or opened in turn until one has an answer."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from ml_agent import api
from ml_agent.benchmarks.suites.smoke import REPOSITORY
from ml_agent.choosing import solve_somewhere
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.result import Result
from tests.commandline import ml_agent, one_line

TASK = "train the MLP on the spirals with a learning rate of 0.01 for 20 epochs"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A repository with nothing that could be run."""
    folder = tmp_path / "poems"
    folder.mkdir()
    (folder / "README.md").write_text("# Poems\n\nAbout spirals, an MLP and epochs.\n")
    return folder


def catalogue(tmp_path: Path, entries: Sequence[dict[str, str]]) -> Path:
    path = tmp_path / "catalogue.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return path


def solving(tried: list[Path]) -> Callable[[Path], Result]:
    def solve(folder: Path) -> Result:
        tried.append(folder)
        return api.solve(folder, TASK, run=False)

    return solve


def test_goes_on_until_one_has_an_answer(empty: Path, tmp_path: Path) -> None:
    best = {"name": "poems", "path": str(empty), "description": "spirals spirals MLP MLP epochs learning rate train"}
    listed = catalogue(tmp_path, [{"name": "nets", "path": str(REPOSITORY), "description": "an MLP on spirals"}, best])
    tried: list[Path] = []
    result = solve_somewhere(TASK, solving(tried), catalogue=listed)
    assert [path.name for path in tried] == ["poems", REPOSITORY.name]
    assert result.answer is not None
    assert "--lr 0.01" in result.answer.code
    assert [note.partition(" (")[0] for note in result.notes[:2]] == ["the repository is poems", "the repository is nets"]


def test_what_cannot_be_cloned_is_passed_over(tmp_path: Path) -> None:
    gone = {"name": "gone", "url": f"file://{tmp_path}/nowhere.git", "description": "spirals spirals MLP MLP epochs learning rate train"}
    listed = catalogue(tmp_path, [gone, {"name": "nets", "path": str(REPOSITORY), "description": "an MLP on spirals"}])
    tried: list[Path] = []
    result = solve_somewhere(TASK, solving(tried), catalogue=listed)
    assert (len(tried), result.outcome) == (1, "answered")
    assert result.notes[0].startswith("gone: ")
    with pytest.raises(InfrastructureError, match="git"):
        solve_somewhere(TASK, solving([]), catalogue=catalogue(tmp_path, [gone]))


def test_nothing_found(tmp_path: Path) -> None:
    listed = catalogue(tmp_path, [{"name": "cooking", "url": "https://example.org/cooking.git", "description": "soup"}])
    with pytest.raises(UsageError, match=r"no repository was found for .*: give one with --repo"):
        solve_somewhere(TASK, solving([]), catalogue=listed)


def test_on_the_command_line(tmp_path: Path) -> None:
    listed = catalogue(tmp_path, [{"name": "nets", "path": str(REPOSITORY), "description": "an MLP on spirals"}])
    done = ml_agent("solve", "--catalogue", listed, "--task", TASK, "--no-run", "--json")
    assert done.returncode == 0, done.stderr
    assert "--lr 0.01" in json.loads(done.stdout)["answer"]["code"]
    assert "the repository is nets" in done.stderr
    refused = ml_agent("solve", "--repo", REPOSITORY, "--catalogue", listed, "--task", TASK)
    assert refused.returncode == 2
    assert "leave out --repo" in one_line(refused)
