"""Rows of ML-Bench's public data set, from wherever they come, checked one by one."""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ml_agent.errors import UsageError

COLUMNS = ("github_id", "github", "repo_id", "path", "arguments", "instruction", "oracle", "type", "id", "prefix_code", "output")
TYPES = {"Bash Script": "bash", "Python Code": "python"}
MAX_BYTES = 1 << 30
"""Of a file of rows."""
MAX_ROW = 1 << 22
"""Characters of a line."""
MAX_ARGUMENTS = 20_000
"""Characters of a row's arguments; Python's parser takes much memory for more."""
HUB = "super-dainiu/ml-bench"
SPLITS = {"full": "full", "quarter": "quarter", "train": "id_train"}
"""Our name of a split -> the hub's."""

Row = Mapping[str, Any]
Place = str
"""Where a row stands, for messages: `rows.jsonl:3`."""


def read_rows(data: str | Path, split: str) -> Iterator[tuple[Place, Row]]:
    """Each row with its place. `data` is a JSON lines file, a parquet file, a folder with one of them for the split, or `hub`.

    Raises UsageError for what cannot be read; parquet and the hub need the extra `[hf]`.
    """
    if split not in SPLITS:
        raise UsageError(f"there is no split {split!r}: choose one of {', '.join(SPLITS)}")
    if str(data) == "hub":
        yield from _from_hub(split)
        return
    path = _file(Path(data), split)
    yield from _from_parquet(path) if path.suffix == ".parquet" else _from_lines(path)


def _file(path: Path, split: str) -> Path:
    if not path.is_dir():
        return path
    names = [f"{stem}{suffix}" for stem in (split, SPLITS[split], "rows") for suffix in (".jsonl", ".parquet")]
    found = next((path / name for name in names if (path / name).is_file()), None)
    if found is None:
        raise UsageError(f"no rows in {path}: give a file, or a folder with one of {', '.join(names)}")
    return found


def _from_lines(path: Path) -> Iterator[tuple[Place, Row]]:
    try:
        if not path.is_file():
            raise UsageError(f"no such file: {path}; give --data a JSON lines or parquet file of rows, or `hub`")
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(f"{path} is larger than {MAX_BYTES >> 20} MB: no file of rows")
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_ROW + 1), ""), 1):
                place = f"{path}:{number}"
                if len(line) > MAX_ROW:
                    raise UsageError(f"{place} is longer than {MAX_ROW:,} characters: no row")
                if line.strip():
                    yield place, _row(line, place)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 text: give a JSON lines or parquet file of rows") from error
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error


def _row(line: str, place: Place) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place} is no JSON: {str(error)[:100]}") from error
    if not isinstance(row, dict):
        raise UsageError(f"{place} is no row: a JSON object with the columns {', '.join(COLUMNS)} is wanted")
    return row


def _from_parquet(path: Path) -> Iterator[tuple[Place, Row]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError("parquet needs pyarrow: pip install 'ml-agent[hf]', or give a JSON lines file") from error
    try:
        with parquet.ParquetFile(path) as file:
            missing = set(COLUMNS) - set(file.schema_arrow.names)
            if missing:
                raise UsageError(f"{path} has no column {', '.join(sorted(missing))}")
            number = 0
            for batch in file.iter_batches(columns=list(COLUMNS)):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{path}, row {number}", row
    except (OSError, pyarrow.ArrowException) as error:
        raise UsageError(f"cannot read {path} as parquet: {str(error).splitlines()[0][:200]}") from error


def _from_hub(split: str) -> Iterator[tuple[Place, Row]]:
    try:
        import datasets
    except ImportError as error:
        raise UsageError("the hub needs datasets: pip install 'ml-agent[hf]', or give --data a file") from error
    try:
        rows: Iterable[Row] = datasets.load_dataset(HUB, split=SPLITS[split])
    except Exception as error:
        raise UsageError(f"cannot load {HUB} from the hub ({type(error).__name__}): give --data a file") from error
    for number, row in enumerate(rows, 1):
        yield f"{HUB} {SPLITS[split]}, row {number}", row


def parse_arguments(value: Any, place: Place) -> dict[str, Any]:
    """The `arguments` of a row: a mapping, or the text of a Python dict literal, which is read and never evaluated. Raises UsageError."""
    if isinstance(value, str):
        if len(value) > MAX_ARGUMENTS:
            raise UsageError(f"{place}: its arguments are longer than {MAX_ARGUMENTS:,} characters")
        try:
            value = ast.literal_eval(value.strip() or "{}")
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
            raise UsageError(f"{place}: its arguments are no Python dict literal ({type(error).__name__})") from error
    if not isinstance(value, Mapping):
        raise UsageError(f"{place}: its arguments are a {type(value).__name__}, not a dict")
    return {str(name): one for name, one in value.items()}
