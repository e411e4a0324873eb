"""hit@k over suites side by side, on the example repository; policies and suites that are given as files."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ml_agent.benchmarks.adapters.original_files import read_answers
from ml_agent.benchmarks.base import Sample, Verdict
from ml_agent.benchmarks.hits import Scored, causes, main, read_part, table
from ml_agent.benchmarks.ranked_answers import Answered
from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.smoke import REPOSITORY
from ml_agent.benchmarks.suites.wide import is_unseen
from ml_agent.errors import UsageError
from tests.benchmarks.ranking import written
from tests.commandline import environment, one_line

MINE = """\
from ml_agent.benchmarks.base import Repository, Sample, Suite

def load(data=None, split="full"):
    texts = {"full": ["train", "jingle"], "kaputt": ["kaputt", "train"], "empty": []}[split]
    samples = [Sample(f"mine/{n}", "tinynets", text, "bash", "python train.py --lr 2", ".", {"lr": "2"}) for n, text in enumerate(texts)]
    return Suite(f"mine {data}", "1", tuple(samples), {"tinynets": Repository("tinynets")})
"""


def hits(tmp_path: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "ml_agent.benchmarks.hits", *arguments, "--policy", written(tmp_path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=50, env=environment(), cwd=tmp_path)


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Two rows of ML-Bench's kind about the example."""
    common = {
        "github_id": 9,
        "github": "https://example.org/some/TinyNets",
        "repo_id": 1,
        "type": "Bash Script",
        "oracle": "",
        "prefix_code": "",
    }
    texts = [
        {"id": 7, "path": "./", "arguments": "{'lr': '2'}", "instruction": "train, rate 2", "output": "python train.py --lr 2"},
        {
            "id": 3,
            "path": "examples/names",
            "arguments": "{'order': 1}",
            "instruction": "ngrams, order 1",
            "output": "python train.py --order 1",
        },
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(common | text) + "\n" for text in texts))
    return path


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(MINE)
    return f"{tmp_path}/mine.py:load"


def test_the_table_and_the_answers(smoke: Path, tmp_path: Path, rows: Path) -> None:
    out = tmp_path / "out.jsonl"
    done = hits(tmp_path, f"ml-bench:{smoke.parent}", f"smoke:{smoke.parent}", "--data", str(rows), "--attempts", "4", "--out", str(out))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "| | tasks | @1 | @4 | bash @1 | bash @4 | Python @1 | Python @4 |"
    assert lines[2] == "| ml-bench | 2 | 50.0 | 100.0 | 50.0 | 100.0 | - | - |"
    assert [line.split(" | ")[0] for line in lines[3:6]] == ["| smoke", "| ml-bench: TinyNets", "| smoke: tinynets"]
    assert lines[6:8] == ["", "| missed at the first answer | ml-bench, bash | smoke, bash | smoke, python |"]
    assert any(line.startswith("| another value, or at another option | 1 |") for line in lines[9:-1])
    assert lines[-1].startswith("14 samples x 4 in ")
    assert "0 without an answer, 0 exceptions" in lines[-1]
    first, second, *rest = [json.loads(line) for line in out.read_text().splitlines()]
    outputs = [f"python train.py --lr {n}" for n in (1, 2, 3)]
    assert first == {"suite": "ml-bench", "sample": "9/7", "github_id": 9, "id": 7, "output": outputs}
    assert second["output"] == [f"cd examples/names && python train.py --order {n}" for n in (1, 2, 3)]
    assert {one["suite"] for one in rest} == {"smoke"}
    out.write_text("".join(out.read_text().splitlines(keepends=True)[:2]))
    assert [one.key for one in read_answers(out)] == ["9/7", "9/3"]  # as graders read them


def test_misses_are_shown_with_what_is_right(smoke: Path, tmp_path: Path, mine: str) -> None:
    done = hits(tmp_path, f"{mine}:{smoke.parent}", "--attempts", "2", "--data", "x", "-v")
    assert done.returncode == 0, done.stderr
    assert "mine x mine/0: wrong_value --lr 1, not 2 (right at 2)\n    train\n    HAVE python train.py --lr 1\n" in done.stdout
    assert "    NEED (.) python train.py --lr 2" in done.stdout
    assert "| mine x | 2 | 0.0 | 50.0 | 0.0 | 50.0 | - | - |" in done.stdout
    assert "echo '\\x1b[31m\\x07'" in done.stdout  # a terminal obeys nothing of an answer
    assert "\x1b" not in done.stdout


def test_an_exception_is_shown_and_told_by_the_exit_code(smoke: Path, tmp_path: Path, mine: str) -> None:
    done = hits(tmp_path, f"{mine}/kaputt:{smoke.parent}", "--attempts", "1")
    assert done.returncode == 1
    assert "KeyError: 'kaputt'" in done.stdout
    assert "1 without an answer, 1 exceptions" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["smoke"], "smoke: give a suite with the folder"),
        (["smoke:"], "give a suite with the folder"),
        (["mine.py:load"], "mine.py:load: give a suite with the folder"),
        ([":."], "give a suite with the folder"),
        (["nothing:."], "no suite is called 'nothing'"),
        (["mine.py/full:load:."], "no suite is called 'mine.py'"),
        (["mine.py:load/kaputt"], "give a suite with the folder"),
        (["./mine.py:nothing:."], "has no 'nothing'"),
        (["smoke:nowhere"], "cannot read the folder of checkouts nowhere"),
        (["wide/quarter:."], "its splits are full, seen, unseen"),
        (["smoke/seen:."], "smoke brings its own tasks"),
        (["ml-bench:."], "ml-bench needs its rows"),
        (["mine.py:load/empty:."], "there is no sample to answer"),
        (["smoke:.", "smoke:."], "smoke tinynets/1 is asked for twice"),
        (["smoke:.", "--attempts", "0"], "must be at least 1"),
        (["smoke:.", "--time-limit", "-1"], "time limit"),
    ],
)
def test_bad_usage_is_one_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    mine: str,
    smoke: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in one_line(subprocess.CompletedProcess([], 2, said.out, said.err))


def test_where_suite_and_folder_part(tmp_path: Path, mine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "with:colon"
    (folder / "tinynets").mkdir(parents=True)
    assert read_part(f"smoke:{folder}", "not smoke's").checkouts == {"tinynets": folder / "tinynets"}
    assert read_part(f"smoke/full:{tmp_path}", None).checkouts == {"tinynets": REPOSITORY}
    (tmp_path / "plain/tinynets").mkdir(parents=True)
    assert len(read_part(f"{mine}:{tmp_path}/plain", None).samples) == 2
    monkeypatch.chdir(tmp_path)
    part = read_part("./mine.py:load/kaputt:plain", "rows")
    assert [sample.instruction for sample in part.samples] == ["kaputt", "train"]
    assert part.suite == "mine rows"
    monkeypatch.syspath_prepend(tmp_path)
    assert len(read_part("mine:load:plain", None).samples) == 2
    assert read_part(f"{mine}/full:{folder}", None).checkouts == {"tinynets": folder / "tinynets"}


def test_what_is_not_there_is_cloned_if_one_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "train.py").write_text("print(1)\n")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(source)]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *command], check=True, timeout=20)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True, timeout=20).stdout.strip()
    (tmp_path / "mine.py").write_text(MINE.replace('Repository("tinynets")', f'Repository("tinynets", "file://{source}", "{commit}")'))
    (tmp_path / "empty").mkdir()
    text = f"{tmp_path}/mine.py:load:{tmp_path}/empty"
    with pytest.raises(UsageError, match="needs a checkout of tinynets"):
        read_part(text, None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert (read_part(text, None, clone=True).checkouts["tinynets"] / "train.py").read_text() == "print(1)\n"


def scored(sample: Sample, passed: bool, suite: str = "wide") -> Scored:
    return Scored(suite, sample, Answered(sample.key, (), 0.1), (Verdict(passed, "passed" if passed else "wrong_value"),))


def test_of_what_nobody_looks_at_only_the_score_is_shown() -> None:
    suite = load_suite("wide")
    lines = list(table([scored(sample, not is_unseen(sample.repository)) for sample in suite.samples], 1))
    assert lines[0] == "| | tasks | @1 | bash @1 | Python @1 |"
    cells = {words[1].strip(): [word.strip() for word in words[2:-1]] for words in (line.split("|") for line in lines[2:])}
    assert cells["wide, seen"][1:] == ["100.0", "100.0", "100.0"]
    assert cells["wide, unseen"][1:] == ["0.0", "0.0", "0.0"]
    assert int(cells["wide, seen"][0]) + int(cells["wide, unseen"][0]) == int(cells["wide"][0]) == 233
    shown = {name.removeprefix("wide: ") for name in cells if ": " in name}
    assert shown == {name for name in suite.repositories if not is_unseen(name)}


def test_causes_are_counted_of_what_may_be_looked_at() -> None:
    suite = load_suite("wide")
    lines = list(causes([scored(sample, passed=False) for sample in suite.samples]))
    assert lines[1] == "| missed at the first answer | wide, bash | wide, python |"
    (row,) = lines[3:]
    seen = [sample.language for sample in suite.samples if not is_unseen(sample.repository)]
    assert row == f"| another value, or at another option | {seen.count('bash')} | {seen.count('python')} |"
    assert list(causes([scored(sample, passed=True) for sample in suite.samples])) == []


def test_answers_about_what_nobody_looks_at_are_not_written(tmp_path: Path) -> None:
    """Run whole, on checkouts that hold next to nothing."""
    suite = load_suite("wide", None, "unseen")
    for name in suite.repositories:
        (tmp_path / "repos" / name).mkdir(parents=True)
        (tmp_path / "repos" / name / "train.py").write_text("import sys\nprint(sys.argv)\n")
    out = tmp_path / "out.jsonl"
    done = hits(tmp_path, f"wide/unseen:{tmp_path}/repos", "--attempts", "1", "--out", str(out), "-v")
    assert done.returncode == 0, done.stdout
    assert out.read_text() == ""
    texts = [text for sample in suite.samples for text in (sample.instruction, sample.output, sample.key)]
    assert not any(text in done.stdout.rsplit("slowest", 1)[0] for text in texts)
