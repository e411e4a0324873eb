"""From the text of one file to its symbols. A pure function; it needs no other file and runs nothing."""

import re
import time
from typing import TYPE_CHECKING

from ml_agent.repo.symbols.collector import paused
from ml_agent.repo.symbols.extraction import Match, extract
from ml_agent.repo.symbols.grammars import Loaded, Missing, load
from ml_agent.repo.symbols.languages import Language, language_of
from ml_agent.repo.symbols.model import FileSymbols, Problem

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

MAX_BYTES = 2_000_000
"""Of a file that is read; its rest is left out and said."""
MAX_DATA_BYTES = 256_000
"""The same for YAML, TOML and JSON."""
MINIFIED_BYTES, MINIFIED_LINE = 20_000, 1_000
"""A file from so many bytes on whose lines are so long on average was not written by a person: it is left out and said."""
SECONDS = 2.0
_READ = 65_536
"""Bytes that the parser is given at a time."""
_MATCHES, _DEPTH = 1_024, 400
"""Matches of a query that may be in progress at one place, and the depth in the tree from which on nothing is looked for: the time that a
query takes grows with both. Written code is some 50 levels deep."""
_BROKEN = 10_000
"""Tokens in one stretch that does not parse."""
_YAML_DEPTH = 150
"""The YAML grammar overflows a buffer, and with it the process, at some 250 levels."""


_TOO_DEEP = re.compile(rf"^ {{{_YAML_DEPTH},}}\S|^(?>[^\n]*?[-?:][ \t]){{{_YAML_DEPTH}}}", re.MULTILINE)


def parse_symbols(path: str, text: str, *, seconds: float = SECONDS) -> FileSymbols:
    """The symbols of one file; what was not read of it is in `problems`. The path serves to tell the language.

    Never fails for what a file holds. tree-sitter is asked to stop parsing after `seconds`; what is then asked of the tree takes time in
    proportion to the file, about two seconds for the longest that is read. Nothing is looked for more than 400 levels deep in the tree.
    A grammar that hangs or crashes all the same (some do not look at the clock) takes the process with it: read unknown files in a
    process that may be killed.

    Raises InfrastructureError: the installed tree-sitter or grammar is of a version that does not fit.
    """
    language = language_of(path, text)
    if language is None:
        return FileSymbols()
    loaded = load(language)
    if isinstance(loaded, Missing):
        return FileSymbols(language.name, problems=(Problem(1, loaded.message),))
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    problems: list[Problem] = []
    text = _limited(text, language, problems)
    if not text:
        return FileSymbols(language.name, problems=tuple(problems))
    source = _readable(text)
    tree = _tree(loaded, source, time.monotonic() + seconds)
    if tree is None:
        return FileSymbols(language.name, problems=(*problems, Problem(1, f"could not be parsed in {seconds:g} s")))
    if _hopeless(tree.root_node):
        return FileSymbols(language.name, problems=(*problems, Problem(1, f"is no {language.name} that can be parsed: not read")))
    with paused():
        matches = _matches(loaded, tree.root_node, problems)
        return extract(language, text if len(text) == len(source) else source, matches, problems)


def _limited(text: str, language: Language, problems: list[Problem]) -> str:
    """As much of the text as is read."""
    if len(text) > MINIFIED_BYTES and len(text) > MINIFIED_LINE * (text.count("\n") + 1):
        problems.append(Problem(1, "minified or generated (very long lines): not read"))
        return ""
    limit = MAX_DATA_BYTES if language.data else MAX_BYTES
    if language.name == "bash":
        limit = min(limit, _bash_limit(text))
    elif language.name == "yaml" and (deep := _TOO_DEEP.search(text)):
        limit = min(limit, deep.start())
    if len(text) > limit:
        text = text[: text.rfind("\n", 0, limit) + 1]
        problems.append(Problem(text.count("\n") + 1, "too long or too deeply nested: not read from here on"))
    return text


def _bash_limit(text: str) -> int:
    """The grammar needs memory by the square of the pipes in an unfinished pipeline."""
    from ml_agent.repo.shell.parsing import MAX_PIPES

    position = -1
    for _ in range(MAX_PIPES):
        position = text.find("|", position + 1)
        if position < 0:
            return len(text)
    return position


def _readable(text: str) -> bytes:
    """The text in UTF-8, without what confuses a grammar: lone surrogates become U+FFFD (three bytes as they were), NUL becomes \\x01."""
    if text.isascii():
        source = text.encode()
    else:
        source = text.encode("utf-8", "surrogatepass")
        source = re.sub(rb"\xed[\xa0-\xbf][\x80-\xbf]", "\ufffd".encode(), source)
    return source.replace(b"\0", b"\x01")


def _tree(loaded: Loaded, source: bytes, deadline: float) -> "Tree | None":
    from tree_sitter import Parser

    try:
        return Parser(loaded.grammar).parse(
            lambda offset, _: source[offset : offset + _READ],
            encoding="utf8",
            progress_callback=lambda *_: time.monotonic() > deadline,
        )
    except ValueError:  # how tree-sitter says that the callback stopped it
        return None


def _hopeless(root: "Node") -> bool:
    """Whether what does not parse is so long that a query, which takes time by the square of it, would not end."""
    return root.has_error and any(node.type == "ERROR" and node.child_count > _BROKEN for node in (root, *root.children))


def _matches(loaded: Loaded, root: "Node", problems: list[Problem]) -> list[Match]:
    """The query's matches in the order of the text.

    It cannot be stopped: for a cursor's progress callback tree-sitter 0.26.1 keeps a pointer to a local variable, and crashes; a byte
    range does not bound the work, and makes that on long flat files quadratic. So what it may cost is bounded from the start.
    """
    from tree_sitter import QueryCursor

    cursor = QueryCursor(loaded.query, match_limit=_MATCHES)
    cursor.set_max_start_depth(_DEPTH)
    matches = cursor.matches(root)
    if cursor.did_exceed_match_limit:
        problems.append(Problem(1, "too many patterns at once: some symbols may be missing"))
    return matches
