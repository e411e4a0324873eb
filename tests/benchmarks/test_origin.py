import json
from pathlib import Path

from ml_agent.benchmarks.origin import origin_of, stored_suite
from ml_agent.benchmarks.runner.folder import RunFolder
from tests.benchmarks.recorded import suite_of


def test_it_changes_with_what_the_suite_depends_on(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("a\n")
    first = origin_of("ml-bench", str(rows), "full")
    assert len(first) == 64
    assert origin_of("ml-bench", str(rows), "full") == first
    assert origin_of("ml-bench", str(rows), "quarter") != first
    rows.write_text("b\n")
    assert origin_of("ml-bench", str(rows), "full") != first
    assert [origin_of("ml-bench", data, "full") for data in (None, "hub", str(tmp_path))] == ["", "", ""]


def test_the_suite_of_a_run_is_taken_if_it_is_from_there(tmp_path: Path) -> None:
    suite = suite_of(["a", "b"])
    settings = {"suite_hash": suite.hash, "policy_digest": "0", "attempts": 1, "ranked": False, "only": ""}
    for name, origin in (("known", "x" * 64), ("unknown", "")):
        RunFolder(tmp_path / name, suite, settings, origin).close()
    assert stored_suite(tmp_path / "known", "x" * 64) == suite
    assert stored_suite(tmp_path / "known", "y" * 64) is None
    assert stored_suite(tmp_path / "unknown", "") is None
    assert stored_suite(tmp_path / "none", "x" * 64) is None
    path = tmp_path / "known" / "suite.jsonl"
    path.write_text(path.read_text().replace("right 1", "wrong"))
    assert stored_suite(tmp_path / "known", "x" * 64) is None
    (tmp_path / "known" / "settings.json").write_text(json.dumps([]))
    assert stored_suite(tmp_path / "known", "x" * 64) is None
