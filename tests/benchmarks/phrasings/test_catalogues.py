"""The made-up repositories: what they ask for can be said, and can be given."""

import ast
import random
import re
import shlex
import string
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from ml_agent.benchmarks.phrasings import catalogues
from ml_agent.benchmarks.phrasings.calls import Argument
from ml_agent.benchmarks.phrasings.catalogues import Repository, repositories
from ml_agent.benchmarks.phrasings.command_lines import CommandLine, WholeCommand
from ml_agent.benchmarks.phrasings.commands import commands
from ml_agent.benchmarks.phrasings.python_code import code
from ml_agent.task import Answer
from tests.benchmarks.phrasings.english import is_english

FOLDER = Path(catalogues.__file__).parent
PATHS = sorted([*FOLDER.glob("repositories/*.yaml"), *FOLDER.glob("libraries/*.yaml")])
KINDS = pytest.mark.parametrize("make", [commands, code])
Make = Callable[[int, int], Iterator[Repository]]


def fields(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


def settings(data: dict[str, Any]) -> Iterator[tuple[str, Any, list[str]]]:
    """Each setting with its name and the sentences that can ask for it."""
    for form in data["requests"]:
        for name, each in form.get("settings", {}).items():
            yield name, each, form["sentences"]


@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_a_catalogue(path: Path) -> None:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    for name, text in data["files"].items():
        if name.endswith(".py"):
            ast.parse(text)
    for form in data["requests"]:
        for sentence in form["sentences"]:
            named = [name for name in fields(sentence) if name not in ("settings", "Settings", "nouns")]
            assert sorted(named) == sorted(form.get("named", {}))
            assert len(fields(sentence)) - len(named) == bool(form.get("settings")), sentence
    for name, each, sentences in settings(data):
        assert each.get("nouns") or not any("{nouns}" in sentence for sentence in sentences), name
        for phrase in [*each.get("nouns", ()), *each.get("others", ())]:
            assert set(fields(phrase)) == ({"v"} if len(each.get("values", ())) > 1 else set(fields(phrase)) & {"v"}), phrase


@KINDS
def test_the_same_seed_asks_the_same(make: Make) -> None:
    assert list(make(40, 3)) == list(make(40, 3)) != list(make(40, 4))


@KINDS
def test_tasks_are_shared_out(make: Make) -> None:
    assert [len(each.requests) for each in make(2, 1)] == [1, 1]
    counts = [len(each.requests) for each in make(33, 1)]
    assert sum(counts) == 33
    assert max(counts) - min(counts) <= 1


@KINDS
def test_requests_are_english(make: Make) -> None:
    for repository in make(800, 1):
        for text, _ in repository.requests:
            assert is_english(text), text


def test_files_are_written(tmp_path: Path) -> None:
    (repository,) = repositories("repositories", 1, 1, lambda name, data, tasks, chance: [])
    repository.write(tmp_path)
    written = {path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file()}
    assert written == repository.files


def written(command: CommandLine, whole: WholeCommand, *, leave_out: str = "") -> Answer:
    """The command line as an answer that starts in the repository's root."""
    front: list[str] = []
    behind: list[str] = []
    for name, value in command.options.items():
        if name == leave_out:
            continue
        words = [name] if value is None else [name, *(shlex.split(value) if name in whole.syntax.several else [value])]
        (front if name in whole.syntax.launcher else behind).extend(["=".join(words)] if whole.syntax.assigned else words)
    *start, script = command.words[: whole.program]
    arguments = command.words[whole.program :]
    last = [*behind, *arguments] if whole.syntax.trailing else [*arguments, *behind]
    return Answer("bash", shlex.join([*start, *front, script, *last]))


def test_right_commands_and_what_is_wrong_with_others() -> None:
    known = set()
    for repository in commands(160, 1):
        for text, (whole,) in repository.requests:
            assert isinstance(whole, WholeCommand)
            known.add(whole.said)
            for wanted in whole.wanted:
                assert whole.problems(written(wanted, whole)) == [], text
                more = replace(wanted, words=(*wanted.words, "more"))
                assert whole.problems(written(more, whole)) == ["other arguments"]
                other = replace(wanted, words=(*wanted.words[: whole.program - 1], "other.py", *wanted.words[whole.program :]))
                assert whole.problems(written(other, whole)) == ["another program"]
                assert whole.problems(written(wanted.setting({"--more": "1"}), whole)) == ["extra --more"]
                for name, value in wanted.options.items():
                    missing = [] if value is not None and whole.syntax.defaults.get(name) == value else [f"missing {name}"]
                    assert whole.problems(written(wanted, whole, leave_out=name)) == missing
                    if value is not None:
                        assert whole.problems(written(wanted.setting({name: "1234567"}), whole)) == [f"wrong {name}"]
    assert known == {path.stem for path in PATHS if path.parent.name == "repositories"}


def test_requests_say_what_the_command_holds() -> None:
    """Each option is one of the files', and each of its values is said or documented."""
    for repository in commands(160, 2):
        files = "\n".join((*repository.files, *repository.files.values()))
        for text, (whole,) in repository.requests:
            assert isinstance(whole, WholeCommand)
            said = text.replace(", ", " ").replace(" and ", " ").lower()
            for name, value in whole.wanted[0].options.items():
                assert name.lstrip("-").rpartition(".")[2] in files
                assert value is None or value in files or value in said, (text, name)


def test_commands_hold_what_requests_say() -> None:
    """Each number in the text is the value of an option, and all programs are asked for."""
    programs = set()
    for repository in commands(160, 3):
        for text, (whole,) in repository.requests:
            assert isinstance(whole, WholeCommand)
            programs.add(whole.wanted[0].words[: whole.program])
            if whole.said in ("forecasting", "gans", "overrides", "pretraining"):
                numbers = set(re.findall(r"(?<![\w./-])\d[\d.e-]*(?=[\s,.?;x]|$)", text))
                values = {value for value in whole.wanted[0].options.values() if value is not None}
                assert {number.rstrip(".") for number in numbers} <= values, text
    assert len([each for each in programs if each[0] == "owlkit"]) == 3
    assert {each[1] for each in programs} >= {"train.py", "evaluate.py", "predict.py", "export_onnx.py", "gen_images.py"}


def test_all_of_the_libraries_is_asked_for() -> None:
    asked = {
        one.parameter for repository in code(150, 3) for _, wanted in repository.requests for one in wanted if isinstance(one, Argument)
    }
    assert asked >= {
        "audio",
        "docs",
        "cands",
        "refs",
        "fp",
        "texts",
        "patch_size",
        "num_tokens",
        "codebook_dim",
        "*size",
        "folder",
        "gamma",
        "n",
    }


def test_right_code_and_what_is_wrong_with_other() -> None:
    for repository in code(150, 1):
        for text, wanted in repository.requests:
            for one in wanted:
                assert isinstance(one, Argument)
                values = ", ".join(map(repr, one.value)) if one.parameter == "*size" and isinstance(one.value, tuple) else None
                for function in one.functions:
                    given = values or f"{one.parameter}={one.value!r}"
                    assert one.problems(Answer("python", f"x.{function}({given})\n{one.calls or 'y'}(1)")) == [], text
                    assert one.problems(
                        Answer("python", f"x.{function}({given}, 1)" if values else f"x.{function}({one.parameter}='other')")
                    )
                    assert one.problems(Answer("python", f"x.other({given})"))
                assert one.parameter == "*size" or is_a_parameter(one, repository.files)


def is_a_parameter(argument: Argument, files: dict[str, str]) -> bool:
    """Of a function of the library, or of one that it does not have."""
    (name,) = argument.functions
    trees = [ast.parse(text) for path, text in files.items() if path.endswith(".py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    classes = {node.name: node for node in nodes if isinstance(node, ast.ClassDef)}
    inside = ast.walk(classes[name]) if name in classes else nodes
    wanted = "__init__" if name in classes else name
    functions = [node for node in inside if isinstance(node, ast.FunctionDef) and node.name == wanted]
    known = {each.arg for node in functions for each in (*node.args.args, *node.args.kwonlyargs)}
    return argument.parameter in (known or argument.parameters)


def test_what_is_asked_of_code_is_said() -> None:
    for repository in code(150, 2):
        for text, wanted in repository.requests:
            for one in wanted:
                assert isinstance(one, Argument)
                for part in one.value if isinstance(one.value, list | tuple) else [one.value]:
                    if isinstance(part, str | int) and not isinstance(part, bool):
                        assert str(part) in text


def test_choices_are_made_by_the_seed_alone() -> None:
    random.seed(1)
    first = list(code(5, 9))
    random.seed(2)
    assert list(code(5, 9)) == first
