"""The original project's files: answers, one JSON array or a JSON object a line, and the results that its scoring wrote."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.files import write_whole
from ml_agent.errors import UsageError
from ml_agent.inputs import read_regular

_BYTES = 200_000_000
_RULE = "==========================="
"""The last line of a file of results."""
_FENCES = (r"```python(.*?)```", r"```bash(.*?)```", r"```shell(.*?)```", r"```(.*?)```")


@dataclass(frozen=True, slots=True)
class Answers:
    """What a model or an agent answered to one row."""

    github_id: int
    id: int
    output: tuple[str, ...]
    """In the order they were given."""

    @property
    def key(self) -> str:
        """Of the sample."""
        return f"{self.github_id}/{self.id}"


@dataclass(frozen=True, slots=True)
class Result:
    """Whether one of the first, the first two and the first five answers to a row passed."""

    github_id: int
    id: int
    pass1: bool
    pass2: bool
    pass5: bool


def read_answers(path: Path) -> list[Answers]:
    """An answers file of either form. Of rows with the same key the first counts, as in the original.

    Raises UsageError, naming the place, for what is not one.
    """
    found: dict[str, Answers] = {}
    for place, value in _values(path):
        answers = _answers(place, value)
        found.setdefault(answers.key, answers)
    if not found:
        raise UsageError(f"{path} holds no answers: a JSON object a line, with github_id, id and output")
    return list(found.values())


def write_answers(path: Path, answers: Iterable[Answers], *, lines: bool = True) -> None:
    """Write an answers file: JSON lines, as the original's scoring reads it, or with `lines` false the array that its first step writes."""
    objects = ({"github_id": one.github_id, "id": one.id, "output": list(one.output)} for one in answers)
    write_whole(path, (json.dumps(one) + "\n" for one in objects) if lines else [json.dumps(list(objects))])


def unfenced(reply: str) -> str:
    """The code in a model's reply, by the original's rule: the first block of python, else bash, else shell, else any, else all of it.

    The quirk is kept: of a block that names no such language the name stays.
    """
    for pattern in _FENCES:
        if found := re.search(pattern, reply, re.DOTALL):
            return found[1]
    return reply


def read_results(path: Path) -> list[Result]:
    """The rows of a file of results, without the sums behind them. Raises UsageError for what is not one."""
    results = []
    for place, value in _values(path):
        if isinstance(value, dict) and "pass1" in value:
            try:
                passed = [bool(_whole(value[name])) for name in ("pass1", "pass2", "pass5")]
                results.append(Result(_whole(value["github_id"]), _whole(value["id"]), *passed))
            except (KeyError, TypeError) as error:
                raise UsageError(f"{place} is no result: {type(error).__name__} {error}") from error
    if not results:
        raise UsageError(f"{path} holds no results of the original")
    return results


def write_results(path: Path, results: Sequence[Result], *, source: str, names: Mapping[int, str] | None = None) -> None:
    """Write a file of results as the original does: rows, the shares of all, and those of each repository in order of appearance.

    `source` names the file that was scored, `names` the repositories by github_id. Raises UsageError if there is not one result.
    """
    if not results:
        raise UsageError("no result to write: not one row was scored")
    write_whole(path, _result_lines(results, source, names or {}))


def _result_lines(results: Sequence[Result], source: str, names: Mapping[int, str]) -> Iterator[str]:
    for one in results:
        passed = {"pass1": int(one.pass1), "pass2": int(one.pass2), "pass5": int(one.pass5)}
        yield json.dumps({"id": one.id, "github_id": one.github_id, **passed}) + "\n"
    shares = dict(zip(("eval_pass1", "eval_pass2", "eval_pass5"), _shares(results), strict=True))
    yield json.dumps({"counts": len(results), **shares, "input_file": source}) + "\n"
    for github_id in dict.fromkeys(one.github_id for one in results):
        of = [one for one in results if one.github_id == github_id]
        yield json.dumps({"repo": f"repos/{names.get(github_id, github_id)}", "result": _shares(of)}) + "\n"
    yield _RULE + "\n"


def _shares(results: Sequence[Result]) -> list[float]:
    return [sum(getattr(one, name) for one in results) / len(results) for name in ("pass1", "pass2", "pass5")]


def _values(path: Path) -> Iterator[tuple[str, Any]]:
    """Each object of the file with its place for messages."""
    text = read_regular(path, _BYTES).decode("utf-8", "replace").removeprefix("\ufeff")
    if text.lstrip().startswith("["):
        whole = _loads(str(path), text)
        yield from ((f"{path}, object {number}", value) for number, value in enumerate(whole, 1))
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() and line.strip() != _RULE:
            yield f"{path}:{number}", _loads(f"{path}:{number}", line)


def _loads(place: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place} is not JSON: {error}") from error


def _answers(place: str, value: Any) -> Answers:
    try:
        output = _object(value)["output"]
        texts = (output,) if isinstance(output, str) else tuple(output)
        if not all(isinstance(text, str) for text in texts):
            raise TypeError("an output that is no text")
        return Answers(_whole(value["github_id"]), _whole(value["id"]), texts)
    except (KeyError, TypeError) as error:
        raise UsageError(f"{place} is no answer: it needs github_id, id and output ({type(error).__name__} {error})") from error


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{type(value).__name__} in place of an object")
    return value


def _whole(value: Any) -> int:
    """A whole number, also as text: the original's own files have both."""
    try:
        if isinstance(value, str) or (isinstance(value, int | float) and value == int(value)):
            return int(value)
    except (ValueError, OverflowError):
        pass
    raise TypeError(f"{value!r:.40} in place of a whole number")
