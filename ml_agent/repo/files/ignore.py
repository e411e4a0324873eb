"""What git would leave out: .gitignore rules, and the files that it tracks all the same.

pathspec translates each pattern. Which pattern decides is worked out here, level by level as git does it: pathspec's own
matcher judges a flat list of files, and a walk that prunes folders by it would lose `*` + `!*/` + `!*.py`.
"""

import re
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

MAX_RULES = 5_000
_MAX_LINE = 1_000
_MAX_STEPS = 5_000_000


@dataclass(frozen=True, slots=True)
class _Rule:
    regex: re.Pattern[str]
    ignore: bool
    folders_only: bool
    longest: int
    """Paths longer than this are not matched: with k wildcards a regular expression may try every way to place them."""

    def matches(self, path: str) -> bool:
        found = self.regex.search(path) if len(path) <= self.longest else None
        # The one named group is the slash after a parent folder; that the parent matches was judged one level up.
        return found is not None and found.lastgroup is None


class IgnoreRules:
    """The rules of one .gitignore file, for paths relative to the file's folder."""

    def __init__(self, lines: Iterable[str]) -> None:
        rules = [rule for line, _ in zip(lines, range(MAX_RULES), strict=False) if (rule := _rule(line))]
        self._last_first = tuple(reversed(rules))

    def __bool__(self) -> bool:
        return bool(self._last_first)

    def ignored(self, path: str, is_folder: bool) -> bool | None:
        """True: ignored; False: kept by a `!` rule; None: no rule speaks of this path itself."""
        for rule in self._last_first:
            if (is_folder or not rule.folders_only) and rule.matches(path):
                return rule.ignore
        return None


def _rule(line: str) -> _Rule | None:
    if len(line) > _MAX_LINE:
        return None
    pattern = line if line.endswith("\\ ") else line.rstrip()
    if not pattern or pattern.startswith("#"):
        return None
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    folders_only = pattern.endswith("/")
    pattern = pattern.rstrip("/") if folders_only else pattern
    try:
        compiled = GitIgnoreSpecPattern(pattern)
    except (ValueError, re.error):  # git drops what it cannot read
        return None
    if compiled.include is None or compiled.regex is None:
        return None
    return _Rule(compiled.regex, compiled.include, folders_only, _longest(len(re.findall(r"\*+", pattern))))


def _longest(wildcards: int) -> int:
    length = 4096
    while wildcards > 1 and comb(length, wildcards) > _MAX_STEPS:
        length = length * 9 // 10
    return length


def tracked_paths(index: bytes) -> frozenset[bytes]:
    """The paths in a git index (`.git/index`, versions 2 to 4); empty if it cannot be read.

    Read here and not by running git, which executes what an untrusted checkout's configuration says.
    """
    for hash_size in (20, 32):
        try:
            return frozenset(_entries(index, hash_size))
        except (ValueError, IndexError, struct.error):
            continue
    return frozenset()


def _entries(index: bytes, hash_size: int) -> list[bytes]:
    signature, version, count = struct.unpack_from(">4sII", index)
    if signature != b"DIRC" or version not in (2, 3, 4) or count > len(index) // 62:
        raise ValueError("not a git index")
    paths: list[bytes] = []
    position, previous = 12, b""
    for _ in range(count):
        start = position
        position += 40 + hash_size
        (flags,) = struct.unpack_from(">H", index, position)
        position += 4 if flags & 0x4000 else 2
        strip = 0
        if version == 4:  # the path shares all but the last `strip` bytes with the one before
            byte = index[position]
            position += 1
            strip = byte & 0x7F
            while byte & 0x80:
                byte = index[position]
                position += 1
                strip = ((strip + 1) << 7) | (byte & 0x7F)
        end = index.index(b"\0", position)
        name = index[position:end]
        previous = previous[: max(0, len(previous) - strip)] + name if version == 4 else name
        length = flags & 0x0FFF
        if not previous or (length != 0x0FFF and length != len(previous)):
            raise ValueError("not an entry")
        paths.append(previous)
        position = end + 1 if version == 4 else start + (end - start + 8) // 8 * 8
    return paths
