"""A stored run as something to go on with: what is left of it, what it cost, and whose it is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ml_agent.api import Result, replay, resume, solve
from ml_agent.errors import Departed, UsageError
from ml_agent.trajectory import INTERRUPTED, Step, read_trajectory
from tests.asking import asking, unanswered, wanting
from tests.commandline import run, scripted, submit
from tests.models.server import ScriptedServer, body, completion, refused, serving
from tests.test_api import digest

ANSWER = "python train.py --dataset blobs --model softmax --epochs 2"
READ = ("read_file", {"path": "train.py"})
WRITE = ("write_file", {"path": "note.txt", "content": "written before\n"})
EDIT = ("edit_file", {"path": "note.txt", "old": "before", "new": "again"})


def cut(path: Path, lines: int) -> Path:
    """The record as a kill leaves it: its first lines, and what was being written."""
    kept = path.with_name(f"cut{lines}.jsonl")
    kept.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]) + b'{"event": "obs')
    return kept


def stopped(smoke: Path, folder: Path, server: ScriptedServer, *, run: bool = False, **more: Any) -> Result:
    """A solve whose model refuses when its turns are over."""
    return solve(smoke, "train it", policy=asking(folder), model="scripted", base_url=server.url, run=run, **more)


def test_what_prepared_the_workspace_is_made_again(smoke: Path, tmp_path: Path) -> None:
    before = digest(smoke)
    policy = scripted(tmp_path, WRITE, EDIT, ("read_file", {"path": "note.txt"}), submit(ANSWER))
    whole = solve(smoke, "train", policy=policy, run=False).trajectory
    old = cut(whole, 5)  # the header and two steps
    result = resume(old, to=tmp_path / "new.jsonl")
    assert (result.outcome, result.trajectory) == ("answered", tmp_path / "new.jsonl")
    read = read_trajectory(result.trajectory)
    assert "written again" in read.steps[2].observations[0].text
    assert read.settings["resumed"] == str(old)
    assert replay(result.trajectory).steps == 4
    assert digest(smoke) == before
    with pytest.raises(UsageError, match="is there already"):
        resume(old, to=tmp_path / "new.jsonl")


@pytest.mark.parametrize("lines", [1, 2, 3, 4, 5])
def test_killed_anywhere_it_goes_on_to_the_same_answer(smoke: Path, tmp_path: Path, lines: int) -> None:
    """`grounded`, which has no model, makes the step that it was stopped in once more."""
    whole = solve(smoke, "train a softmax model on blobs for 2 epochs", run=False)
    assert whole.outcome == "answered"
    result = resume(cut(whole.trajectory, lines))
    assert result.answer == whole.answer

    def decided(steps: list[Step]) -> list[Any]:
        return [[(c.tool, c.arguments) for c in step.decision.calls] for step in steps if INTERRUPTED not in step.observations]

    assert decided(read_trajectory(result.trajectory).steps) == decided(read_trajectory(whole.trajectory).steps)
    assert replay(result.trajectory).steps == len(read_trajectory(result.trajectory).steps)


def test_killed_behind_an_accepted_answer_it_has_it(smoke: Path, tmp_path: Path) -> None:
    with serving(wanting(READ), wanting(submit(ANSWER))) as server:
        whole = stopped(smoke, tmp_path, server)
        lines = whole.trajectory.read_bytes().count(b"\n")
        result = resume(cut(whole.trajectory, lines - 1))
        assert len(server.requests) == 2
    assert (result.outcome, result.answer, result.tokens) == ("answered", whole.answer, 36)


def test_taken_up_twice_nothing_is_counted_twice(smoke: Path, tmp_path: Path) -> None:
    with serving(wanting(READ), refused(400, "broken"), wanting(WRITE), refused(400, "broken"), wanting(submit(ANSWER))) as server:
        first = stopped(smoke, tmp_path, server)
        assert (first.outcome, first.tokens) == ("infrastructure", 18)
        second = resume(first.trajectory)
        assert (second.outcome, second.tokens) == ("infrastructure", 36)
        third = resume(second.trajectory)
        assert (third.outcome, third.tokens) == ("answered", 54)
        assert len(server.requests) == 5
        assert [unanswered(request) for request in server.requests] == [[]] * 5
    done = replay(third.trajectory)
    assert (done.steps, done.exchanges) == (3, 3)


def test_what_is_left_of_the_limits(smoke: Path, tmp_path: Path) -> None:
    with serving(wanting(READ), wanting(READ), wanting(READ)) as server:
        first = stopped(smoke, tmp_path, server, limits={"steps": 2})
        assert (first.outcome, first.message) == ("limit", "the limit of 2 steps is spent")
        with pytest.raises(UsageError, match=r"spent its limit of 2 steps: give --limit steps=N, more than that, for the whole"):
            resume(first.trajectory)
        second = resume(first.trajectory, limits={"steps": 3, "tokens": 54})
        assert (second.outcome, second.tokens) == ("limit", 54)
        assert len(read_trajectory(second.trajectory).steps) == 3
        with pytest.raises(UsageError, match="3 steps"):
            resume(second.trajectory)
        with pytest.raises(UsageError, match="54 tokens: give --limit tokens=N"):
            resume(second.trajectory, limits={"steps": 9})
        server.turns.append(wanting(submit(ANSWER)))
        third = resume(second.trajectory, limits={"steps": 9, "tokens": 99})
        assert (third.outcome, third.tokens) == ("answered", 72)
        with pytest.raises(UsageError, match="it has its answer"):
            resume(third.trajectory)
    left = [step.remaining for step in read_trajectory(third.trajectory).steps]
    assert [(r.steps, r.tokens) for r in left if r] == [(1, float("inf")), (0, float("inf")), (0, 18), (5, 45)]


@pytest.mark.bubblewrap
def test_the_time_of_runs_counts(smoke: Path, tmp_path: Path) -> None:
    policy = scripted(tmp_path, READ, run("echo done > made.txt; sleep 2"), submit(ANSWER))
    whole = solve(smoke, "train", policy=policy, time_limit=100, sandbox="bubblewrap").trajectory
    result = resume(cut(whole, 5))
    limits = read_trajectory(result.trajectory).settings["limits"]
    assert 90 < limits["seconds"] < 98.1
    assert result.notes[0] == "runs are not made again: of what they made there is nothing here (made.txt)"
    assert read_trajectory(resume(cut(whole, 5), time_limit=33).trajectory).settings["limits"]["seconds"] == 33


def test_the_task_stays_the_same_whatever_time_is_given_for_the_rest(smoke: Path, tmp_path: Path) -> None:
    thoughtful = (
        "class Asks(Asks):\n    def start(self, task, *rest, **more):\n        self.limit = task.time_limit\n"
        "        super().start(task, *rest, **more)\n"
        "    def decide(self, *rest):\n        return Decision(str(self.limit), super().decide(*rest).calls)\n"
    )
    with serving(wanting(READ), refused(400, "broken"), wanting(submit(ANSWER))) as server:
        policy = asking(tmp_path, code=thoughtful)
        first = solve(smoke, "train", policy=policy, model="scripted", base_url=server.url, run=False, time_limit=50)
        second = resume(first.trajectory, time_limit=60)
    assert [step.decision.thought for step in read_trajectory(second.trajectory).steps] == ["50", "50"]
    assert replay(second.trajectory).steps == 2


def given_up(smoke: Path, folder: Path) -> Path:
    with serving(*[body(completion({"content": ""}))] * 3) as server:
        result = stopped(smoke, folder, server)
    assert result.outcome == "no_answer"
    return result.trajectory


def test_a_policy_that_gave_up_is_not_asked_again(smoke: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="its policy gave up, and would do so again"):
        resume(given_up(smoke, tmp_path))


@pytest.fixture
def old(smoke: Path, tmp_path: Path) -> Path:
    """Two steps with a model, which then refused."""
    with serving(wanting(READ), wanting(("grep", {"pattern": "epochs"})), refused(400, "broken")) as server:
        return stopped(smoke, tmp_path, server).trajectory


def test_another_prompt_departs(old: Path, tmp_path: Path) -> None:
    asking(tmp_path, prompt="Use no tools.")
    before = {*old.parent.iterdir()}
    for again in (resume, replay):
        with pytest.raises(Departed, match=r"step 1: .*departs at call 1 of the model: message 1 \(system\) is another"):
            again(old)
    assert {*old.parent.iterdir()} == before, "a run that departed left a file"


def test_other_code_of_the_policy_departs(old: Path, tmp_path: Path) -> None:
    asking(
        tmp_path, code="class Asks(Asks):\n    def decide(self, *rest):\n        return Decision('other', super().decide(*rest).calls)\n"
    )
    for again in (resume, replay):
        with pytest.raises(Departed, match="departs at step 1: its thought is another"):
            again(old)


def test_another_file_in_the_repository_departs_only_where_it_is_read_again(old: Path, smoke: Path) -> None:
    (smoke / "train.py").write_text("print('another')\n")
    assert replay(old).steps == 2  # what it saw is recorded
    (smoke / "train.py").unlink()
    assert replay(old).exchanges == 2 + 1  # the refusal as well


def test_a_call_that_cannot_be_made_again_departs(smoke: Path, tmp_path: Path) -> None:
    edit = ("edit_file", {"path": "README.md", "old": "# tinynets", "new": "# changed"})
    text = (smoke / "README.md").read_text()
    first = text.splitlines()[0]
    edit[1]["old"] = first
    whole = solve(smoke, "train", policy=scripted(tmp_path, edit, submit(ANSWER)), run=False).trajectory
    (smoke / "README.md").write_text("something else\n")
    with pytest.raises(Departed, match="step 1: edit_file cannot be called as it was"):
        resume(cut(whole, 3), to=tmp_path / "new.jsonl")
    assert not (tmp_path / "new.jsonl").exists()


def test_a_model_that_moved(old: Path, smoke: Path) -> None:
    with serving(wanting(submit(ANSWER))) as server:
        assert resume(old, base_url=server.url).outcome == "answered"
    without = cut(solve(smoke, "train it", run=False).trajectory, 1)
    with pytest.raises(UsageError, match="the run has no model: leave --base-url out"):
        resume(without, base_url="http://127.0.0.1:1/v1")
    with pytest.raises(UsageError, match="is not of the form"):
        resume(old, base_url="somewhere")


def changed(path: Path, change: Callable[[dict[str, Any]], Any]) -> Path:
    """With another header."""
    head, *rest = path.read_text().split("\n")
    header = json.loads(head)
    change(header)
    other = path.with_name("changed.jsonl")
    other.write_text("\n".join([json.dumps(header), *rest]))
    return other


FOREIGN: list[Callable[[dict[str, Any]], Any]] = [
    lambda header: header["settings"]["solve"].update(policy="planted.py:Policy"),
    lambda header: header["settings"]["solve"]["model"].update(base_url="http://evil.example/v1"),
    lambda header: header["settings"]["solve"]["sandbox"].update(sandbox="local"),
    lambda header: header["settings"]["solve"]["sandbox"].update(python="planted/python"),
    lambda header: header["settings"]["solve"].update(tools=["planted:Tool"]),
    lambda header: header["task"].update(repository="/somewhere"),
    lambda header: header["settings"].update(seal="0" * 64),
    lambda header: header["settings"].update(seal=None),
    lambda header: header["settings"].pop("seal"),
]


@pytest.mark.parametrize("change", FOREIGN)
def test_a_strangers_file_is_not_obeyed(old: Path, change: Callable[[dict[str, Any]], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    (old.parent / "planted.py").write_text(f"open({str(old.parent / 'executed')!r}, 'w')\n")
    monkeypatch.chdir(old.parent)
    other = changed(old, change)
    for again in (resume, replay):
        with pytest.raises(UsageError, match="is not of a solve of yours on this machine"):
            again(other)
    assert not (old.parent / "executed").exists()


def test_a_strangers_file_that_is_trusted(old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another user"))
    with pytest.raises(UsageError, match="then --trust"):
        replay(old)
    assert replay(old, trust=True).steps == 2
    with serving(wanting(submit(ANSWER))) as server:
        assert resume(old, trust=True, base_url=server.url, to=tmp_path / "new").outcome == "answered"
    assert replay(tmp_path / "new").steps == 3  # it is one's own now


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda header: header["settings"].pop("solve"), "was not made by solve"),
        (lambda header: header["settings"]["solve"].pop("sandbox"), "settings of the run are not whole"),
        (lambda header: header["settings"]["solve"].update(more=1), "settings of the run are not whole"),
        (lambda header: header["settings"]["solve"].update(policy="create-agent"), "its own"),
    ],
)
def test_what_is_no_run_of_ours_is_one_line(old: Path, change: Callable[[dict[str, Any]], Any], words: str) -> None:
    for again in (resume, replay):
        with pytest.raises(UsageError, match=words) as caught:
            again(changed(old, change), trust=True)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("before", "after"),
    [('"limits": {', '"limits": [], "x": {'), ('"steps": 50', '"steps": "many"'), ('"asked": {', '"asked": 3, "x": {')],
)
def test_a_damaged_record_is_one_line(old: Path, before: str, after: str) -> None:
    text = old.read_text()
    assert before in text
    other = old.with_name("damaged.jsonl")
    other.write_text(text.replace(before, after))
    with pytest.raises(UsageError):
        resume(other)


def test_a_reply_too_many_departs(old: Path) -> None:
    lines = old.read_text().splitlines(keepends=True)
    other = old.with_name("more.jsonl")
    exchange = next(line for line in lines if '"exchange"' in line)
    decision = next(n for n, line in enumerate(lines) if '"decision"' in line)
    other.write_text("".join([*lines[:decision], exchange, *lines[decision:]]))
    with pytest.raises(Departed):
        replay(other)


def test_what_was_said_is_not_asked_again(old: Path) -> None:
    """The server of the run is gone: its replies are there, the next one is not."""
    assert replay(old).steps == 2
    result = resume(old, time_limit=2, base_url="http://127.0.0.1:9/v1")
    assert (result.outcome, result.exit_code, result.tokens) == ("infrastructure", 3, 36)
    assert "cannot be reached" in result.message
