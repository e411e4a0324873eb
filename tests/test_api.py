import hashlib
import subprocess
from pathlib import Path

import pytest

from ml_agent.api import check, solve
from ml_agent.errors import UsageError
from ml_agent.task import Task
from ml_agent.trajectory import read_trajectory
from tests.commandline import run, scripted, submit

TRAIN = "python train.py --dataset blobs --model softmax --epochs 2"


def digest(folder: Path) -> str:
    """Of all names, contents and times below a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        content = path.read_bytes() if path.is_file() else b""
        found.update(f"{path} {path.lstat().st_mtime_ns} {path.lstat().st_mode}".encode() + content)
    return found.hexdigest()


@pytest.mark.bubblewrap
def test_a_solve_from_end_to_end(smoke: Path, tmp_path: Path) -> None:
    command = f"{TRAIN} --out runs/blobs.json"
    evidence = [{"part": "--epochs 2", "words": "2 epochs", "source": "train.py:29"}]
    policy = scripted(
        tmp_path,
        run("python train.py --nonsense"),
        run(command),
        run("echo something else"),
        submit(command, evidence=evidence, unused=["on the moon"]),
    )
    before = digest(smoke)
    heard: list[str] = []
    result = solve(smoke, "train", policy=policy, output=tmp_path / "out", on_event=lambda event: heard.append(type(event).__name__))

    assert (result.outcome, result.exit_code, result.message) == ("answered", 0, "accepted")
    assert result.answer is not None
    assert result.answer.code == command
    assert result.check is not None
    assert result.check.ok
    assert result.run is not None
    assert (result.run.outcome, result.run.exit_code) == ("completed", 0)
    assert "test accuracy" in result.run.output_tail
    assert [made for made in result.made if not made.endswith(".pyc")] == ["runs/blobs.json"]
    assert heard == ["Decision", "Result"] * 4 + ["End"]

    assert digest(smoke) == before, "the repository was written to"
    assert (tmp_path / "out" / "made" / "runs" / "blobs.json").is_file()
    kept = subprocess.run(["bash", tmp_path / "out" / "answer.sh"], cwd=smoke, capture_output=True, text=True)
    assert "test accuracy" in kept.stdout

    trajectory = read_trajectory(result.trajectory)
    assert trajectory.end is not None
    assert trajectory.end.answer == result.answer
    assert len(trajectory.steps) == 4

    data = result.to_dict()
    assert list(data) == ["answer", "check", "run", "usage", "trajectory"]
    assert data["answer"] == {"language": "bash", "code": command, "workdir": ".", "evidence": evidence, "unused": ["on the moon"]}
    assert data["check"] == {"ok": True, "findings": []}
    assert data["usage"] == {"tokens": 0, "money": None}
    assert list(data["run"]) == ["outcome", "exit_code", "seconds", "missing", "output_tail"]
    assert data["trajectory"] == str(result.trajectory)


def test_without_run_nothing_is_executed(smoke: Path, tmp_path: Path) -> None:
    policy = scripted(tmp_path, run(f"touch {tmp_path}/ran"), submit(TRAIN))
    result = solve(Task("train", smoke), policy=policy, run=False)
    assert result.outcome == "answered"
    assert result.run is None
    assert result.to_dict()["run"]["outcome"] == "not_run"
    assert not (tmp_path / "ran").exists()
    (_, observation), *_ = read_trajectory(result.trajectory).observations("run")
    assert observation.error == "ToolError"


def test_an_answer_with_findings_is_accepted_in_the_end(smoke: Path, tmp_path: Path) -> None:
    wrong = submit("python train.py --hiden 8", workdir=".")
    result = solve(smoke, "train", policy=scripted(tmp_path, wrong, wrong, wrong), run=False)
    assert result.outcome == "answered"
    assert result.check is not None
    assert not result.check.ok
    (finding,) = result.check.findings
    assert (finding.kind, finding.suggestion) == ("option", "--hidden")
    assert result.to_dict()["check"]["findings"][0] | {"message": ""} == {
        "kind": "option",
        "message": "",
        "place": finding.place,
        "source": finding.source,
        "suggestion": "--hidden",
        "severity": "error",
    }


def test_no_answer(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "giving_up.py").write_text(
        "from ml_agent.errors import NoAnswer\n\n"
        "class GivesUp:\n    name = 'gives up'\n    def start(self, *a, **k): pass\n"
        "    def decide(self, *a): raise NoAnswer('nothing fits')\n"
    )
    result = solve(smoke, "train", policy=f"{tmp_path}/giving_up.py:GivesUp", run=False, output=tmp_path / "out")
    assert (result.answer, result.outcome, result.message, result.exit_code) == (None, "no_answer", "nothing fits", 1)
    assert result.to_dict() | {"trajectory": ""} == {
        "answer": None,
        "check": None,
        "run": {"outcome": "not_run", "exit_code": None, "seconds": None, "missing": None, "output_tail": ""},
        "usage": {"tokens": 0, "money": None},
        "trajectory": "",
    }
    assert not (tmp_path / "out").exists()


def test_a_python_answer_is_kept_as_a_program(smoke: Path, tmp_path: Path) -> None:
    code = "from tinynets.data import make_dataset\nprint(len(make_dataset('xor', samples=8)))"
    solve(smoke, "make data", policy=scripted(tmp_path, submit(code, language="python")), run=False, output=tmp_path / "out")
    assert (tmp_path / "out" / "answer.py").read_text() == code + "\n"


def test_every_run_has_a_record_of_its_own(smoke: Path, tmp_path: Path) -> None:
    policy = scripted(tmp_path, submit(TRAIN))
    paths = {solve(smoke, "train", policy=policy, run=False).trajectory for _ in range(3)}
    assert len(paths) == 3
    chosen = solve(smoke, "train", policy=policy, run=False, trajectory=tmp_path / "deep" / "t.jsonl").trajectory
    assert chosen == tmp_path / "deep" / "t.jsonl"
    with pytest.raises(UsageError, match="is there already"):
        solve(smoke, "train", policy=policy, run=False, trajectory=chosen)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"policy": "nosuch"}, "no policy is called 'nosuch'"),
        ({"sandbox": "podman"}, "no sandbox is called 'podman'"),
        ({"python": "/nowhere/python"}, "/nowhere/python"),
        ({"time_limit": 0}, "time limit"),
        ({"instruction": None}, "the instruction is missing"),
        ({"repository": None}, "the repository must be a path, not None"),
        ({"repository": b"/tmp"}, "the repository must be a path, not of type bytes"),
        ({"repository": ""}, "the repository is empty"),
        ({"instruction": 3}, "the task must be a string, not of type int"),
        ({"policy": 3}, "the policy must be a string"),
        ({"python": 3}, "the interpreter must be a string"),
        ({"image": 3}, "the image must be a string"),
        ({"gpus": 3}, "the GPUs must be a string"),
        ({"sandbox": None}, "the sandbox must be a string"),
        ({"time_limit": "5"}, "the time limit must be a number"),
        ({"time_limit": True}, "the time limit must be a number"),
        ({"output": 3}, "the output folder must be a path"),
        ({"on_event": 3}, "on_event must be a function"),
    ],
)
def test_bad_arguments_are_told_before_anything_is_done(smoke: Path, tmp_path: Path, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        solve(**{"repository": smoke, "instruction": "train", "trajectory": tmp_path / "t", **arguments})  # type: ignore[arg-type]
    assert not (tmp_path / "t").exists()


def test_a_task_and_an_instruction_are_one_too_many(smoke: Path) -> None:
    with pytest.raises(UsageError, match="not both"):
        solve(Task("train", smoke), "train")


def test_check(smoke: Path) -> None:
    assert check(smoke, TRAIN).ok
    assert check(smoke, "cd examples/names && python train.py --order 2").ok
    assert check(smoke, "python train.py --order 2", workdir="examples/names").ok
    assert [f.kind for f in check(smoke, "python train.py --dataset cora").findings] == ["value"]
    assert [f.kind for f in check(smoke, "from tinynets.models import Transformer\nTransformer()").findings] == ["import"]
    for code, more, message in (
        (" ", {}, "nothing to check"),
        (None, {}, "the code must be a string, not None"),
        (TRAIN, {"language": "ruby"}, "no such language: 'ruby'; there are bash, python"),
        (TRAIN, {"workdir": None}, "the working folder must be a string"),
    ):
        with pytest.raises(UsageError, match=message):
            check(smoke, code, **more)  # type: ignore[arg-type]
