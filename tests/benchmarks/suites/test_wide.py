"""The yardstick: its tasks are whole and as its README says, its ground truths pass, nothing of it is ML-Bench's."""

import json
import re
import shlex
from typing import Any

import pytest

from ml_agent.benchmarks.base import Attempt, Suite
from ml_agent.benchmarks.scorers.static import StaticScorer
from ml_agent.benchmarks.suites import about, load_suite
from ml_agent.benchmarks.suites.ml_bench import COMMITS
from ml_agent.benchmarks.suites.wide import TASKS, is_unseen
from ml_agent.errors import UsageError
from ml_agent.repo.pysource import parse_python
from ml_agent.task import Answer

LINES: list[dict[str, Any]] = [json.loads(line) for line in TASKS.read_text(encoding="utf-8").splitlines()]
FIELDS = {"repository", "url", "commit", "id", "instruction", "answer"}
SHELL = {"language", "workdir", "options", "arguments", "command"}
PROGRAM = {"program", "module", "console"}
PYTHON = {"language", "workdir", "code", "values", "keywords"}


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("wide")


def keys(*found: dict[str, Any]) -> list[str]:
    """Names of tasks, without what stands in them."""
    return [f"{task['repository']}/{task['id']}" for task in found]


def test_each_line_has_what_the_readme_says() -> None:
    assert keys(*(task for task in LINES if not FIELDS <= task.keys() <= FIELDS | {"note"})) == []
    assert keys(*(task for task in LINES if not task["instruction"].strip())) == []
    shell = [task for task in LINES if task["answer"]["language"] == "bash"]
    python = [task for task in LINES if task["answer"]["language"] == "python"]
    assert len(shell) + len(python) == len(LINES)
    optional = {"launcher", "environment", "stdin", "stdout"}
    assert keys(*(task for task in shell if not SHELL <= task["answer"].keys() <= SHELL | PROGRAM | optional)) == []
    assert keys(*(task for task in shell if not PROGRAM & task["answer"].keys())) == []
    assert keys(*(task for task in python if not {"code", "workdir", "values"} <= task["answer"].keys() <= PYTHON)) == []


def test_what_is_asked_for_stands_in_the_answer() -> None:
    for task in LINES:
        answer, (key,) = task["answer"], keys(task)
        assert not re.match(r"/|\.\./", answer["workdir"]), key
        if answer["language"] == "python":
            parse_python(answer["code"])
            continue
        shlex.split(answer["command"], comments=True)
        assert all(option in answer["command"] for option in answer["options"]), key
        assert all(argument in answer["command"] or shlex.quote(argument) in answer["command"] for argument in answer["arguments"]), key


def test_ids_are_of_one_task_and_commits_of_one_repository(suite: Suite) -> None:
    assert len(set(keys(*LINES))) == len(LINES) == len(suite.samples) == 233
    assert {sample.key for sample in suite.samples} == set(keys(*LINES))
    assert len(suite.repositories) == len({(task["repository"], task["url"], task["commit"]) for task in LINES}) == 40
    assert len({name.lower() for name in suite.repositories}) == 40  # folders, whatever their case
    for name, repository in suite.repositories.items():
        assert re.fullmatch(r"[0-9a-f]{40}", repository.commit), name
        assert re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+", repository.url), name
        assert re.fullmatch(r"\w[\w.-]*", name)


def test_no_repository_is_one_of_ml_bench(suite: Suite) -> None:
    names = {name.lower() for name in suite.repositories} | {
        repository.url.rsplit("/", 1)[-1].lower().removesuffix(".git") for repository in suite.repositories.values()
    }
    assert names.isdisjoint(COMMITS)
    assert {repository.commit for repository in suite.repositories.values()}.isdisjoint(COMMITS.values())


def test_the_ground_truths_pass_without_the_repositories(suite: Suite) -> None:
    scorer, failed = StaticScorer(), []
    for sample in suite.samples:
        answer = Answer(sample.language, sample.output, sample.workdir)
        if not scorer.score(sample, Attempt(sample.key, 0, "answered", answer)).passed:
            failed.append(sample.key)
        assert not scorer.score(sample, Attempt(sample.key, 0, "answered", Answer(sample.language, "exit()", sample.workdir))).passed
    assert failed == []
    assert not any(sample.unreachable for sample in suite.samples)


def test_the_halves_are_apart_and_complete(suite: Suite) -> None:
    seen, unseen = load_suite("wide", None, "seen"), load_suite("wide", split="unseen")
    assert (len(seen.samples), len(seen.repositories), len(unseen.samples), len(unseen.repositories)) == (109, 19, 124, 21)
    assert not any(map(is_unseen, seen.repositories))
    assert all(map(is_unseen, unseen.repositories))
    assert seen.repositories.keys().isdisjoint(unseen.repositories)
    assert {one.key for one in (*seen.samples, *unseen.samples)} == {one.key for one in suite.samples}
    assert {sample.repository for sample in seen.samples} == seen.repositories.keys()
    assert [one.version for one in (suite, seen, unseen)] == ["1", "1-seen", "1-unseen"]
    assert not suite.runs


def test_which_half_is_a_matter_of_the_name_alone() -> None:
    assert [is_unseen(name) for name in ("a", "b", "c", "d")] == [True, False, True, False]  # ca.., 3e.., 2e.., 18..


@pytest.mark.parametrize(("data", "split"), [("rows.jsonl", "full"), (None, "quarter"), (None, ""), ("hub", "seen")])
def test_rows_and_other_splits_are_refused(data: str | None, split: str) -> None:
    with pytest.raises(UsageError, match=r"^wide brings its own tasks: leave --data out; its splits are full, seen, unseen$"):
        load_suite("wide", data, split)


def test_it_is_listed() -> None:
    assert about("wide").startswith("tasks on forty repositories")
