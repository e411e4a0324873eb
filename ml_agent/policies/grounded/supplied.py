"""What a documented snippet takes for granted: names that the user has, which the request says or gives a file for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ml_agent.policies.grounded.kinds import extension
from ml_agent.policies.grounded.literals import LONG_TEXT, Literal
from ml_agent.policies.grounded.request import Mention, Request, squeeze

_READERS = {
    ".npy": ("import numpy as np", "np.load({})"),
    ".csv": ("import pandas as pd", "pd.read_csv({})"),
    ".tsv": ("import pandas as pd", "pd.read_csv({}, sep='\\t')"),
    ".parquet": ("import pandas as pd", "pd.read_parquet({})"),
    ".pt": ("import torch", "torch.load({})"),
    ".txt": ("", "open({}).read()"),
}
"""How a file of data is read, by its extension: (import or nothing, call)."""

_TEXT = re.compile(r"(?:\w+_)?(?:docs?|documents?|texts?|corpus|article|passage|content|story|essay|paragraph|raw)")
"""What a variable is called that holds what a text file says."""


_LINES = re.compile(r"\b(?:(?:per|a|each|every) line|(?:the|of|all|its) lines|line by line|lines of)\b", re.IGNORECASE)
"""What says that each line of a file is one text."""

_PLACE = re.compile(r"(?:\w+_)?[a-z]{0,5}(?:path|dir|directory|folder|filename|fname)_?\d?|(?:\w+_)?file_?\d?", re.IGNORECASE)
"""What a variable is called that holds the place of one file or folder."""


@dataclass(frozen=True, slots=True)
class Supplied:
    code: str
    """Lines that stand in front of the snippet; empty if there are none."""
    files: tuple[Mention, ...]
    """Those that the lines read."""
    names: frozenset[str]
    """Names that the lines, or the user, define."""


def supply(missing: Sequence[str], request: Request, used: frozenset[int] = frozenset()) -> Supplied:
    """Lines that read the request's files into the names that a snippet misses: `X_train.npy` into `X_train`.

    One file that is left goes to one name that is left, and each place to a name for places, in order, if there are as many of both.
    Names that the request says are the user's own.
    `used`: positions of files that have their place.
    """
    texts = [n for n in missing if _TEXT.fullmatch(n)]
    files = [m for m in request.mentions if m.kind in ("path", "quoted") and extension(m.value) in _READERS and m.position not in used]
    files = [f for f in files if texts or extension(f.value) != ".txt"]
    pairs: dict[str, Mention] = {}
    for name in missing:
        same = [f for f in files if squeeze(_stem(f.value)) == squeeze(name) and f not in pairs.values()]
        if same:
            pairs[name] = same[0]
    own = {name for name in missing if re.search(rf"(?<![\w.])\b{re.escape(name)}\b(?![.]\w)", request.text)}
    names = [n for n in missing if n not in pairs and n not in own and not _PLACE.fullmatch(n)]
    rest = [f for f in files if f not in pairs.values()]
    if len(rest) == 1 and extension(rest[0].value) == ".txt":
        names = [n for n in names if n in texts]
    if len(names) == 1 and len(rest) == 1:
        pairs[names[0]] = rest[0]
    plural = [n for n in names if n in texts and n.endswith("s")]
    many = [f for f in rest if extension(f.value) == ".txt"]
    together = many if len(plural) == 1 and len(many) == len(rest) > 1 else []
    places = [n for n in missing if n not in pairs and n not in own and _PLACE.fullmatch(n)]
    located = [m for m in request.mentions if m.kind == "path" and m.position not in used and m not in pairs.values()]
    plain = dict(zip(places, located, strict=True)) if len(places) == len(located) else {}
    pairs |= plain
    imports, lines = [], []
    for name in missing:
        if name in plain:
            lines.append(f"{name} = {plain[name].value!r}")
        elif name in pairs:
            first, call = _READERS[extension(pairs[name].value)]
            imports.append(first)
            lines.append(f"{name} = {call.format(repr(pairs[name].value))}")
    if together:
        lines.append(f"{plural[0]} = [open(name).read() for name in [{', '.join(repr(f.value) for f in together)}]]")
        own |= set(plural)
    code = "\n".join([*dict.fromkeys(i for i in imports if i), *lines, ""]) if lines else ""
    return Supplied(code, (*pairs.values(), *together), frozenset([*pairs, *own]))


def read_texts(literals: Sequence[Literal], request: Request) -> Iterator[tuple[Literal, str, Mention]]:
    """The long text of a snippet is read from the one text file that the request gives, unless the request has a text of its own.

    Of a file with a text on each line, its only list of texts is read.
    """
    files = [m for m in request.mentions if m.kind in ("path", "quoted") and extension(m.value) == ".txt"]
    texts = [x for x in literals if x.kind == "string" and len(x.text.split()) >= LONG_TEXT]
    if len(files) == 1 and texts and not any(m.kind == "quoted" and " " in m.value for m in request.mentions):
        yield texts[0], f"open({files[0].value!r}).read()", files[0]
        return
    lists = {x.texts: x for x in literals if x.texts != (0, 0) and " " in x.text.strip()}
    if len(files) == len(lists) == 1 and _LINES.search(request.text):
        ((span, first),) = lists.items()
        yield Literal("texts", "", *span, first.names), f"*(line.strip() for line in open({files[0].value!r}))", files[0]


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
