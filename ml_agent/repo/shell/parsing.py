"""Shell text read without running it: commands in order, each with its words, folder, variables and loops.

`parse` understands scripts and single command lines alike. Words that name the program that is really run (behind
`python -u`, `torchrun --nproc_per_node 2`, ...) are found by `run_target`; prompts and output of a console block are
dropped by `strip_prompts`.
"""

import re
import time
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from ml_agent.repo.shell.script import Script

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

MAX_BYTES = 2_000_000
"""Of a script; what is behind is not read and said in `errors`."""
MAX_PIPES = 2_000
"""The grammar needs memory by the square of the pipes in an unfinished pipeline (10,000: 0.9 GB, 2,000: 65 MB)."""
PARSE_SECONDS = 2.0
MAX_INLINE = 3
_WIDE = re.compile(rb"[\xc4-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf7][\x80-\xbf]{3}")
"""A character above U+00FF, lone surrogates included."""
_IN_PLACE = {2: b"\xc2\xa1", 3: b"\xc2\xa1x", 4: b"\xc2\xa1\xc2\xa1"}
"""What stands for one of that many bytes."""


def parse(text: str, variables: Mapping[str, str] = MappingProxyType({})) -> Script:
    """Read a script or a command line. Never raises on odd input: what cannot be read is in `errors`.

    `variables`: values that are known before it starts.
    """
    return _parse(text, MAX_INLINE, variables)


def _parse(text: str, inline: int, variables: Mapping[str, str]) -> Script:
    """`inline` is how many more times a script within a word (`bash -c "..."`) is read."""
    from ml_agent.repo.shell.walk import walk_tree

    root, source, errors = syntax_tree(text)
    if root is None:
        return Script(errors=errors)
    return walk_tree(root, source, errors, variables, lambda script: _parse(script, inline - 1, {}) if inline else Script())


def syntax_tree(text: str) -> "tuple[Node | None, bytes, tuple[tuple[int, str], ...]]":
    """The root of the syntax tree (None if it takes too long), the bytes that its offsets count, and what was not read."""
    source = text.encode("utf-8", "surrogatepass")
    cut = _limit(source)
    errors: tuple[tuple[int, str], ...] = ()
    if cut < len(source):
        errors = ((source.count(b"\n", 0, cut) + 1, "too long: not read from here on"),)
        source = source[:cut]
    tree = _tree(readable(source))
    if tree is None:
        return None, source, (*errors, (1, f"could not be parsed in {PARSE_SECONDS:g} s"))
    return tree.root_node, source, errors


def readable(source: bytes) -> bytes:
    """The same number of bytes without what confuses the grammar: NUL, carriage returns, characters above U+00FF.

    To bash those are parts of words. The grammar's scanner looks them up in a table of 256 (`isdigit` behind `{`), and crashes.
    """
    source = _WIDE.sub(lambda found: _IN_PLACE[len(found[0])], source)
    return source.replace(b"\0", b"\x01").replace(b"\\\r\n", b" \\\n").replace(b"\r\n", b" \n")


def _limit(source: bytes) -> int:
    """How many bytes are read."""
    limit = min(len(source), MAX_BYTES)
    position = -1
    for _ in range(MAX_PIPES):
        position = source.find(b"|", position + 1, limit)
        if position < 0:
            return limit
    return source.rfind(b"\n", 0, position) + 1


@cache
def _parser() -> "Parser":
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def _tree(source: bytes) -> "Tree | None":
    deadline = time.monotonic() + PARSE_SECONDS
    parser = _parser()
    try:
        return parser.parse(
            lambda offset, _: source[offset : offset + 65_536], encoding="utf8", progress_callback=lambda *_: time.monotonic() > deadline
        )
    except ValueError:  # how tree-sitter says that the callback stopped it
        parser.reset()
        return None
