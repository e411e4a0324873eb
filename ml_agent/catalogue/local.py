"""A catalogue of one's own: a file that lists repositories, as JSON lines, JSON or YAML."""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ml_agent.catalogue.base import NAME_CHARACTERS, TOPICS, Candidate, one_line
from ml_agent.errors import UsageError
from ml_agent.git.cloning import check_url
from ml_agent.git.state import is_commit
from ml_agent.inputs import read_regular

MAX_BYTES = 20_000_000
MAX_YAML_BYTES = 1_000_000
"""It is read slowly."""
MAX_ENTRIES = 20_000
_KEYS = ("name", "url", "path", "description", "topics", "commit")


def read_catalogue(file: Path) -> list[Candidate]:
    """The repositories that the file lists, in its order.

    .jsonl has one object a line, .json and .yaml one list of them; each has a `name`, `url` or `path` (from the file's folder) or both,
    and may have `description`, `topics` (a list) and `commit`. Raises UsageError, with file:line, for what is not so.
    """
    suffix = file.suffix.lower()
    if suffix not in _READERS:
        raise UsageError(f"the catalogue {file} is none of {', '.join(_READERS)}: name it by what it holds")
    yaml = _READERS[suffix] is _yaml_entries
    try:
        text = read_regular(file, MAX_YAML_BYTES if yaml else MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot read the catalogue {file}: it is not UTF-8 text") from error
    except UsageError as error:
        raise UsageError(f"{error}; as .jsonl it may have {MAX_BYTES:,}" if yaml and "more than" in str(error) else str(error)) from error
    found: list[Candidate] = []
    lines: dict[str, int] = {}
    for line, entry in _READERS[suffix](text, file):
        if len(found) >= MAX_ENTRIES:
            raise UsageError(f"{file}:{line}: more than {MAX_ENTRIES:,} repositories")
        try:
            candidate = _candidate(entry, file, line)
        except UsageError as error:
            raise UsageError(f"{file}:{line}: {error}") from error
        first = lines.setdefault(candidate.name.lower(), line)
        if first != line:
            raise UsageError(f"{file}:{line}: the name {candidate.name!r} stands in line {first} already")
        found.append(candidate)
    return found


def _jsonl_entries(text: str, file: Path) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, _json(line, file, number)


def _json(text: str, file: Path, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"{file}:{line + error.lineno - 1}: no JSON: {error.msg} (column {error.colno})") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}:{line}: no JSON that can be read: {error}") from error


def _json_entries(text: str, file: Path) -> Iterator[tuple[int, Any]]:
    """Those of a list, each with the line that it begins in."""
    whole = _json(text, file, 1)
    if not isinstance(whole, list):
        raise UsageError(f"{file}:1: a list of repositories is wanted, not {_kind(whole)}")
    decoder, at, line, counted = json.JSONDecoder(), text.index("[") + 1, 1, 0
    for entry in whole:
        while text[at] in " \t\r\n,":
            at += 1
        line, counted = line + text.count("\n", counted, at), at
        yield line, entry
        at = decoder.raw_decode(text, at)[1]


def _yaml_entries(text: str, file: Path) -> Iterator[tuple[int, Any]]:
    """Every scalar as it is written: a commit of digits stays a text."""
    import yaml

    try:
        loader = yaml.BaseLoader(text)
        node = loader.get_single_node()
        if node is None:
            return
        if not isinstance(node, yaml.SequenceNode):
            raise UsageError(f"{file}:{node.start_mark.line + 1}: a list of repositories is wanted")
        for one in node.value:
            yield one.start_mark.line + 1, loader.construct_object(one, deep=True)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UsageError(f"{file}:{mark.line + 1 if mark else 1}: no YAML: {error.problem or error.context}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"{file}: no YAML that can be read: {one_line(str(error), 200)}") from error


_READERS = {".jsonl": _jsonl_entries, ".json": _json_entries, ".yaml": _yaml_entries, ".yml": _yaml_entries}


def _candidate(entry: Any, file: Path, line: int) -> Candidate:
    """Raises UsageError without the place."""
    if not isinstance(entry, dict):
        raise UsageError(f"an object with name, url or path is wanted, not {_kind(entry)}")
    for key in entry:
        if key not in _KEYS:
            near = get_close_matches(str(key), _KEYS, 1)
            hint = f"is {near[0]} meant?" if near else f"there are {', '.join(_KEYS)}"
            raise UsageError(f"there is no {str(key)[:80]!r}; {hint}")
    name, url, path, description, commit = (_text(entry, key) for key in ("name", "url", "path", "description", "commit"))
    name = one_line(name, NAME_CHARACTERS + 1)
    if not name or len(name) > NAME_CHARACTERS:
        raise UsageError(f"a name of 1 to {NAME_CHARACTERS} characters is wanted")
    if not url and not path:
        raise UsageError(f"{name!r} has neither url nor path")
    if url:
        check_url(url)
    if commit and not is_commit(commit.lower()):
        raise UsageError(f"the commit {commit[:80]!r} is no whole one of 40 or 64 hexadecimal digits")
    folder = _folder(path, file) if path else None
    if folder is not None and not folder.is_dir() and not url:
        raise UsageError(f"there is no folder {folder}")
    return Candidate(
        name=name,
        url=url,
        path=folder if folder is not None and folder.is_dir() else None,
        description=one_line(description),
        topics=_topics(entry.get("topics")),
        commit=commit.lower(),
        source=f"{file.name}:{line}",
    )


def _folder(path: str, file: Path) -> Path:
    try:
        return (file.absolute().parent / Path(path).expanduser()).resolve()
    except (ValueError, RuntimeError, OSError) as error:
        raise UsageError(f"the path {path[:80]!r} cannot be one: {error}") from error


def _text(entry: dict[str, Any], key: str) -> str:
    value = entry.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UsageError(f"{key} must be a text, not {_kind(value)}")
    return value.strip()


def _topics(value: Any) -> tuple[str, ...]:
    if value is None or value == "":
        return ()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UsageError("topics must be a list of texts")
    return tuple(one_line(one, 100) for one in value if one.strip())[:TOPICS]


def _kind(value: Any) -> str:
    named = {
        dict: "an object",
        list: "a list",
        str: "a text",
        bool: "true or false",
        type(None): "null",
        int: "a number",
        float: "a number",
    }
    return named.get(type(value), "that")
