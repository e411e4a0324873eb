"""Each defect of the published code is there if it is switched on, and is proven by what the model is sent, and is gone otherwise."""

from pathlib import Path
from typing import Any

import pytest

from ml_agent.models.failures import ContextOverflow
from ml_agent.policies.ml_agent import DEFECTS
from tests.models.parts import Fixed
from tests.policies.ml_agent.support import (
    CODE,
    MORE,
    NO,
    WRONG,
    calls,
    code,
    file,
    final,
    parameters,
    played,
    policy,
    question,
    ranked,
    refined,
    sent,
)
from tests.policies.with_model import answer_of, end_of, run
from tests.tools.support import README, TRAIN


def modes(defect: str) -> list[Any]:
    """The defect alone, all but that one, and all."""
    rest = ",".join(sorted(set(DEFECTS) - {defect}))
    return [
        pytest.param({"defects": defect}, True, id="alone"),
        pytest.param({"defects": rest}, False, id="all-but-it"),
        pytest.param({"as_published": True}, True, id="as-published"),
    ]


@pytest.mark.parametrize(("settings", "there"), modes("readme-path"))
def test_readme_path(root: Path, settings: dict[str, Any], there: bool) -> None:
    replies = ranked("README.md"), file("examples/train.py"), parameters(), final(text="python examples/train.py --out m", folder=".")
    _, model = played(root, *replies, made=policy(**settings))
    last = question(model, 3)
    assert ("<readme>\nREADME.md\n</readme>" in last, README.strip() in last) == (there, not there)
    assert README.strip() in question(model, 1)


@pytest.mark.parametrize(("settings", "there"), modes("unchecked-files"))
def test_unchecked_files(root: Path, settings: dict[str, Any], there: bool) -> None:
    first = ranked("README.md"), file("train.pi")
    more = () if there else (NO,)
    trajectory, _ = played(root, *first, *more, made=policy(**settings))
    assert end_of(trajectory).outcome == "no_answer"
    assert ("cannot be read" in end_of(trajectory).message) == there
    assert (("read_file", "train.pi") in calls(trajectory)) == there
    trajectory, _ = played(root, ranked("docs/README.md"), *(() if there else (ranked(flag="No"),)), made=policy(**settings))
    assert ("cannot be read" in end_of(trajectory).message) == there


@pytest.mark.parametrize(("settings", "there"), modes("whole-files"))
def test_whole_files(root: Path, settings: dict[str, Any], there: bool) -> None:
    words = "# words\n" * 9_000
    readme, program = f"{README}{words}THE END\n", f"{TRAIN}{words}# MIDDLE\n{words}"
    (root / "README.md").write_text(readme)
    (root / "examples/train.py").write_text(program)
    replies = ranked("README.md"), file("examples/train.py"), parameters(), final("No")
    _, model = played(root, *replies, made=policy(**settings))
    for request, end in ((0, "THE END"), (1, "THE END"), (2, "# MIDDLE")):
        assert (end in question(model, request)) == there
        assert ("left out" in question(model, request)) == (not there)
    long = Fixed(ContextOverflow("too long"))
    if there:
        assert "does not fit into the model: too long" in end_of(run(policy(**settings), long, "x", root)).message


@pytest.mark.parametrize(("settings", "there"), modes("plain-text-ends"))
def test_plain_text_ends(root: Path, settings: dict[str, Any], there: bool) -> None:
    for reply in ("Yes, it can.", '{"task_flag": "Perhaps"}'):
        more = () if there else (ranked(flag="No"),)
        trajectory, model = played(root, reply, *more, made=policy(**settings))
        assert end_of(trajectory).outcome == "no_answer"
        assert ("is not what was asked for" in end_of(trajectory).message) == there
        assert there or sent(model)[1][2] == reply


@pytest.mark.parametrize(("settings", "there"), modes("no-folder"))
def test_no_folder(root: Path, settings: dict[str, Any], there: bool) -> None:
    replies = ranked("README.md"), file("examples/train.py"), parameters(), final()
    trajectory, model = played(
        root, *replies, *([refined(), refined()] if settings == {"defects": "no-folder"} else []), made=policy(**settings)
    )
    assert answer_of(trajectory).workdir == ("." if there else "examples")
    for request in (1, 3):
        assert ("the folder that it has to be started in" in question(model, request)) == (not there)
        schema = model.chat.options[request]["response_format"]["json_schema"]["schema"]  # type: ignore[attr-defined]
        assert ("folder" in schema["properties"]) == (not there)
    assert ("The parameters of examples/train.py:" in question(model, 3)) == (not there)


@pytest.mark.parametrize(("settings", "there"), modes("no-feedback"))
def test_no_feedback(root: Path, settings: dict[str, Any], there: bool) -> None:
    more = () if there else (refined(WRONG), refined(WRONG))
    trajectory, _ = played(root, ranked("README.md"), code(WRONG), *more, made=policy(**settings))
    assert (answer_of(trajectory).code, end_of(trajectory).verified) == (WRONG, False)


@pytest.mark.parametrize(("settings", "there"), modes("all-readmes"))
def test_all_readmes(root: Path, settings: dict[str, Any], there: bool) -> None:
    paths = ["README.md", "examples/README.md"]
    for name in "abcdef":
        (root / name).mkdir()
        (root / name / "README.md").write_text(f"# {name}\n")
        paths.append(f"{name}/README.md")
    tried = len(paths) if there else 5
    trajectory, model = played(root, ranked(*paths), *[NO] * tried, made=policy(**settings))
    assert f"none of {tried} READMEs" in end_of(trajectory).message
    assert ("at most" in question(model, 0)) == (not there)


@pytest.mark.parametrize(("settings", "there"), modes("readme-md-only"))
def test_readme_md_only(root: Path, settings: dict[str, Any], there: bool) -> None:
    (root / "README.md").unlink()
    (root / "examples/README.md").rename(root / "examples/readme.rst")
    trajectory, model = played(root, *(() if there else (ranked(flag="No"),)), made=policy(**settings))
    assert ("has no README" in end_of(trajectory).message) == there
    assert there or MORE.strip() in question(model, 0)


def test_every_defect_has_a_test_here() -> None:
    tests = {name.removeprefix("test_").replace("_", "-") for name in globals() if name.startswith("test_")}
    assert set(DEFECTS) <= tests


def test_as_published_it_still_solves(root: Path) -> None:
    command = "python examples/train.py --lr 0.25 --out m.txt"
    trajectory, _ = played(root, ranked("README.md"), code(command), made=policy(as_published=True))
    assert (answer_of(trajectory).code, end_of(trajectory).verified) == (command, True)
    assert CODE not in command
