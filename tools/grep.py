"""The tool `grep`: lines that match a regular expression."""

import time
from collections.abc import Iterator, Set
from typing import Any, TypedDict

import re2
from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.repo.files import FileTable
from ml_agent.repo.files.ignore import IgnoreRules
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.paths import read_text
from ml_agent.tools.text import cap
from ml_agent.trajectory import Observation

LINE_LIMIT = 300
"""Characters of a matching line; of a longer one the part around the match is shown."""
SECONDS = 10.0


class MatchData(TypedDict):
    path: str
    line: int
    text: str


class GrepData(TypedDict):
    matches: list[MatchData]
    cut: bool
    """There may be more: the limit was reached, the time was over, or a file was too large to be read whole."""


class GrepArguments(Arguments):
    pattern: Text = Field(min_length=1, max_length=1000, description="Regular expression (RE2 syntax), matched against each line.")
    glob: Text | None = Field(None, max_length=1000, description="Only files that fit, as in .gitignore: '*.py', 'examples/**/*.sh'.")
    ignore_case: bool = Field(False, description="Treat upper and lower case as the same.")
    limit: int = Field(100, ge=1, le=2000, description="Most lines to return.")


class Grep(Tool[GrepArguments]):
    """Search all text files of the repository for lines that match a regular expression.

    Look-around and back references are not supported.
    """

    name = "grep"
    arguments = GrepArguments

    def call(self, arguments: GrepArguments, context: Context) -> Observation:
        pattern = _compile(arguments.pattern, arguments.ignore_case)
        matches: list[MatchData] = []
        notes: list[str] = []
        until = time.monotonic() + min(SECONDS, context.limits.remaining().seconds)
        known, written = context.workspace.index.files, frozenset(context.workspace.made())
        for path in _paths(known, written, arguments.glob):
            if time.monotonic() >= until:
                notes.append("the time was over before all files were searched; give glob")
                break
            try:
                content = read_text(context.workspace, path) if path in written else known.read(path)
            except (ToolError, OSError):  # gone, or not to be read: file_tree says so
                continue
            if content.cut:
                notes.append(f"the last {content.cut} bytes of {path} were not searched")
            for number, line in _matching(pattern, content.text):
                if len(matches) == arguments.limit:
                    notes.append(f"there are more than {arguments.limit} lines; raise limit or narrow the pattern")
                    break
                matches.append({"path": path, "line": number, "text": line})
            else:
                continue
            break
        lines = [f"{m['path']}:{m['line']}: {m['text']}" for m in matches] or ["no line matches"]
        note = "".join(f"\n[{n}]" for n in notes[:20])
        data: GrepData = {"matches": matches, "cut": bool(notes)}
        return Observation(cap("\n".join(lines), hint="give glob or a narrower pattern") + note, data)


def _compile(pattern: str, ignore_case: bool) -> Any:
    # RE2 takes time linear in the text and a bounded memory, whatever the pattern is.
    options = re2.Options()
    options.log_errors = False
    options.never_nl = True
    options.case_sensitive = not ignore_case
    try:
        return re2.compile(f"(?m){pattern}", options)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0].decode("utf-8", "replace") if isinstance(error, re2.error) else "it is not valid Unicode"
        raise ToolError(f"{pattern!r} is not a regular expression of RE2: {reason}") from error


def _paths(known: FileTable, written: Set[str], glob: str | None) -> Iterator[str]:
    """All files that fit: those of the repository, then those that were written since."""
    rules = IgnoreRules([glob]) if glob is not None else None
    listed = {f.path for f in known.files}
    for path in (*(f.path for f in known.files), *sorted(written - listed)):
        if rules is None or _fits(rules, path):
            yield path


def _fits(rules: IgnoreRules, path: str) -> bool:
    parts = path.split("/")
    folders = ("/".join(parts[:end]) for end in range(1, len(parts)))
    return rules.ignored(path, False) is True or any(rules.ignored(folder, True) for folder in folders)


def _matching(pattern: Any, text: str) -> Iterator[tuple[int, str]]:
    """The number and the text of each line that matches, once."""
    data = text.encode("utf-8", "surrogatepass")
    number, counted, position = 1, 0, 0
    while position < len(data) and (match := pattern.search(data, position)):
        start = match.start()
        if start == len(data) and data.endswith(b"\n"):  # what follows the last newline is no line
            return
        number += data.count(b"\n", counted, start)
        begin = data.rfind(b"\n", 0, start) + 1
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        counted, position = start, end + 1
        yield number, _shown(data[begin:end].decode("utf-8", "replace"), len(data[begin:start].decode("utf-8", "replace")))


def _shown(line: str, at: int) -> str:
    if len(line) <= LINE_LIMIT:
        return line
    first = max(0, min(at - LINE_LIMIT // 3, len(line) - LINE_LIMIT))
    last = first + LINE_LIMIT
    return ("…" if first else "") + line[first:last] + ("…" if last < len(line) else "")
