"""The command line as a user meets it: each test is a process."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ml_agent import config
from ml_agent.cli.parser import COMMANDS, build_parser
from tests.commandline import COMMAND, environment, ml_agent, one_line, run, scripted, submit
from tests.pace import slowness, within
from tests.test_ml_agent import HEAVY

TRAIN = "python train.py --dataset blobs --model softmax --epochs 2"


def test_help_is_quick() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        subprocess.run([*COMMAND, "--help"], capture_output=True, env=environment(), check=True)
        return time.perf_counter() - start

    assert min(seconds() for _ in range(3)) <= 0.25 * slowness()


@pytest.mark.parametrize("arguments", [["--help"], ["solve", "--help"], ["solve", "--repo", "nowhere", "--task", "x"]])
def test_what_needs_nothing_heavy_imports_nothing_heavy(arguments: list[str]) -> None:
    code = f"""if True:
        import sys
        from ml_agent.cli import main
        try:
            main({arguments})
        except SystemExit:
            pass
        print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    assert done.stderr.splitlines()[-1] == "[]"


def test_bad_input_is_one_line_and_exit_code_2(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "unborn" / ".git").mkdir(parents=True)
    train = ["--task", "train the model"]
    cases: list[tuple[list[str | Path], str]] = [
        (["--repo", tmp_path / "nowhere", *train], "no such folder"),
        (["--repo", smoke / "train.py", *train], "is a file"),
        (["--repo", tmp_path / "empty", *train], "is empty"),
        (["--repo", tmp_path / "unborn", *train], "commit or check out"),
        (["--repo", smoke, "--task", "   "], "say in words"),
        (["--repo", smoke, *train, "--policy", "nosuch"], "grounded"),
        (["--repo", smoke, *train, "--python", smoke / "train.py"], "train.py"),
        (["--repo", smoke, *train, "--python", "no-such-python"], "no-such-python"),
        (["--repo", smoke, *train, "--time-limit", "0"], "above zero"),
        (["--repo", smoke, *train, "--time-limit", "soon"], "invalid float"),
        (["--repo", smoke, *train, "--sandbox", "[/bold]"], "[/bold]"),
        (["--repo", smoke, *train, "--output", smoke / "out"], "in the repository"),
        (["--repo", smoke, *train, "--nosuch\x1b[31m"], "\\x1b[31m"),
        (["--repo", smoke], "--task"),
    ]
    for arguments, message in cases:
        done = ml_agent("solve", *arguments)
        assert done.returncode == 2, (arguments, done.stderr)
        assert message in one_line(done), arguments


def test_a_megabyte_of_task(smoke: Path) -> None:
    """More than the system lets one argument be, so it is handed to the function behind the command line."""
    code = f"import sys; from ml_agent.cli import main; sys.exit(main(['solve', '--repo', {str(smoke)!r}, '--task', 'x ' * 500_000]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment())
    assert done.returncode == 2
    assert f"{config.INSTRUCTION_CHARACTERS:,} or fewer" in one_line(done)


@pytest.mark.bubblewrap
def test_a_solve_piped(smoke: Path, tmp_path: Path) -> None:
    command = f"{TRAIN} --out runs/blobs.json"
    evidence: list[dict[str, Any]] = [
        {"part": "--epochs 2", "words": "2 epochs", "source": "train.py:29"},
        {"part": "python train.py", "words": None, "source": "README.md:27"},
    ]
    policy = scripted(tmp_path, run(command), submit(command, evidence=evidence, unused=["gamma 10", "mirror\x1b on"]))
    done = ml_agent("solve", "--repo", smoke, "--task", "train for 2 epochs", "--policy", policy, "--output", tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:3] == [command, "", 'not used  "gamma 10" · "mirror\\x1b on"']
    text = "\n".join(line for line in lines[1:] if not line.startswith("record"))
    assert "folder   the repository's root" in text
    assert "check    passed" in text
    assert "run      completed in" in text
    assert "test accuracy" in text
    assert 'sources  --epochs 2       ← "2 epochs" · train.py:29' in text
    assert "         python train.py  ← README.md:27" in text
    assert f"runs/blobs.json (kept in {tmp_path}/out)" in text
    assert not set(done.stdout) & set("\x1b│─╭")
    assert (tmp_path / "out" / "answer.sh").is_file()


def test_json_is_one_object(smoke: Path, tmp_path: Path) -> None:
    policy = scripted(tmp_path, submit(TRAIN))
    done = ml_agent("solve", "--repo", smoke, "--task", "train", "--policy", policy, "--no-run", "--json")
    assert done.returncode == 0
    data = json.loads(done.stdout)
    assert data["answer"]["code"] == TRAIN
    assert data["run"]["outcome"] == "not_run"
    assert Path(data["trajectory"]).is_file()


def test_no_answer_is_exit_code_1(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "idle.py").write_text(
        "from ml_agent.trajectory import Decision\n\n"
        "class Idle:\n    name = 'idle'\n    def start(self, *a, **k): pass\n    def decide(self, *a): return Decision('hm', ())\n"
    )
    arguments = ("solve", "--repo", smoke, "--task", "train", "--policy", f"{tmp_path}/idle.py:Idle", "--no-run")
    done = ml_agent(*arguments)
    assert done.returncode == 1
    assert "no answer within the limits" in done.stderr
    done = ml_agent(*arguments, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["answer"] is None


def test_the_time_limit_cuts_off_what_looks_at_no_clock(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "busy.py").write_text(
        "class Busy:\n    name = 'busy'\n    def start(self, *a, **k): pass\n"
        "    def decide(self, *a):\n        while True: sum(range(1000))\n"
    )
    with within(8):
        done = ml_agent(
            "solve", "--repo", smoke, "--task", "train", "--policy", f"{tmp_path}/busy.py:Busy", "--no-run", "--time-limit", "1"
        )
        assert done.returncode == 1
        assert "limit" in done.stderr


def test_what_is_unforeseen_is_no_missing_answer(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "class Broken:\n    name = 'broken'\n    def start(self, *a, **k): pass\n    def decide(self, *a): raise KeyError('x')\n"
    )
    done = ml_agent("solve", "--repo", smoke, "--task", "train", "--policy", f"{tmp_path}/broken.py:Broken", "--no-run")
    assert done.returncode == 3
    assert "KeyError: 'x'" in done.stderr


def test_check(smoke: Path, tmp_path: Path) -> None:
    done = ml_agent("check", "--repo", smoke, "cd examples/names && python train.py --order 2")
    assert (done.returncode, done.stdout, done.stderr) == (0, "check    passed\n", "")
    done = ml_agent("check", "--repo", smoke, "cd examples/names && python train.py --order 9 --temprature 1.5")
    assert done.returncode == 1
    assert done.stdout.startswith("check    not passed (2 errors)\n")
    assert "examples/names/options.py:" in done.stdout
    assert "nearest: --temperature" in done.stdout
    done = ml_agent("check", "--json", "--repo", smoke, "python evaluate.py")
    assert done.returncode == 1
    data = json.loads(done.stdout)
    assert data["ok"] is False
    assert data["findings"][0]["kind"] == "missing"

    (tmp_path / "good.py").write_text("from tinynets.models import MLP\nMLP(features=2, hidden=3, classes=2)\n")
    (tmp_path / "bad.py").write_text("from tinynets.models import MLP\nMLP(features=2, hiden=3, classes=2)\n")
    assert ml_agent("check", "--repo", smoke, tmp_path / "good.py").returncode == 0
    done = ml_agent("check", "--repo", smoke, tmp_path / "bad.py")
    assert done.returncode == 1
    assert "signature" in done.stdout
    done = ml_agent("check", "--repo", smoke, "nowhere.py")
    assert done.returncode == 2
    assert "nowhere.py" in one_line(done)


def test_show(smoke: Path, tmp_path: Path) -> None:
    record = json.loads(
        ml_agent(
            "solve", "--repo", smoke, "--task", "train it", "--no-run", "--json",
            "--policy", scripted(tmp_path, ("read_file", {"path": "train.py"}), submit(TRAIN)),
        ).stdout
    )["trajectory"]  # fmt: skip
    done = ml_agent("show", record)
    assert (done.returncode, done.stderr) == (0, "")
    for expected in (
        "task     train it",
        'read_file(path="train.py")',
        "more lines; --full shows them",
        TRAIN,
        "check    passed",
        "end      answered",
    ):
        assert expected in done.stdout
    assert len(ml_agent("show", "--full", record).stdout) > len(done.stdout)
    (tmp_path / "torn.jsonl").write_text(Path(record).read_text()[:-200])
    assert "none: the run was killed" in ml_agent("show", tmp_path / "torn.jsonl").stdout
    for path in (smoke / "README.md", smoke, tmp_path / "nowhere"):
        done = ml_agent("show", path)
        assert done.returncode == 2
        one_line(done)


def test_a_reader_that_stops_reading(smoke: Path, tmp_path: Path) -> None:
    policy = scripted(tmp_path, *[("read_file", {"path": "train.py"})] * 40, submit(TRAIN))
    record = json.loads(ml_agent("solve", "--repo", smoke, "--task", "x", "--no-run", "--json", "--policy", policy).stdout)["trajectory"]
    process = subprocess.Popen([*COMMAND, "show", "--full", record], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait(timeout=20)


def test_the_words_of_one_command_import_no_other() -> None:
    code = f"""if True:
        import sys
        from ml_agent.cli import main
        main({["show", "nowhere.jsonl"]})
        print([m for m in ("ml_agent.cli.bench", "ml_agent.cli.solve") if m in sys.modules], file=sys.stderr)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=True)
    assert done.stderr.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "words", [["--help"], ["bench", "--help"], ["solve", "--nothing"], ["slove"], [], ["--version"], ["check", "--answer"]]
)
def test_the_same_is_said_whether_one_command_is_known_or_all(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    said = []
    for wanted in (None, words[0] if words and words[0] in COMMANDS else None):
        with pytest.raises(SystemExit) as end:
            build_parser(wanted).parse_args(words)
        said.append((end.value.code, capsys.readouterr()))
    assert said[0] == said[1]
