import os
import resource
import signal
from pathlib import Path

import pytest

from ml_agent.benchmarks.runner.attempt import Attempts, DiskFull, visible
from ml_agent.benchmarks.runner.executor import Unit
from ml_agent.benchmarks.runner.options import RunOptions
from tests.benchmarks.runner.support import policy, suite_of


def unit(smoke: Path, words: str, attempt: int = 0) -> Unit:
    return Unit(visible(suite_of(words).samples[0], "agent"), smoke, attempt)


def test_a_disk_that_refuses_is_no_attempt(smoke: Path, tmp_path: Path) -> None:
    attempts = Attempts(RunOptions(policy=policy(tmp_path)))
    with pytest.raises(DiskFull, match="cannot write the trajectory"):
        attempts.make(unit(smoke, "train"), smoke / "train.py" / "x")
    child = os.fork()
    if child == 0:  # a limit cannot be taken back
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50))
        try:
            attempts.make(unit(smoke, "train"), tmp_path / "trajectory")
        except DiskFull:
            os._exit(7)
        finally:
            os._exit(8)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_repositories_are_kept_in_memory_but_not_all_of_them(smoke: Path, tmp_path: Path) -> None:
    attempts = Attempts(RunOptions(policy=policy(tmp_path)))
    for number in range(4):
        folder = tmp_path / f"copy{number}"
        folder.mkdir()
        (folder / "train.py").write_text("print(1)\n")
        attempts.make(unit(folder, "nothing"), tmp_path / f"{number}.jsonl")
    kept = list(attempts._indexes)
    assert kept == [tmp_path / "copy2", tmp_path / "copy3"]
    before = attempts._indexes[kept[0]]
    attempts.make(unit(kept[0], "nothing"), tmp_path / "once-more.jsonl")
    assert attempts._indexes[kept[0]] is before
    attempts.make(unit(kept[0], "crash x"), tmp_path / "crash.jsonl")
    assert list(attempts._indexes) == [kept[1]]  # who knows what it has done to it


@pytest.mark.parametrize(("setting", "seen"), [("oracle", "SECRET"), ("none", None), ("readme", "# tinynets")])
def test_settings(smoke: Path, tmp_path: Path, setting: str, seen: str | None) -> None:
    """The context of the setting and the tool to hand in, no others."""
    text = """\
import json
from ml_agent.errors import NoAnswer

class Looking:
    name = "looking"
    def start(self, task, tools, *, attempt=0, seed=0):
        self.said = json.dumps([task.instruction, sorted(tools)])
    def decide(self, trajectory, remaining):
        raise NoAnswer(self.said)
"""
    sample = suite_of("train").samples[0]
    attempts = Attempts(RunOptions(policy=policy(tmp_path, text, "Looking"), setting=setting))
    made, cause = attempts.make(Unit(visible(sample, setting), smoke, 0), tmp_path / "trajectory")
    assert cause == "ended"
    assert '["submit"]' in made.message
    assert ("SECRET" in made.message) == (setting == "oracle")
    if seen is None:
        assert made.message == '["train", ["submit"]]'
    else:
        assert seen in made.message


def test_money_that_is_not_known(smoke: Path, tmp_path: Path) -> None:
    """Tokens without a price are null, no tokens are nothing."""
    from ml_agent.benchmarks.base import Attempt
    from ml_agent.benchmarks.runner.attempt import _usage
    from ml_agent.limits import Limits

    limits, attempt = Limits(), Attempt("1/1", 0, "answered")
    assert _usage(attempt, limits, 1.0).money == 0.0
    limits.spend(tokens=10)
    assert (_usage(attempt, limits, 1.0).money, _usage(attempt, limits, 1.0).tokens) == (None, 10)
    limits.spend(money=0.25)
    assert _usage(attempt, limits, 1.0).money == 0.25
