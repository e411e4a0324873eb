"""Which classes and functions of a repository a text names, or describes by the words of their names."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ml_agent.repo.lexical import STOPWORDS, split_identifier, squeeze, stem

_RUN = 6
"""Neighbouring words of the text that can make up one name."""
_SIZES = {"xl": "xlarge", "xxl": "xxlarge", "xs": "xsmall", "xxs": "xxsmall"}
"""Sizes of models in the long spelling that names have."""
_ASIDE = frozenset({"test", "tests", "testing", "docs", "doc", "setup", "conftest", "third_party", "thirdparty", "external"})
"""Folders and files whose code is not what a repository offers."""


@dataclass(frozen=True, slots=True)
class Names:
    """Definitions by name, taken apart; none that begins with `_`."""

    parts: Mapping[str, frozenset[str]]
    """Of each name."""
    squeezed: Mapping[str, str]
    files: Mapping[str, Sequence[str]]
    """That define it."""
    places: Mapping[str, frozenset[str]]
    """Of each file."""
    count: Mapping[str, int]
    """Of how many definitions, each a name and a file, a word is a part."""

    def as_data(self) -> tuple[Any, ...]:
        """What makes it again, in the form that marshal takes."""
        return self.parts, self.squeezed, self.files, self.places, self.count


def names_of(defined: Mapping[str, Sequence[str]]) -> Names:
    """`defined`: name -> files that define it."""
    files = {name: list(paths) for name, paths in defined.items() if paths and not name.startswith("_")}
    parts = {name: frozenset(stem(p) for p in split_identifier(name)) for name in files}
    places = {
        path: frozenset(stem(p) for p in split_identifier(path.removesuffix(".py")))
        for path in dict.fromkeys(p for ps in files.values() for p in ps)
    }
    count = Counter(part for name, paths in files.items() for path in paths for part in parts[name] | places[path])
    return Names(parts, {name: squeeze(name) for name in files}, files, places, dict(count))


def named(names: Names, text: str) -> list[tuple[float, str, str]]:
    """(score, name, path) of definitions, best first; about 1.5 for one whose name is said."""
    words = re.findall(r"[a-z]+|\d+", _apart(text).lower())
    stems = {stem(w) for w in words if w not in STOPWORDS} | {stem(p) for w in text.split() for p in split_identifier(w)}
    stems -= {stem(w) for w in STOPWORDS}
    stems |= {stem(full) for short, full in _SIZES.items() if short in words}
    begun = {word[:2] for word in words}
    runs = {"".join(words[i : i + size]): size for size in range(_RUN, 0, -1) for i in range(len(words) - size + 1)}
    number = sum(map(len, names.files.values()))
    top = math.log(1 + number) or 1.0

    def rarity(part: str) -> float:
        return math.log(1 + number / names.count[part]) / top

    def rare(parts: frozenset[str]) -> float:
        return sum(sorted(map(rarity, parts)))  # in order, for sets have none that lasts

    found = []
    for name, paths in names.files.items():
        own, squeezed = names.parts[name], names.squeezed[name]
        hit = own & stems
        said = squeezed in runs and squeezed not in STOPWORDS
        whole = said or (len(own) > 1 and own <= stems) or (squeezed[:2] in begun and _abbreviates(squeezed, words))
        letters = len(squeezed) if whole else sum(map(len, hit))
        cover = 1.0 if whole else rare(hit) / (rare(own) or 1.0) if hit else 0.0
        by_name = cover * (0.5 + min(1.0, letters / 12))
        if len(own) == 1 and name.islower():
            by_name *= 0.5 * rarity(next(iter(own)))  # a function that is called like an everyday word
        elif whole:
            by_name += 0.5
        for path in paths:
            score = by_name + 0.3 * rare((names.places[path] - own) & stems)
            if score and _ASIDE.intersection(re.split(r"[/.]", path.lower())):
                score *= 0.4
            if score > 0:
                found.append((score, name, path))
    found.sort(key=lambda f: (-f[0], f[2].count("/"), f[2], f[1]))
    return found


def _apart(text: str) -> str:
    """`PreActNet` said in one word keeps its letters together; camel case is no border here, since names are squeezed."""
    return re.sub(r"['\u2019]s\b", "", text)


def _abbreviates(name: str, words: Sequence[str]) -> bool:
    """Whether a name is made of the beginnings of neighbouring words, in their order: `preact34` of `pre-activation 34`."""
    if len(name) < 4:
        return False

    def rest(at: int, word: int, used: int) -> int:
        if at == len(name):
            return used
        if word == len(words):
            return 0
        this = words[word]
        for size in range(min(len(this), len(name) - at), 0, -1):
            if name.startswith(this[:size], at) and (size > 1 or len(this) == 1) and (not this.isdigit() or size == len(this)):
                found = rest(at + size, word + 1, used + 1)
                if found:
                    return found
        return 0

    return any(word[:2] == name[:2] and rest(0, start, 0) > 1 for start, word in enumerate(words))
