"""Names that documents spell out, models above all, which a request says by their parts or in other letters."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ml_agent.policies.grounded.hyphened import written_alike
from ml_agent.policies.grounded.kinds import extension, file_kind, folder_likeness, in_style_of
from ml_agent.policies.grounded.literals import FROM_HUB, Literal
from ml_agent.policies.grounded.request import Mention, Request, chunks_of, squeeze
from ml_agent.repo.callables import Callee
from ml_agent.repo.documents import Section
from ml_agent.repo.lexical import stem

NAMES = 4000
"""Names of one repository that are kept."""
LONGEST = 80
_NAME = re.compile(r"[A-Za-z][\w./@+-]*[A-Za-z0-9]")
NEAR = 8
"""Words among which the parts of one name are said."""
_MODELS = frozenset("model encoder decoder backbone arch architecture net network".split())
_GENERAL = frozenset("model models example examples test train eval max min size batch data dataset head body".split())
"""Parts of names that are said of anything."""
_SHORT = re.compile(r"\w|\d{1,2}")
"""Parts that are said by chance."""
_START = 4
"""Letters of a part that stand for the word that begins with them: `unsup`."""


def spelled_names(sections: Iterable[Section], callees: Iterable[Callee]) -> tuple[str, ...]:
    """Names with signs or digits in them that the documents use, and what functions choose by."""
    found: dict[str, None] = {}
    for callee in callees:
        for taken in callee.takes:
            found.update(dict.fromkeys(c for c in taken.choices if not c.isdigit()))
    for section in sections:
        code = (text for b in section.blocks for text in re.findall(r"[\"']([^\"'\s]+)[\"']", b.code))
        for name in (*_NAME.findall(section.text), *code):
            if len(name) <= LONGEST and _NAME.fullmatch(name) and _is_name(name):
                found[name] = None
        if len(found) > NAMES:
            break
    return tuple(found)[:NAMES]


def _is_name(name: str) -> bool:
    """No word, no path of a file, nothing dotted that code calls."""
    return bool(re.search(r"[\d/-]", name)) and name.count("/") < 2 and not file_kind(name) and not re.search(r"\.[A-Za-z_]", name)


@lru_cache(maxsize=4)
def _by_letters(names: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(squeeze(name), []).append(name)
    return found


def respelled(mention: Mention, literal: Literal, names: Sequence[str]) -> str:
    """The value as the documents write it, `netb3` for `Net-B3`, else in the style of what it takes the place of."""
    if literal.kind != "string" or mention.kind not in ("identifier", "name", "word"):
        return mention.value
    whole = squeeze(mention.value)
    if whole and whole == squeeze(literal.text):
        return literal.text  # it is what stands there
    same = _by_letters(tuple(names)).get(whole, [])
    coded = "_" in mention.value and not re.search(r"\d", whole)  # a name of code, which has one spelling
    if mention.value in same or coded or (not same and mention.value.islower()):
        return mention.value
    if not same:
        return in_style_of(mention.value, [literal.text])
    return next((n for n in same if n.islower() == literal.text.islower()), same[0])


def by_parts(literal: Literal, names: Sequence[str], request: Request, own: frozenset[str] = frozenset()) -> Mention | None:
    """The one name of the same family as the literal's, whose parts the request says best: `owner/net-large` for `the large net`.

    `own`: squeezed names that the snippet imports, which say nothing of a model.
    """
    text = literal.text
    called = {w for name in literal.names[:1] for w in name.lower().split("_")}
    if literal.kind != "string" or not _NAME.fullmatch(text) or not _is_name(text.replace("_", "-")):
        return None
    if not (literal.names_model or FROM_HUB.search(literal.call.lower()) or called & _MODELS):
        return None
    if any(_settles(m, text) for m in request.mentions):
        return None
    mine = {*_parts(text), *own, *_GENERAL}
    before, _ = _worth(text, request)
    found: list[tuple[float, str, frozenset[int]]] = []
    for name in _family(text, tuple(names)):
        parts = _parts(name)
        worth, said = _worth(name, request)
        if worth >= before + 1 and any(p not in mine for p in parts) and said and max(said) - min(said) <= NEAR:
            found.append((worth, name, said))
    if not found:
        return None
    best = max(worth for worth, _, _ in found)
    ahead = [f for f in found if f[0] == best]
    if len({squeeze(name) for _, name, _ in ahead}) != 1:
        return None
    _, name, said = ahead[0]
    return Mention(name, "name", max(said), request.span(min(said), max(said)))


@lru_cache(maxsize=1 << 11)
def _family(text: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the names that might stand in the place of one: of the same owner, with a part in common, and alike written."""
    owner, whole = text.rpartition("/")[0], squeeze(text)
    same = [n for n in names if n.rpartition("/")[0] == owner and squeeze(n) not in whole]
    return tuple(n for n in same if _alike_written(n, text) and _related(text, n))


def _alike_written(one: str, other: str) -> bool:
    """With digits or without, with no other signs between the parts, in small letters or not."""
    signs = [set(re.findall(r"[-_]", name.rpartition("/")[2])) for name in (one, other)]
    digits = [any(c.isdigit() for c in name) for name in (one, other)]
    return digits[0] == digits[1] and signs[0] <= signs[1] and (one.islower() or not other.islower())


def _settles(mention: Mention, text: str) -> bool:
    """A value that is a whole name itself, of several parts: nothing has to be put together."""
    if mention.kind not in ("identifier", "quoted", "path") or file_kind(mention.value) or " " in mention.value:
        return False
    parts = _parts(mention.value)
    return squeeze(mention.value) == squeeze(text) or "/" in mention.value or len(parts) > 2


@lru_cache(maxsize=1 << 14)
def _parts(name: str) -> tuple[str, ...]:
    return tuple(chunks_of(name))


def _related(one: str, other: str) -> bool:
    """A part in common, or two that begin alike."""
    mine, others = (_parts(name.rpartition("/")[2]) for name in (one, other))
    alike = bool(mine and others) and len(mine[0]) > 2 and mine[0][:3] == others[0][:3]
    return alike or any(len(p) > 2 and p in others and p not in _GENERAL for p in mine)


def _worth(name: str, request: Request) -> tuple[float, frozenset[int]]:
    """One for each part that the request says, half of one off for each other; and where they are said."""
    parts = _parts(name)
    worth, place = 0.0, 0
    said: set[int] = set()
    while place < len(parts):
        pair = "".join(parts[place : place + 2])
        if place + 1 < len(parts) and pair in request.grams and any(c.isdigit() for c in pair):
            first, last = request.grams[pair]
            worth, place = worth + 2, place + 2
            said |= set(range(first, last + 1))
            continue
        at = _where(parts[place], request)
        worth += 1 if at is not None else -0.5
        said |= {at} if at is not None else set()
        place += 1
    return worth, frozenset(said)


def _where(part: str, request: Request) -> int | None:
    if _SHORT.fullmatch(part) or part in _GENERAL:
        return None
    if part in request.grams:
        return request.grams[part][1]
    if part in request.bases:
        return request.bases[part][1]
    words = (i for i, t in enumerate(request.tokens) if t.kind == "word" and len(part) >= _START and t.text.lower().startswith(part))
    return next(words, None)


def beside_model(mention: Mention, request: Request) -> bool:
    """`the net_a model`, `model "net_a"`, `the model named net_a`: said to be a model."""
    first, last = mention.position - mention.words.count(" "), mention.position
    before = [t.stem for t in request.tokens[max(0, first - 3) : first] if t.kind == "word" and t.text.lower() not in _BETWEEN]
    behind = [t.stem for t in request.tokens[last + 1 : last + 2]]
    return bool(_SAID & {*before[-1:], *behind})


def says_model(mention: Mention, request: Request) -> bool:
    """Whether a value is said to be the model, or stands, as a name with digits or signs in it, where a model is said: `using net_a`."""
    if beside_model(mention, request):
        return True
    before = request.tokens[mention.position - 1].text.lower() if mention.position else ""
    return mention.kind == "identifier" and not file_kind(mention.value) and before in _BY_WHICH


_BY_WHICH = frozenset({"with", "using", "use", "by"})
_SAID = frozenset(map(stem, "model module network architecture backbone encoder".split()))
_BETWEEN = frozenset("the a an named called is of as with".split())


def joined_alike(literal: Literal, request: Request) -> Mention | None:
    """The name that the request writes as the literal is written, see `written_alike`."""
    at = written_alike(literal.text, request) if literal.kind == "string" else None
    return None if at is None else Mention(request.tokens[at].text, "identifier", at, request.tokens[at].text)


def in_folder_alike(literal: Literal, request: Request) -> Mention | None:
    """The path of a literal with the folder in it that is like a name of the request: `owl_L-24/vocab.txt` for `owl_L-12/vocab.txt`."""
    parts = literal.text.split("/")
    if literal.kind != "string" or len(parts) < 2 or not extension(literal.text):
        return None
    names = [m for m in request.mentions if m.kind == "identifier" and "/" not in m.value]
    for at, part in enumerate(parts[:-1]):
        alike = [m for m in names if folder_likeness(part, m.value)]
        if len(alike) == 1 and alike[0].value != part:
            return Mention("/".join([*parts[:at], alike[0].value, *parts[at + 1 :]]), "path", alike[0].position, alike[0].words)
    return None
