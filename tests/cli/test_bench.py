"""`ml-agent bench` as a user runs it: rows in the public format, a folder of checkouts, a policy in a file."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from ml_agent.benchmarks.agents import AGENTS
from ml_agent.benchmarks.settings import SETTINGS
from ml_agent.cli import main
from ml_agent.cli.benchmark.run import SETTINGS as OFFERED
from tests.benchmarks.runner.support import policy
from tests.commandline import ml_agent, one_line

ROW = {
    "github": "https://example.org/some/TinyNets",
    "repo_id": 1,
    "path": "./",
    "arguments": "{'lr': '0.1'}",
    "oracle": "# Training\n\npython train.py --lr 0.05",
    "type": "Bash Script",
    "prefix_code": "",
    "output": "python train.py --lr 0.1",
}
WORDS = ("train with a learning rate of 0.1", "nothing", "train the model", "crash it")


@pytest.fixture
def bench(smoke: Path, tmp_path: Path) -> list[str]:
    """The options of a run over four rows."""
    rows = [{**ROW, "github_id": 1, "id": number, "instruction": words} for number, words in enumerate(WORDS)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ["ml-bench", "--data", f"{tmp_path}/rows.jsonl", "--repos", str(smoke.parent), "--policy", policy(tmp_path), "--samples", "2"]


def run(bench: list[str], out: Path, *more: str, env: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    done = ml_agent("bench", "run", *bench, "--out", out, "--json", *more, cwd=None, **env)
    assert done.returncode == 0, done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def score(*arguments: "str | Path", env: Mapping[str, str] = MappingProxyType({})) -> dict[str, Any]:
    done = ml_agent("bench", "score", *arguments, "--json", cwd=None, **env)
    assert done.returncode == 0, done.stderr
    value: dict[str, Any] = json.loads(done.stdout)
    return value


def test_run_score_export_and_score_again(bench: list[str], tmp_path: Path) -> None:
    value = run(bench, tmp_path / "run")
    assert (value["attempts"], value["done"], value["endings"]) == (8, 8, {"answered": 4, "crashed": 2, "no_answer": 2})
    assert run(bench, tmp_path / "run")["before"] == 8
    scored = score(tmp_path / "run")
    assert scored["score"] == {"name": "pass@1", "value": 0.25, "n": 4, "error": None, "low": None, "high": None}
    assert scored["rates"]["counted_as_failed"]["pass@2"]["value"] == 0.5
    assert scored["by_error"] == {"knowledge manipulation": 2, "operational": 4}
    shown = ml_agent("bench", "score", tmp_path / "run")
    assert "pass@1     25.0 %, n 4" in shown.stdout
    assert shown.stderr == ""

    answers = tmp_path / "answers.jsonl"
    exported = ml_agent("bench", "export", tmp_path / "run", "--to", answers)
    assert exported.returncode == 0, exported.stderr
    assert [json.loads(line)["output"] for line in answers.read_text().splitlines()] == [
        ["python train.py --lr 0.1", "python train.py --lr 0.2"],
        ["", ""],
        ["python train.py --lr 0.1", "python train.py --lr 0.2"],
        ["", ""],
    ]
    again = score("--answers", answers, "--suite", "ml-bench", "--data", tmp_path / "rows.jsonl", "--from-root")
    assert again["rates"] == scored["rates"]
    assert score(tmp_path / "run", "--scorer", "original")["score"]["name"] == "first-1"


def test_scores_are_the_same_wherever_and_however(bench: list[str], tmp_path: Path) -> None:
    """Another time zone, another hash seed, four workers for one."""
    found = []
    for number, env in enumerate(({"TZ": "Asia/Tokyo", "PYTHONHASHSEED": "1"}, {"TZ": "America/Lima", "PYTHONHASHSEED": "99"})):
        run(bench, tmp_path / str(number), "--workers", "1" if number else "4", env=env)
        value = score(tmp_path / str(number), env=env)
        assert value["usage"].pop("seconds") > 0
        found.append(json.dumps(value))
    assert found[0] == found[1]


def test_report_compare_and_submit(bench: list[str], tmp_path: Path) -> None:
    for number in range(2):
        run(bench, tmp_path / f"run{number}", "--seed", str(number))
    runs = [tmp_path / "run0", tmp_path / "run1"]
    compared = ml_agent("bench", "compare", *runs, "--json")
    assert json.loads(compared.stdout)["ties"] == 4
    assert "no interval: fewer than five repositories" in ml_agent("bench", "compare", *runs).stdout
    reported = ml_agent("bench", "report", *runs, "--out", tmp_path / "pages")
    assert reported.returncode == 0, reported.stderr
    assert reported.stdout.count("25.0 %") >= 2
    assert {"index.html", "report.md", "report.json"} <= {path.name for path in (tmp_path / "pages").iterdir()}
    board = tmp_path / "board.json"
    for folder in runs:
        submitted = ml_agent("bench", "submit", folder, "--to", board)
        assert submitted.returncode == 0, submitted.stderr
    assert submitted.stdout.count("25.0 %") == 2
    checked = ml_agent("bench", "submit", "--to", board, "--check")
    assert (checked.returncode, "all 2 entries" in checked.stdout) == (0, True)
    attempt = next(path for path in (runs[0] / "attempts").rglob("*.json") if "--lr 0.1" in path.read_text())
    attempt.write_text(attempt.read_text().replace("--lr 0.1", "--lr 0.7"))
    checked = ml_agent("bench", "submit", "--to", board, "--check", "--json")
    assert checked.returncode == 1
    assert len(json.loads(checked.stdout)["wrong"]) == 1


def test_list_show_and_validate(bench: list[str], tmp_path: Path) -> None:
    names = {one["name"] for one in json.loads(ml_agent("bench", "list", "--json").stdout)["suites"]}
    assert {"ml-bench", "smoke", "wide"} <= names
    shown = ml_agent("bench", "show", *bench[:3], "--only", "1/2")
    assert "the model" in shown.stdout
    assert "nothing" not in shown.stdout
    assert len(json.loads(ml_agent("bench", "show", "smoke", "--json").stdout)["samples"]) == 12
    validated = ml_agent("bench", "validate", "smoke", "--no-run", "--json")
    assert validated.returncode == 0, validated.stdout
    assert {one["agent"]: one["rate"] for one in json.loads(validated.stdout)["agents"]}["oracle"] == 1


@pytest.mark.bubblewrap
def test_splits_are_those_of_the_suite() -> None:
    assert len(json.loads(ml_agent("bench", "show", "wide", "--split", "seen", "--json").stdout)["samples"]) == 109
    for suite, split, words in (
        ("wide", "quarter", "its splits are full, seen, unseen"),
        ("smoke", "seen", "leave --data and the split out"),
    ):
        refused = ml_agent("bench", "show", suite, "--split", split)
        assert refused.returncode == 2
        assert words in one_line(refused)


def test_the_scorer_tells_answers_to_wide_apart() -> None:
    validated = ml_agent("bench", "validate", "wide", "--json")
    assert validated.returncode == 0, validated.stderr
    assert {line["agent"]: line["right"] for line in json.loads(validated.stdout)["agents"]} == dict.fromkeys(AGENTS, True)


def test_smoke_is_executed(tmp_path: Path) -> None:
    value = run(["smoke", "--sandbox", "bubblewrap", "--only", "tinynets/1, tinynets/11"], tmp_path / "run", "--workers", "2")
    assert value["endings"] == {"answered": 2}
    scored = score(tmp_path / "run")
    assert (scored["scorer"]["name"], scored["by_reason"]["passed"], scored["infrastructure"]) == ("executed", 2, 0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["run", "ml-bench", "--out", "{0}/run"], "needs its rows"),
        (["run", "{bench}", "--out", "{0}/run", "--limit", "steps=x"], "'x' is no whole number"),
        (["run", "{bench}", "--out", "{0}/run", "--limit", "hours=3"], "with NAME one of seconds, steps, tokens, money"),
        (["run", "{bench}", "--out", "{0}/run", "--limit", "seconds=-1"], "give seconds above zero"),
        (["run", "{bench}", "--out", "{0}/run", "--workers", "0"], "--workers is 0"),
        (["run", "{bench}", "--out", "{0}/run", "--model", "x:y"], "uses no model"),
        (["run", "{bench}", "--out", "{0}/run", "--only", "9/9"], "fits no sample"),
        (["run", "{bench}", "--out", "{0}/tinynets"], "holds no run"),
        (["run", "nonesuch", "--out", "{0}/run"], "no suite is called 'nonesuch'"),
        (["score", "{0}"], "is no run"),
        (["score"], "give a run's folder, or --answers"),
        (["score", "--answers", "{0}/rows.jsonl"], "needs --suite"),
        (["score", "--answers", "{0}/policy_of_tests.py", "--suite", "ml-bench", "--data", "{0}/rows.jsonl"], "is not JSON"),
        (["export", "{0}", "--to", "{0}/x"], "is no run"),
        (["compare", "{0}", "{0}"], "is no run"),
        (["report"], "nothing to report on"),
        (["submit", "--to", "{0}/board", "--check"], "there is no leaderboard"),
    ],
)
def test_bad_input_is_one_line(
    bench: list[str], tmp_path: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [part.format(tmp_path) for one in arguments for part in (bench if one == "{bench}" else [one])]
    assert main(["bench", *given]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert words in said.err
    assert not (tmp_path / "run").exists() or arguments[-1] == "0"


def test_a_missing_checkout(bench: list[str], tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "tinynets")
    done = ml_agent("bench", "run", *bench, "--out", tmp_path / "run")
    assert (done.returncode, "checkout of TinyNets" in one_line(done)) == (2, True)


def test_every_setting_is_offered() -> None:
    assert set(OFFERED) == set(SETTINGS)
