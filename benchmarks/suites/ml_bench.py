"""ML-Bench: the public data set's rows as a suite. Its answers are read, not run: most rows need data, weights and GPUs."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ml_agent.benchmarks.base import Repository, Sample, Suite
from ml_agent.benchmarks.scorers.static import unreachable
from ml_agent.benchmarks.suites.rows import COLUMNS, TYPES, Place, parse_arguments, read_rows
from ml_agent.errors import UsageError
from ml_agent.task import Language

VERSION = "1"
COMMITS: Mapping[str, str] = {
    "dgl": "8c3fc0d37439887215ea4626ac258b81d167ebfd",
    "bert": "eedf5716ce1268e56f0a50264a88cafad334ac61",
    "lavis": "7f00a0891b2890843f61c002a8e9532a40343648",
    "open_clip": "91923dfc376afb9d44577a0c9bd0930389349438",
    "time-series-library": "51e80b6f76b7823fea2512d6d170b1b83b149d2d",
    "external-attention-pytorch": "90e774ed4a2a734fe91dde6a4a737de0f0c54122",
    "pytorch-gan": "36d3c77e5ff20ebe0aeefd322326a134a279b93e",
}
"""Repository's name in lower case -> the commit that the benchmark pins, for those that are known here; others are not checked."""
_NAME = re.compile(r"[\w.-]+")
_INTEGERS = ("github_id", "id")
_TEXTS = ("github", "instruction", "output")


def load(data: str | Path | None, split: str = "full") -> Suite:
    """Raises UsageError for rows that are none, and for two with one key; each message is a line that says where."""
    if data is None:
        raise UsageError("ml-bench needs its rows: give --data a JSON lines or parquet file of them, or `hub`")
    samples: dict[str, Sample] = {}
    places: dict[str, Place] = {}
    repositories: dict[str, Repository] = {}
    for place, row in read_rows(data, split):
        sample, repository = _sample(row, place)
        if sample.key in samples:
            raise UsageError(f"{place} has the key {sample.key} (github_id/id) of {places[sample.key]}: leave one of the two out")
        known = repositories.setdefault(repository.name, repository)
        if known != repository:
            raise UsageError(f"{place}: {repository.url} and {known.url} would both be the folder {repository.name!r}")
        samples[sample.key], places[sample.key] = sample, place
    if not samples:
        raise UsageError(f"no rows in {data}")
    version = VERSION if split == "full" else f"{VERSION}-{split}"
    return Suite("ml-bench", version, tuple(samples.values()), repositories)


def _sample(row: Mapping[str, Any], place: Place) -> tuple[Sample, Repository]:
    missing = [name for name in COLUMNS if name not in row]
    if missing:
        raise UsageError(f"{place} has no column {', '.join(missing)}")
    for name in _INTEGERS:
        if isinstance(row[name], bool) or not isinstance(row[name], int):
            raise UsageError(f"{place}: {name} is no whole number")
    for name in _TEXTS:
        if not isinstance(row[name], str) or not row[name].strip():
            raise UsageError(f"{place}: {name} is no text, or empty")
    repository = _repository(row["github"], place)
    sample = Sample(
        key=f"{row['github_id']}/{row['id']}",
        repository=repository.name,
        instruction=row["instruction"],
        language=_language(row["type"], place),
        output=row["output"],
        workdir=_workdir(row["path"], place),
        arguments=parse_arguments(row["arguments"], place),
        oracle=_text(row["oracle"], "oracle", place),
        prefix_code=_text(row["prefix_code"], "prefix_code", place),
    )
    return _marked(sample), repository


def _marked(sample: Sample) -> Sample:
    return replace(sample, unreachable=unreachable(sample))


def _language(value: Any, place: Place) -> Language:
    if value == "Bash Script":
        return "bash"
    if value == "Python Code":
        return "python"
    raise UsageError(f"{place}: its type is {str(value)[:40]!r}, not one of {', '.join(TYPES)}")


def _text(value: Any, name: str, place: Place) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UsageError(f"{place}: {name} is no text")
    return value


def _workdir(value: Any, place: Place) -> str:
    path = posixpath.normpath(_text(value, "path", place).strip() or ".")
    if path.startswith(("/", "..")) or "\0" in path:
        raise UsageError(f"{place}: its path {value!r} leads out of the repository")
    return path


def _repository(url: str, place: Place) -> Repository:
    try:
        name = urlsplit(url.strip()).path.rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
    except ValueError as error:
        raise UsageError(f"{place}: {url[:80]!r} is no URL") from error
    if not _NAME.fullmatch(name) or name in (".", ".."):
        raise UsageError(f"{place}: the last part of {url[:80]!r} is no name of a repository")
    return Repository(name, url.strip(), COMMITS.get(name.lower(), ""))
