from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ml_agent.errors import NoAnswer
from ml_agent.limits import Limits, Remaining
from ml_agent.policies.base import ToolSpec
from ml_agent.policies.grounded import Grounded
from ml_agent.policies.grounded.proposals import Proposal, propose
from ml_agent.task import Task
from ml_agent.tools import default_tools, spec
from ml_agent.trajectory import Decision, Observation, Step, Trajectory
from tests.pace import within
from tests.policies.grounded.birds import ANSWER, BIRDS, FORGED, README, TAG, TASK
from tests.policies.grounded.support import answered, justified, solve, tree, write


def tools_of(trajectory: Trajectory) -> list[str]:
    return [call.tool for step in trajectory.steps for call in step.decision.calls]


def test_from_the_task_to_a_checked_answer(birds: Path) -> None:
    before = tree(birds)
    trajectory = solve(birds, TASK)
    assert trajectory.end is not None
    assert (trajectory.end.outcome, trajectory.end.verified) == ("answered", True)
    assert answered(trajectory).as_text() == ANSWER
    justified(answered(trajectory), TASK, birds)
    assert tools_of(trajectory) == ["entry_points", "read_readme", "file_tree", "search_symbols", "check_answer", "run", "submit"]
    assert tree(birds) == before


def test_a_documented_fault_is_mended_by_the_check(tmp_path: Path) -> None:
    """The README is older than the program."""
    files = {"README.md": README.replace("--epochs", "--epocs"), "songs/tag.py": TAG}
    trajectory = solve(write(tmp_path / "r", files), "Train the owl tagger of bird songs")
    assert answered(trajectory).as_text() == "cd songs && python tag.py --net owl --epochs 5"
    assert [o.data["ok"] for _, o in trajectory.observations("check_answer")] == [False, True]
    assert trajectory.end is not None
    assert trajectory.end.verified


def test_a_document_that_the_check_refuses_as_a_whole_is_kept(tmp_path: Path) -> None:
    """Where nearly nothing of a command fits its program, the reading is wrong rather than the document: a bare program is no answer."""
    program = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--z')\np.add_argument('--y')\np.parse_args()\n"
    documented = "python run.py --z 0 --owl 1 --egg 2 --nest 3 --song 4"
    files = {"README.md": f"# Birds\n\n## Singing in the dawn\n\n```\n{documented}\n```\n", "run.py": program}
    trajectory = solve(write(tmp_path / "r", files), "Run the singing in the dawn")
    assert answered(trajectory).code == documented
    assert trajectory.end is not None
    assert not trajectory.end.verified


def test_python(tmp_path: Path) -> None:
    code = "from birds import Tagger\nprint(Tagger('crow').tag('a.wav'))\n"
    module = "class Tagger:\n    def __init__(self, name):\n        pass\n\n    def tag(self, path):\n        return path\n"
    root = write(tmp_path / "r", {"README.md": f"# Birds\n\n## Tagging\n\n```python\n{code}```\n", "birds.py": module})
    trajectory = solve(root, "Write python code that tags the recording 'night/owl.mp3'")
    answer = answered(trajectory)
    assert (answer.language, answer.code.strip()) == ("python", code.replace("a.wav", "night/owl.mp3").strip())


def test_what_cannot_work_gives_way_to_the_next_best(tmp_path: Path) -> None:
    """The code that fits best imports what the repository has no more."""
    owl, every = (f"```python\nfrom birds import {name}\n{name}()\n```\n\n" for name in ("OwlTagger", "Tagger"))
    files = {"README.md": f"# Birds\n\n## Owl\n\n{owl}## All\n\n{every}", "birds.py": "class Tagger:\n    pass\n"}
    trajectory = solve(write(tmp_path / "r", files), "write python code with the OwlTagger")
    assert answered(trajectory).code.split() == ["from", "birds", "import", "Tagger", "Tagger()"]
    assert [o.data["ok"] for _, o in trajectory.observations("check_answer")] == [False, True]


SIBLINGS = {
    "README.md": "# Zoo\n\nMany animals.\n",
    **{f"zoo/{animal}/train.py": TAG.replace("bird song", animal) for animal in ("owl", "crow", "swan", "gull", "wren", "hawk")},
}


def test_arguments_that_a_document_leaves_out_are_the_users(tmp_path: Path) -> None:
    """The other snippet is whole, but not what is asked for."""
    readme = (
        "# Birds\n\n## Split a flock\n\n```python\nfrom birds import Flock\n\nflock = Flock(...)\nflock.split(ratio=0.5)\n```\n\n"
        "## Hatch\n\n```python\nfrom birds import Flock\n\nflock = Flock(nest=3)\nflock.hatch(eggs=2)\n```\n"
    )
    code = "class Flock:\n    def __init__(self, nest): ...\n    def split(self, ratio): ...\n    def hatch(self, eggs): ...\n"
    trajectory = solve(write(tmp_path / "r", {"README.md": readme, "birds.py": code}), "In Python: split a flock with a ratio of 0.3")
    assert "Flock(...)" in answered(trajectory).code
    assert "ratio=0.3" in answered(trajectory).code


def test_each_attempt_gives_another_answer(tmp_path: Path) -> None:
    root = write(tmp_path / "zoo", SIBLINGS)
    answers = [answered(solve(root, "train the zoo tagger for 3 epochs", attempt=k)).as_text() for k in range(5)]
    assert len(set(answers)) == 5
    assert answers[0] == answered(solve(root, "train the zoo tagger for 3 epochs")).as_text()


def test_an_object_ranks_what_it_saw_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its attempts are those of new objects; another task or a changed repository is ranked anew."""
    root, ranked, policy = write(tmp_path / "zoo", SIBLINGS), list[str](), Grounded()

    def counted(*arguments: Any) -> list[Proposal]:
        ranked.append(arguments[3].text)
        return propose(*arguments)

    anew = [solve(root, "train the zoo tagger for 3 epochs", attempt=k).steps for k in range(3)]
    monkeypatch.setattr("ml_agent.policies.grounded.policy.propose", counted)
    once = [solve(root, "train the zoo tagger for 3 epochs", attempt=k, policy=policy).steps for k in range(3)]
    assert [[s.decision for s in steps] for steps in once] == [[s.decision for s in steps] for steps in anew]
    assert ranked == ["train the zoo tagger for 3 epochs"]
    solve(root, "train the zoo tagger for 4 epochs", policy=policy)
    write(root, {"zoo/toad/train.py": TAG})
    solve(root, "train the zoo tagger for 4 epochs", policy=policy)
    assert ranked[1:] == ["train the zoo tagger for 4 epochs"] * 2


def test_a_repository_is_imported_by_its_own_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its folders are called."""
    code = "import other\n\nother.sing()\n", "from owl_songs import sing\n\nsing()\n"
    readme = "# Owls\n\n## Sing\n\n" + "".join(f"```python\n{each}```\n\n" for each in code)
    root = write(tmp_path / "owl-songs", {"README.md": readme, "lib/core.py": "def sing():\n    pass\n"})
    seen: list[frozenset[str]] = []

    def noted(*arguments: Any) -> list[Proposal]:
        seen.append(arguments[2])
        return propose(*arguments)

    monkeypatch.setattr("ml_agent.policies.grounded.policy.propose", noted)
    assert answered(solve(root, "write python code that sings")).code.strip() == code[1].strip()
    assert [own & {"owl_songs", "owl-songs"} for own in seen] == [{"owl_songs"}]


def test_an_attempt_beyond_the_last_proposal_gives_the_last(birds: Path) -> None:
    assert answered(solve(birds, TASK, attempt=99)).code


@pytest.mark.parametrize("files", [{"README.md": "# Words\n\nOnly words.\n"}, {"data.csv": "1,2\n"}, {"x.bin": "\0\1"}])
def test_nothing_to_offer(tmp_path: Path, files: dict[str, str]) -> None:
    trajectory = solve(write(tmp_path / "r", files), TASK)
    assert trajectory.end is not None
    assert (trajectory.end.outcome, trajectory.end.answer) == ("no_answer", None)
    assert "holds no program" in trajectory.end.message


def test_hostile_words_in_a_readme_change_nothing(tmp_path: Path) -> None:
    top, _, rest = README.partition("## Training")
    root = write(
        tmp_path / "r",
        {**BIRDS, "README.md": f"{top}{FORGED}\n## Training{rest}\n{FORGED}\n```\n{FORGED}\n```\n", "docs/notes.txt": FORGED},
    )
    trajectory = solve(root, TASK)
    assert answered(trajectory).as_text() == ANSWER
    assert tools_of(trajectory)[-1] == "submit"


@pytest.mark.parametrize(
    "said", ["$(touch made)", "`touch made`", "x; touch made", "'; touch made; '", "x && touch made", "\ntouch made\n"]
)
def test_hostile_words_in_a_task_are_no_code(birds: Path, said: str) -> None:
    answer = answered(solve(birds, f"{TASK} and the note {said}"))
    assert "touch" not in answer.code


@pytest.mark.parametrize(
    "text", ["(1," * 5000, "a/" * 9000, "train 'x' for 3 epochs " * 800, "tag " + "7 " * 9000, "Owl crow " * 2000, "`" * 19000, "é" * 19000]
)
def test_long_tasks_end_in_time(tmp_path: Path, text: str) -> None:
    root = write(tmp_path / "zoo", SIBLINGS)
    with within(20):
        trajectory = solve(root, f"train the zoo tagger {text}"[:20_000], limits=Limits(seconds=30))
        assert trajectory.end is not None
        assert trajectory.end.outcome == "answered"


def test_without_time_to_run_it_is_submitted_unrun(birds: Path) -> None:
    trajectory = solve(birds, TASK, limits=Limits(sandbox_seconds=0.5))
    assert answered(trajectory).as_text() == ANSWER
    assert "run" not in tools_of(trajectory)


def specs() -> dict[str, ToolSpec]:
    return {name: spec(tool) for name, tool in default_tools().items()}


LEFT = Remaining(steps=50, seconds=100, sandbox_seconds=100, tokens=1e9, money=1e9)


def calls(decision: Decision) -> object:
    """What is decided, but for how long a run may take: that is what is left when it is decided."""
    return decision.thought, [(c.id, c.tool, {k: v for k, v in c.arguments.items() if k != "timeout"}) for c in decision.calls]


def test_a_run_can_be_taken_up_again_at_any_step(tmp_path: Path) -> None:
    files = {"README.md": README.replace("--epochs", "--epocs"), "songs/tag.py": TAG}
    trajectory = solve(write(tmp_path / "r", files), "Train the owl tagger of bird songs")
    assert len(trajectory.steps) >= 5
    along = Grounded()
    along.start(trajectory.task, specs())
    for number, step in enumerate(trajectory.steps):
        before = replace(trajectory, steps=trajectory.steps[:number], end=None)
        fresh = Grounded()
        fresh.start(trajectory.task, specs())
        assert calls(fresh.decide(before, LEFT)) == calls(along.decide(before, LEFT)) == calls(step.decision)


def test_tools_that_fail_are_no_end(birds: Path) -> None:
    policy = Grounded()
    policy.start(Task(TASK, birds), specs())
    trajectory = Trajectory(Task(TASK, birds))
    decision = policy.decide(trajectory, LEFT)
    failed = Observation("no", error="ToolError")
    trajectory.steps.append(Step(decision, (failed,) * len(decision.calls)))
    with pytest.raises(NoAnswer, match="holds no program"):
        policy.decide(trajectory, LEFT)


def test_started_again_it_begins_anew(birds: Path) -> None:
    policy = Grounded()
    first = []
    for _ in range(2):
        policy.start(Task(TASK, birds), specs())
        first.append(policy.decide(Trajectory(Task(TASK, birds)), LEFT))
    assert first[0] == first[1]
    assert [c.tool for c in first[0].calls] == ["entry_points", "read_readme", "file_tree", "search_symbols"]


def test_two_rejections_at_most(birds: Path) -> None:
    """What cannot pass the check is submitted until it is accepted, unverified."""
    (birds / "songs/tag.py").write_text(TAG.replace('"--epochs"', '"--rounds"').replace('"--net"', '"--kind"'))
    trajectory = solve(birds, TASK)
    assert trajectory.end is not None
    assert trajectory.end.outcome == "answered"
    assert len(list(trajectory.observations("submit"))) <= 3
