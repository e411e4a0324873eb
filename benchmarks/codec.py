"""Samples, suites and attempts as JSON objects, and back.

What is read may be damaged or hostile: ValueError, in one line, if it is not whole.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar, get_args

from ml_agent.benchmarks.base import Attempt, Ending, Repository, Sample, Suite, Usage
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.task import Answer, Evidence, Language

T = TypeVar("T")
_ENDINGS = frozenset(value for part in get_args(Ending) for value in (get_args(part) or (part,)))


def attempt_to_json(attempt: Attempt) -> dict[str, Any]:
    return asdict(attempt)


def attempt_from_json(value: Any) -> Attempt:
    """Raises ValueError if it is no attempt."""
    return _read("attempt", value, _attempt)


def sample_from_json(value: Any) -> Sample:
    """Raises ValueError if it is no sample."""
    return _read("sample", value, _sample)


def suite_lines(suite: Suite) -> Iterator[str]:
    """A suite as JSON lines: what it is and where its repositories come from, then a line a sample."""
    head = {"name": suite.name, "version": suite.version, "runs": suite.runs, "hash": suite.hash}
    yield json.dumps({**head, "repositories": [asdict(one) for one in suite.repositories.values()]}) + "\n"
    for sample in suite.samples:
        yield json.dumps(asdict(sample), default=str) + "\n"  # a literal may hold what JSON does not


def suite_from_lines(lines: Iterable[str]) -> Suite:
    """Raises ValueError if they are no suite, or not the one that their first line names by its hash."""
    rows = iter(lines)
    head = _loads(next(rows, ""))
    repositories = _read("suite", head, lambda value: [_repository(one) for one in value["repositories"]])
    samples = tuple(sample_from_json(_loads(line)) for line in rows if line.strip())
    name, version = (_text(head.get(field)) for field in ("name", "version"))
    suite = Suite(name, version, samples, {one.name: one for one in repositories}, bool(head.get("runs")))
    if suite.hash != head.get("hash"):
        raise ValueError(f"the samples of the suite {suite.name} are not those that its hash names")
    return suite


def _loads(line: str) -> Any:
    try:
        return json.loads(line)
    except RecursionError as error:
        raise ValueError("a line is nested too deeply") from error


def _read(what: str, value: Any, build: Callable[[Mapping[str, Any]], T]) -> T:
    if not isinstance(value, dict):
        raise ValueError(f"{type(value).__name__} in place of a {what}")
    try:
        return build(value)
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a whole {what}: {type(error).__name__} {error}") from error


def _attempt(value: Mapping[str, Any]) -> Attempt:
    if value["ending"] not in _ENDINGS:
        raise ValueError(f"no ending is called {value['ending']!r:.40}")
    received = value["received"]
    return Attempt(
        sample=_text(value["sample"]),
        attempt=int(value["attempt"]),
        ending=value["ending"],
        answer=None if value["answer"] is None else _answer(value["answer"]),
        verified=bool(value["verified"]),
        findings=tuple(dict(finding) for finding in _list(value["findings"])),
        record=None if value["record"] is None else _record(value["record"]),
        received=None if received is None else tuple(tuple(map(_text, _list(vector))) for vector in _list(received)),
        usage=_usage(value["usage"]),
        message=_text(value["message"]),
        trajectory=_text(value["trajectory"]),
    )


def _answer(value: Mapping[str, Any]) -> Answer:
    evidence = tuple(Evidence(_text(one["part"]), one["words"], one["source"]) for one in _list(value["evidence"]))
    return Answer(
        _language(value["language"]), _text(value["code"]), _text(value["workdir"]), evidence, tuple(map(_text, _list(value["unused"])))
    )


def _record(value: Mapping[str, Any]) -> ExecutionRecord:
    """Fields that another version has and this one does not know are passed over."""
    known = {field.name for field in fields(ExecutionRecord)}
    return ExecutionRecord(**{**{name: value[name] for name in known & set(value)}, "made": tuple(map(_text, _list(value["made"])))})


def _usage(value: Mapping[str, Any]) -> Usage:
    money = value["money"]
    return Usage(float(value["seconds"]), int(value["steps"]), int(value["tokens"]), None if money is None else float(money))


def _sample(value: Mapping[str, Any]) -> Sample:
    texts = ("key", "repository", "instruction", "output", "workdir", "oracle", "prefix_code", "unreachable")
    return Sample(**{name: _text(value[name]) for name in texts}, language=_language(value["language"]), arguments=dict(value["arguments"]))


def _repository(value: Mapping[str, Any]) -> Repository:
    return Repository(_text(value["name"]), _text(value["url"]), _text(value["commit"]))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} in place of a text")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r:.40} in place of a list")
    return value


def _language(value: Any) -> Language:
    if value not in get_args(Language):
        raise ValueError(f"no language is called {value!r:.40}")
    language: Language = value
    return language
