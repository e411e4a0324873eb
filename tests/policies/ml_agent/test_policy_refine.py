"""The arrow of refinement: what a run or the check finds is shown to the model, which corrects the code."""

from pathlib import Path

import pytest

from tests.policies.ml_agent.support import (
    CODE,
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
from tests.policies.with_model import answer_of, end_of
from tests.tools.support import README

FAILS = "python train.py --lr 0.25 --out no/such/folder/m.txt"
"""The check finds nothing wrong with it."""


def test_findings_of_submit_are_shown(root: Path) -> None:
    trajectory, model = played(root, ranked("README.md"), code(WRONG), refined())
    assert (answer_of(trajectory).code, end_of(trajectory).verified) == (CODE, True)
    shown = question(model, 2)
    assert f"<code>\n{WRONG}\n</code>" in shown
    assert "rejected\nerror: option: " in shown.split("<error>")[1]
    assert "started in the folder examples" in shown
    assert README.strip() in shown
    assert "The parameters:" not in shown
    assert len(sent(model)[2]) == 2


def test_the_parameters_are_shown_again(root: Path) -> None:
    replies = ranked("README.md"), file("examples/train.py"), parameters("--lr RATE"), final(text=WRONG), refined()
    trajectory, model = played(root, *replies)
    assert answer_of(trajectory).code == CODE
    assert "<parameters>\n--lr RATE\n</parameters>" in question(model, 4)


@pytest.mark.parametrize("replies", [[refined(WRONG), refined(WRONG)], ["Hm.", "Hm.", "Hm."]])
def test_what_stays_wrong_is_handed_in_unverified(root: Path, replies: list[str]) -> None:
    """Also where the model gives up: what there is may still be right."""
    trajectory, _ = played(root, ranked("README.md"), code(WRONG), *replies)
    assert (answer_of(trajectory).code, end_of(trajectory).verified) == (WRONG, False)


def test_a_folder_that_is_not_named_stays(root: Path) -> None:
    trajectory, _ = played(root, ranked("README.md"), code(WRONG), refined(folder=""))
    assert (answer_of(trajectory).workdir, end_of(trajectory).verified) == ("examples", True)


def test_as_often_as_is_set(root: Path) -> None:
    trajectory, _ = played(root, ranked("README.md"), code(WRONG), refined(WRONG), made=policy(refine=1))
    assert (answer_of(trajectory).code, end_of(trajectory).verified) == (WRONG, False)
    trajectory, _ = played(root, ranked("README.md"), code(WRONG), made=policy(refine=0))
    assert (answer_of(trajectory).code, end_of(trajectory).verified) == (WRONG, False)


def test_code_that_cannot_be_handed_in_ends_it(root: Path) -> None:
    """A folder above the repository, taken as it is named: `submit` refuses it each time, without end."""
    made = policy(defects="unchecked-files,no-feedback")
    trajectory, _ = played(root, ranked("README.md"), code(folder="../elsewhere"), made=made)
    assert end_of(trajectory).outcome == "no_answer"
    assert "cannot be handed in: '../elsewhere' leaves the repository" in end_of(trajectory).message


@pytest.mark.bubblewrap
def test_a_failed_run_is_shown_and_mended(root: Path) -> None:
    trajectory, model = played(root, ranked("README.md"), code(FAILS), refined(), sandbox="bubblewrap")
    assert calls(trajectory)[2:] == [("run", FAILS), ("run", CODE), ("submit", CODE)]
    assert [o.data["outcome"] for _, o in trajectory.observations("run")] == ["failed", "completed"]
    assert end_of(trajectory).verified
    shown = question(model, 2)
    assert "FileNotFoundError" in shown.split("<error>")[1]
    assert FAILS in shown


@pytest.mark.bubblewrap
def test_what_the_surroundings_lack_is_no_fault_of_the_code(root: Path) -> None:
    (root / "examples/train.py").write_text("import no_such_package_of_anybody\n")
    (root / "requirements.txt").write_text("no-such-package-of-anybody\n")
    trajectory, _ = played(root, ranked("README.md"), code("python train.py"), sandbox="bubblewrap")
    assert [o.data["outcome"] for _, o in trajectory.observations("run")] == ["environment"]
    assert answer_of(trajectory).code == "python train.py"


@pytest.mark.bubblewrap
def test_runs_end_with_the_refinements(root: Path) -> None:
    trajectory, _ = played(root, ranked("README.md"), code(FAILS), refined(FAILS), refined(FAILS), sandbox="bubblewrap")
    assert calls(trajectory)[2:] == [("run", FAILS), ("run", FAILS), ("submit", FAILS)]


@pytest.mark.bubblewrap
def test_without_refinement_nothing_is_run(root: Path) -> None:
    for made in (policy(as_published=True), policy(refine=0)):
        trajectory, _ = played(root, ranked("README.md"), code(FAILS), made=made, sandbox="bubblewrap")
        assert {tool for tool, _ in calls(trajectory)} == {"file_tree", "read_file", "submit"}
