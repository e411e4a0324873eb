import json
import time
from pathlib import Path

import pytest

from ml_agent.benchmarks import faults
from ml_agent.benchmarks.base import Attempt, Usage
from ml_agent.benchmarks.runner import Progress, RunOptions, run
from ml_agent.benchmarks.runner.local import LocalExecutor
from ml_agent.benchmarks.runs import Run
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.trajectory import read_trajectory
from tests.benchmarks.runner.support import InProcess, checkouts, content, endings, policy, processes, suite_of
from tests.pace import within


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "run"


def test_each_attempt_is_in_a_file_of_its_own(smoke: Path, tmp_path: Path, out: Path) -> None:
    suite = suite_of("train", "nothing", "train", "train", repositories=3)
    options = RunOptions(policy=policy(tmp_path), attempts=2)
    heard: list[tuple[int, int]] = []
    done = run(suite, checkouts(suite, smoke), out, options, workers=2, on_progress=lambda p: heard.append((p.done, p.left)))
    assert (done.total, done.before, done.done, done.left, dict(done.endings)) == (8, 0, 8, 0, {"answered": 6, "no_answer": 2})
    assert heard[0] == (0, 8)
    assert heard[-1] == (8, 0)
    found = Run(out)
    assert found.suite == suite
    assert [(one.sample, one.attempt) for one in found.attempts()] == [(s.key, n) for s in suite.samples for n in (0, 1)]
    first, second = found.attempts_at("0/0")
    assert (first.answer and first.answer.code, second.answer and second.answer.code) == (
        "python train.py --lr 0.1",
        "python train.py --lr 0.2",
    )
    assert first.verified
    assert first.usage.steps == 1
    assert first.usage.money == 0.0
    trajectory = read_trajectory(out / first.trajectory)
    assert trajectory.end is not None
    assert trajectory.end.outcome == "answered"
    assert sorted(path.name for path in out.iterdir()) == ["attempts", "lock", "settings.json", "suite.jsonl", "trajectories"]


def test_a_finished_run_is_left_as_it_is(smoke: Path, tmp_path: Path, out: Path) -> None:
    suite, options = suite_of("train", "nothing"), RunOptions(policy=policy(tmp_path))
    run(suite, checkouts(suite, smoke), out, options, make_executor=InProcess)
    before = {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in out.rglob("*.json*")}
    again = run(suite, checkouts(suite, smoke), out, options)
    assert (again.before, again.done, again.total) == (2, 0, 2)
    assert {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in out.rglob("*.json*")} == before


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"attempts": 3}, "begun with attempts 2, not 3"),
        ({"seconds": 7.0}, "seconds 120.0, not 7.0"),
        ({"only": "0/0"}, 'only "", not "0/0"'),
        ({"seed": 1}, "seed 0, not 1"),
        ({"money": 0.5}, "money null, not 0.5"),
    ],
)
def test_other_settings_are_refused_by_name(smoke: Path, tmp_path: Path, out: Path, changed: dict[str, object], words: str) -> None:
    suite, name = suite_of("train"), policy(tmp_path)
    run(suite, checkouts(suite, smoke), out, RunOptions(policy=name, attempts=2), make_executor=InProcess)
    other = RunOptions(**{"policy": name, "attempts": 2, **changed})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=words) as refused:
        run(suite, checkouts(suite, smoke), out, other, make_executor=InProcess)
    assert "\n" not in str(refused.value)


def test_another_suite_and_a_changed_policy_are_refused(smoke: Path, tmp_path: Path, out: Path) -> None:
    suite, options = suite_of("train"), RunOptions(policy=policy(tmp_path))
    run(suite, checkouts(suite, smoke), out, options, make_executor=InProcess)
    with pytest.raises(UsageError, match="suite_hash"):
        run(suite_of("nothing"), checkouts(suite, smoke), out, options, make_executor=InProcess)
    path = Path(options.policy.rpartition(":")[0])
    path.write_text(path.read_text() + "\n# another one\n")
    with pytest.raises(UsageError, match="policy_digest"):
        run(suite, checkouts(suite, smoke), out, options, make_executor=InProcess)


def test_a_folder_with_something_else_is_refused(smoke: Path, tmp_path: Path) -> None:
    suite, options = suite_of("train"), RunOptions(policy=policy(tmp_path))
    with pytest.raises(UsageError, match="holds no run"):
        run(suite, checkouts(suite, smoke), smoke, options)
    with pytest.raises(UsageError, match="cannot make"):
        run(suite, checkouts(suite, smoke), smoke / "train.py" / "x", options)
    with pytest.raises(UsageError, match="no checkout of tiny0"):
        run(suite, {}, tmp_path / "out", options)
    assert not (tmp_path / "out").exists()


def test_what_a_policy_is_given(smoke: Path, tmp_path: Path, out: Path) -> None:
    """The instruction and the repository; nothing of the ground truth is in its process."""
    text = """\
import gc, json
from ml_agent.errors import NoAnswer

class Looking:
    name = "looking"
    def start(self, task, tools, *, attempt=0, seed=0):
        secrets = {"SECRET", "python train.py --lr 0.1", str({"lr": "0.1"})}
        found = [o for o in gc.get_objects() if isinstance(o, dict) and secrets & {str(v) for v in list(o.values())}]
        self.said = json.dumps([task.instruction, sorted(vars(type(task))["__slots__"]), "run" in tools, attempt, seed, len(found)])
    def decide(self, trajectory, remaining):
        raise NoAnswer(self.said)
"""
    suite = suite_of("train")
    run(suite, checkouts(suite, smoke), out, RunOptions(policy=policy(tmp_path, text, "Looking"), seed=5))
    (attempt,) = Run(out).attempts()
    assert json.loads(attempt.message) == ["train", ["instruction", "repository", "time_limit"], False, 0, 5, 0]


def test_faults_of_policies(smoke: Path, tmp_path: Path, out: Path) -> None:
    """Each costs its own attempt, and the others go on."""
    suite = suite_of("crash it", "leave", "die", f"once {tmp_path}/once", "talk", "train", "  ")
    done = run(suite, checkouts(suite, smoke), out, RunOptions(policy=policy(tmp_path)), workers=2)
    found = {one.sample: one for one in Run(out).attempts()}
    assert {key: one.ending for key, one in found.items()} == {
        "0/0": "crashed", "0/1": "crashed", "0/2": "killed", "0/3": "answered", "0/4": "answered", "0/5": "answered", "0/6": "crashed",
    }  # fmt: skip
    assert "KeyError: 'it'" in found["0/0"].message
    assert "SystemExit: left" in found["0/1"].message
    assert "exit code 7; it said last:\nthe last words of it" in found["0/2"].message
    assert done.retries == 2


def test_the_last_words_of_an_attempt_are_its_own(smoke: Path, tmp_path: Path, out: Path) -> None:
    """Not those of the attempt before it in the same process, which ended them without a line break."""
    suite = suite_of("die", "talk")
    run(suite, checkouts(suite, smoke), out, RunOptions(policy=policy(tmp_path)), workers=1)
    died = next(one for one in Run(out).attempts() if one.sample == "0/0")
    assert died.message.endswith("exit code 7; it said last:\nthe last words of it")


def test_one_that_hangs_is_killed_with_all_its_processes(smoke: Path, tmp_path: Path, out: Path) -> None:
    mark = f"{time.time():.6f}"
    suite = suite_of("train", f"hang {mark}", "train")
    with within(20):
        options = RunOptions(policy=policy(tmp_path), seconds=1.0)
        run(suite, checkouts(suite, smoke), out, options, make_executor=lambda *given: LocalExecutor(*given, grace=0.5))
    assert processes(mark) == []
    _, hung, after = Run(out).attempts()
    assert (hung.ending, after.ending) == ("killed", "answered")
    assert "after its limit of 1 s" in hung.message
    assert "SIGKILL" in hung.message
    assert read_trajectory(out / hung.trajectory).end is None  # it is kept as far as it went


def test_the_surroundings_are_tried_again_then_recorded_then_again_if_asked(
    smoke: Path, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(faults.TREATMENTS, "infrastructure", faults.Treatment(2, (0.0, 0.1)))
    place = tmp_path / "times"
    suite, options = suite_of("surroundings", f"recovering {place}"), RunOptions(policy=policy(tmp_path))
    done = run(suite, checkouts(suite, smoke), out, options, make_executor=InProcess)
    assert (done.retries, endings(out)) == (4, {"0/0.0": "infrastructure", "0/1.0": "answered"})
    assert place.read_text() == "xxx"
    assert next(Run(out).attempts()).message == "the daemon is gone"
    assert run(suite, checkouts(suite, smoke), out, options, make_executor=InProcess).done == 0
    again = run(suite, checkouts(suite, smoke), out, options, again=True, make_executor=InProcess)
    assert (again.before, again.done) == (1, 1)
    assert len(list((out / "superseded").iterdir())) == 1


def test_a_run_stops_when_the_surroundings_fail_on_and_on(smoke: Path, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(faults.TREATMENTS, "infrastructure", faults.Treatment())
    suite = suite_of(*["surroundings"] * 30)
    with pytest.raises(InfrastructureError, match=r"the last 10 attempts all failed for the surroundings.*the daemon is gone"):
        run(suite, checkouts(suite, smoke), out, RunOptions(policy=policy(tmp_path)), make_executor=InProcess)
    assert len(endings(out)) == 10


def test_limits_of_an_attempt(smoke: Path, tmp_path: Path, out: Path) -> None:
    text = """\
from ml_agent.trajectory import Decision, ToolCall

class Going:
    name = "going"
    def start(self, task, tools, *, attempt=0, seed=0):
        pass
    def decide(self, trajectory, remaining):
        return Decision("", (ToolCall("1", "file_tree", {}),))
"""
    suite = suite_of("train")
    run(suite, checkouts(suite, smoke), out, RunOptions(policy=policy(tmp_path, text, "Going"), steps=3), make_executor=InProcess)
    (attempt,) = Run(out).attempts()
    assert (attempt.ending, attempt.usage.steps, attempt.message) == ("limit", 3, "the limit of 3 steps is spent")


@pytest.mark.parametrize(
    "options", [{"attempts": 0}, {"seconds": 0.0}, {"steps": 0}, {"money": -1.0}, {"policy": "no_such"}, {"model": "some-model"}]
)
def test_options_that_cannot_be(smoke: Path, tmp_path: Path, out: Path, options: dict[str, object]) -> None:
    suite = suite_of("train")
    with pytest.raises(UsageError):
        run(suite, checkouts(suite, smoke), out, RunOptions(**{"policy": policy(tmp_path), **options}))  # type: ignore[arg-type]
    assert not out.exists()


def test_no_workers(smoke: Path, tmp_path: Path, out: Path) -> None:
    suite = suite_of("train")
    with pytest.raises(UsageError, match="--workers is 0"):
        run(suite, checkouts(suite, smoke), out, RunOptions(policy=policy(tmp_path)), workers=0)


def test_progress_counts_money() -> None:
    known, unknown = (Attempt("a", 0, "answered", usage=Usage(tokens=10, money=money)) for money in (0.5, None))
    progress = Progress(3)
    sums: list[float | None] = []
    for attempt in (known, unknown, known):
        progress.count(attempt)
        sums.append(progress.money)
    assert sums == [0.5, None, None]
    assert (progress.tokens, progress.left) == (30, 0)


def test_content_is_the_same_with_one_worker_and_with_four(smoke: Path, tmp_path: Path) -> None:
    suite, options = suite_of(*["train", "nothing", "crash x"] * 3, repositories=2), RunOptions(policy=policy(tmp_path), attempts=2)
    for workers in (1, 4):
        run(suite, checkouts(suite, smoke), tmp_path / f"run{workers}", options, workers=workers)
    assert content(tmp_path / "run1") == content(tmp_path / "run4")
