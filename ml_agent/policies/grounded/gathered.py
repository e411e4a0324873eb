"""Values of one option that stand apart in the request, and names whose files the request locates right behind them."""

import re
from collections.abc import Sequence

from ml_agent.policies.grounded.kinds import extension, file_kind, likeness
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.settings import SEVERAL
from ml_agent.repo.entrypoints import Option

_ALIKE = 0.6
_REACH = 5
"""Tokens between a name and where it lies."""
_WHERE = frozenset("in under at inside within from below beneath".split())
_THING = frozenset("the my our a an folder directory dir path root data dataset set images lies lie lying stored kept found is are".split())
_A_PLACE = frozenset("path dir directory folder file root".split())
_SAYS_PLACE = re.compile(r"\b(?:paths?|dir|director(?:y|ies)|folders?|files?)\b", re.IGNORECASE)


def more_values(option: Option, values: Sequence[str], positions: Sequence[int], free: Sequence[Mention]) -> list[Mention]:
    """The unplaced mentions that belong to an option that takes several values, and has these.

    Where it takes just so many, they are the paths that are left; else those of the same kind: `a.png ... and b.png`, `me/one ... me/two`.
    """
    number = option.fixed_count
    if not values or (number is None and option.nargs not in SEVERAL):
        return []
    fitting = [m for m in free if m.position not in positions and " " not in m.value]
    if number is None:
        beside = _side_by_side(positions, fitting) if len(values) == len(positions) else []
        return beside or [m for m in fitting if m.kind in ("path", "quoted", "identifier") and any(_same_kind(m.value, v) for v in values)]
    room = number - len(values)
    paths = [m for m in fitting if m.kind == "path" or (m.kind == "quoted" and any(_same_kind(m.value, v) for v in values))]
    return paths[:room] if len(paths) >= room > 0 and all("/" in v or extension(v) for v in values) else []


def _side_by_side(positions: Sequence[int], fitting: Sequence[Mention]) -> list[Mention]:
    """The names and paths that stand right beside the values, with nothing between them: `Barn_Owl Reed_Wren Lark`."""
    at = {m.position: m for m in fitting if m.kind in ("path", "quoted", "identifier", "name")}
    found: list[Mention] = []
    for first, step in ((min(positions), -1), (max(positions), 1)):
        place = first + step
        while place in at:
            found.append(at[place])
            place += step
    return found


def in_order(values: Sequence[str], positions: Sequence[int], more: Sequence[Mention]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """All of them as the request gives them."""
    every = sorted([*zip(positions, values, strict=True), *((m.position, m.value) for m in more)])
    return tuple(value for _, value in every), tuple(position for position, _ in every)


def _same_kind(one: str, other: str) -> bool:
    if extension(one) or extension(other):
        return extension(one) == extension(other) or (file_kind(one) == "image" == file_kind(other))
    owner = one.rpartition("/")[0]
    return bool(owner and owner == other.rpartition("/")[0]) or (("/" in one) == ("/" in other) and likeness(one, (other,)) > _ALIKE)


def is_located(mention: Mention, request: Request) -> bool:
    """Whether the request says right behind a name where that lies: `ImageNet under /data/imagenet`, `the birds in "data"`.

    Or which file it is: `a ZIP archive, nests/owl.zip`.
    """
    words = request.tokens[mention.position + 1 : mention.position + 1 + _REACH]
    beside = [t.kind for t in words[:3] if t.kind != "word"]
    before = {t.text.lower() for t in request.tokens[max(0, mention.position - 2) : mention.position]}
    if beside == ["comma", "path"] and all(not t.filler for t in words[:3]) and before & {"a", "an", "the", "to", "into", "as"}:
        return True  # `a glTF binary, walks/owl.glb`
    if not words or not (words[0].text.lower() in _WHERE or words[0].text == "("):
        return False
    for token in words[1:]:
        if token.kind in ("path", "quoted"):
            return " " not in token.text
        if token.text.lower() not in _THING | _WHERE:
            return False
    return False


def wants_path(option: Option, examples: Sequence[str]) -> bool:
    """Whether an option takes a file or a folder, by its name, its help, or what documents give it."""
    if not _A_PLACE.isdisjoint(name_words(option.name)) or _SAYS_PLACE.search(option.help):
        return True
    return bool(examples) and all("/" in e.strip("/") or extension(e) for e in examples)
