import json
from pathlib import Path
from typing import Any

import pytest

from ml_agent.benchmarks.base import Repository, Sample
from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.ml_bench import COMMITS
from ml_agent.errors import UsageError
from tests.benchmarks.data import data_folder

Row = dict[str, Any]


def write(path: Path, *rows: Row) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_row_becomes_a_sample(tmp_path: Path, row: Row) -> None:
    suite = load_suite("ml-bench", write(tmp_path / "rows.jsonl", row))
    assert (suite.name, suite.version, suite.runs) == ("ml-bench", "1", False)
    assert suite.samples == (
        Sample(
            "40/7",
            "TinyNets",
            row["instruction"],
            "bash",
            row["output"],
            "examples/names",
            {"order": "2", "seed": 11},
            row["oracle"],
            row["prefix_code"],
        ),
    )
    assert suite.repositories == {"TinyNets": Repository("TinyNets", row["github"], "")}


def test_one_id_in_two_repositories_and_a_split(tmp_path: Path, row: Row) -> None:
    other = row | {"github_id": 41, "github": "https://example.org/other.git/", "type": "Python Code", "output": "import a\na.f(2, 11)"}
    suite = load_suite("ml-bench", write(tmp_path / "rows.jsonl", row, other), "quarter")
    assert [(s.key, s.repository, s.language) for s in suite.samples] == [("40/7", "TinyNets", "bash"), ("41/7", "other", "python")]
    assert suite.version == "1-quarter"


def test_the_hash_is_of_the_content_and_not_of_the_order(tmp_path: Path, row: Row) -> None:
    rows = [row | {"id": number} for number in range(5)]
    first = load_suite("ml-bench", write(tmp_path / "a.jsonl", *rows)).hash
    again = [dict(sorted(one.items())) for one in reversed(rows)]
    assert load_suite("ml-bench", write(tmp_path / "b.jsonl", *again)).hash == first
    changed = [*rows[:-1], rows[-1] | {"output": "python train.py --order 3"}]
    assert load_suite("ml-bench", write(tmp_path / "c.jsonl", *changed)).hash != first


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "7"}, "id is no whole number"),
        ({"id": True}, "id is no whole number"),
        ({"github_id": 1.5}, "github_id is no whole number"),
        ({"instruction": " "}, "instruction is no text, or empty"),
        ({"output": None}, "output is no text, or empty"),
        ({"oracle": 3}, "oracle is no text"),
        ({"type": "Shell"}, "its type is 'Shell', not one of Bash Script, Python Code"),
        ({"type": ["x"]}, "its type is"),
        ({"path": "../x"}, "leads out of the repository"),
        ({"path": "/etc"}, "leads out of the repository"),
        ({"github": "https://example.org/.."}, "is no name of a repository"),
        ({"github": "https://example.org/a b"}, "is no name of a repository"),
        ({"github": "http://["}, "is no URL"),
        ({"arguments": "f()"}, "its arguments are no Python dict literal"),
    ],
)
def test_rows_that_are_none(tmp_path: Path, row: Row, change: Row, message: str) -> None:
    path = write(tmp_path / "rows.jsonl", row | {"id": 1}, row | change)
    with pytest.raises(UsageError, match=rf"rows\.jsonl:2\b.*{message}") as raised:
        load_suite("ml-bench", path)
    assert "\n" not in str(raised.value)


def test_columns_that_are_missing(tmp_path: Path, row: Row) -> None:
    del row["oracle"], row["path"]
    with pytest.raises(UsageError, match=r"rows\.jsonl:1 has no column path, oracle"):
        load_suite("ml-bench", write(tmp_path / "rows.jsonl", row))


def test_two_rows_with_one_key(tmp_path: Path, row: Row) -> None:
    with pytest.raises(UsageError, match=r"rows\.jsonl:3 has the key 40/7 \(github_id/id\) of .*rows\.jsonl:1: leave one of the two out"):
        load_suite("ml-bench", write(tmp_path / "rows.jsonl", row, row | {"id": 8}, row))


def test_two_repositories_of_one_name(tmp_path: Path, row: Row) -> None:
    other = row | {"id": 8, "github": "https://example.org/fork/TinyNets"}
    with pytest.raises(UsageError, match="would both be the folder 'TinyNets'"):
        load_suite("ml-bench", write(tmp_path / "rows.jsonl", row, other))


def test_without_rows(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_text("\n")
    with pytest.raises(UsageError, match="no rows in"):
        load_suite("ml-bench", tmp_path / "rows.jsonl")
    with pytest.raises(UsageError, match="ml-bench needs its rows: give --data"):
        load_suite("ml-bench")


def test_a_ground_truth_that_cannot_pass_is_listed_with_the_reason(tmp_path: Path, row: Row) -> None:
    odd = row | {"id": 8, "type": "Python Code", "output": "import a\na.f(2)\n\nNote: this is prose."}
    good, listed = load_suite("ml-bench", write(tmp_path / "rows.jsonl", row, odd)).samples
    assert good.unreachable == ""
    assert listed.unreachable == "its own ground truth does not pass: syntax, it is no Python program"


def test_the_development_rows() -> None:
    suite = load_suite("ml-bench", data_folder() / "rows.jsonl")
    assert (len(suite.samples), len(suite.repositories)) == (149, 7)
    assert all(repository.commit == COMMITS[name.lower()] for name, repository in suite.repositories.items())
    unreachable = [sample.key for sample in suite.samples if sample.unreachable]
    assert len(unreachable) <= 0.05 * len(suite.samples)
    assert unreachable == ["10/7", "3/83"]
