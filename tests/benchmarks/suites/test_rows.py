import sys
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.suites.rows import HUB, MAX_ROW, parse_arguments, read_rows
from ml_agent.errors import UsageError


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{'lr': '0.1', \"n\": 3, 'x': -1.0, 'on': True, 'none': None}", {"lr": "0.1", "n": 3, "x": -1.0, "on": True, "none": None}),
        (" {} ", {}),
        ("", {}),
        ("{1: 'a'}", {"1": "a"}),
    ],
)
def test_arguments(text: str, found: dict[str, Any]) -> None:
    assert parse_arguments(text, "here") == found


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('touch evaluated')",
        "{'a': open('/etc/passwd').read()}",
        "{'a': [x for x in ()]}",
        "[1]",
        "lr=1",
        "{" * 5000,
        "{'a': " + "(" * 3000,
        "{'a': '" + "x" * 30_000 + "'}",
        "\0",
    ],
)
def test_what_is_no_dict_literal_is_never_evaluated(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"^here: its arguments are .*"):
        parse_arguments(text, "here")
    assert list(tmp_path.iterdir()) == []


_VALUES = st.one_of(st.text(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none())


@given(st.dictionaries(st.text(), _VALUES))
def test_every_dict_of_plain_values_comes_back(found: dict[str, Any]) -> None:
    assert parse_arguments(repr(found), "here") == found


@given(st.text())
def test_any_text_is_a_dict_or_bad_usage(text: str) -> None:
    with suppress(UsageError):
        assert isinstance(parse_arguments(text, "here"), dict)


def test_lines_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('\ufeff{"a": 1}\n\n{"a": "x\u2028y"}\n')
    assert list(read_rows(path, "full")) == [(f"{path}:1", {"a": 1}), (f"{path}:3", {"a": "x\u2028y"})]
    assert list(read_rows(tmp_path, "quarter")) == list(read_rows(path, "full"))
    (tmp_path / "quarter.jsonl").write_text('{"b": 2}')
    assert [row for _, row in read_rows(tmp_path, "quarter")] == [{"b": 2}]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{\n", "rows.jsonl:1 is no JSON"),
        (b'{"a": 1}\n[1]\n', "rows.jsonl:2 is no row"),
        (b"\xff\xfe{}", "is not UTF-8 text"),
        (b"[" * 100_000, "rows.jsonl:1 is no JSON"),
        (b" " * (MAX_ROW + 2), "rows.jsonl:1 is longer than"),
    ],
)
def test_lines_that_are_none(tmp_path: Path, data: bytes, message: str) -> None:
    (tmp_path / "rows.jsonl").write_bytes(data)
    with pytest.raises(UsageError, match=message) as raised:
        list(read_rows(tmp_path / "rows.jsonl", "full"))
    assert "\n" not in str(raised.value)


def test_places_without_rows(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no such file: .*; give --data"):
        list(read_rows(tmp_path / "none", "full"))
    with pytest.raises(UsageError, match=r"no rows in .*: give a file, or a folder with one of full.jsonl"):
        list(read_rows(tmp_path, "full"))
    with pytest.raises(UsageError, match="there is no split 'test': choose one of full, quarter, train"):
        list(read_rows(tmp_path, "test"))


def test_parquet(tmp_path: Path, row: dict[str, Any]) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra [hf])")
    from pyarrow import parquet

    rows = [row, row | {"id": 8, "prefix_code": None}]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "full.parquet")
    found = list(read_rows(tmp_path, "full"))
    assert [one for _, one in found] == rows
    assert found[1][0].endswith("full.parquet, row 2")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(UsageError, match="as parquet"):
        list(read_rows(tmp_path / "bad.parquet", "full"))
    parquet.write_table(pyarrow.Table.from_pylist([{"id": 1}]), tmp_path / "few.parquet")
    with pytest.raises(UsageError, match="has no column arguments, github"):
        list(read_rows(tmp_path / "few.parquet", "full"))


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "datasets", None)
    (tmp_path / "x.parquet").touch()
    for data in (tmp_path / "x.parquet", "hub"):
        with pytest.raises(UsageError, match=r"pip install 'ml-agent\[hf\]'"):
            list(read_rows(data, "full"))


def test_the_hub_is_asked_for_its_own_name_of_the_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library stands in for the network, which tests do not use."""
    hub, asked = ModuleType("datasets"), []

    def load_dataset(name: str, split: str) -> list[dict[str, int]]:
        asked.append((name, split))
        if split == "quarter":
            raise ConnectionError("no network\nat all")
        return [{"id": 1}]

    hub.load_dataset = load_dataset  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "datasets", hub)
    assert list(read_rows("hub", "train")) == [(f"{HUB} id_train, row 1", {"id": 1})]
    with pytest.raises(UsageError, match=r"from the hub \(ConnectionError\): give --data a file"):
        list(read_rows("hub", "quarter"))
    assert asked == [(HUB, "id_train"), (HUB, "quarter")]
