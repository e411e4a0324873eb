"""Languages in a snippet: the code or the name that it has for one gives way to that of the language which the request names."""

import re
from collections.abc import Iterator, Sequence

from ml_agent.policies.grounded.languages import LANGUAGES, LONG, SHORT, TAKES, code_beside
from ml_agent.policies.grounded.literals import Literal
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.repo.entrypoints import Option

_PLACES = TAKES | frozenset("src tgt source target".split())


def place_languages(literals: Sequence[Literal], request: Request) -> Iterator[tuple[Literal, str, Mention]]:
    """(literal, source text, the language's name in the request) of each that has another language.

    A list of codes takes all languages that the request names; a single place the one; two, for source and target, one each.
    """
    said = {t.text.lower(): i for i, t in enumerate(request.tokens) if t.text.lower() in LANGUAGES}
    if not said:
        yield from _codes(literals, request)
        return
    names = list(said)
    places = [x for x in literals if x.kind == "string" and _style(x) is not None and _PLACES & set(_words(x))]
    lists: dict[tuple[int, int], list[Literal]] = {}
    for literal in [x for x in literals if x.kind == "string" and x.texts != (0, 0)]:
        lists.setdefault(literal.texts, []).append(literal)
    for span, members in lists.items():
        if any(m.text in SHORT for m in members) and all(len(m.text) == 2 or "_" in m.text for m in members):
            codes = ", ".join(repr(_code_of(name, members)) for name in names)
            yield Literal("texts", "", *span, members[0].names), codes, _mention(names[0], said, request)
    for literal in (x for x in places if x.texts == (0, 0)):
        ends = set(_words(literal))
        at = 0 if ends & {"src", "source"} else 1 if ends & {"tgt", "target"} else None
        chosen = names[0] if len(names) == 1 and at is None else names[at] if at is not None and len(names) == 2 else ""
        if chosen:
            style = _style(literal) or 0
            text = LANGUAGES[chosen][style] if style < 2 else chosen.title() if literal.text[:1].isupper() else chosen
            yield literal, repr(text), _mention(chosen, said, request)


def _code_of(name: str, shown: Sequence[Literal]) -> str:
    """As the snippet has it, if it has it: `zh_cn`, or a code of its own that the name begins with (`ge_new` for German)."""
    short = LANGUAGES[name][0]
    prefixes = {x.text: re.split("[_-]", x.text.lower())[0] for x in shown}
    own = (text for text, prefix in prefixes.items() if prefix == short or (prefix not in SHORT and name.startswith(prefix)))
    return next(own, short)


def _codes(literals: Sequence[Literal], request: Request) -> Iterator[tuple[Literal, str, Mention]]:
    """The one place of a code, for a code that the request gives: `language fr`."""
    places = [x for x in literals if x.kind == "string" and _style(x) in (0, 1) and TAKES & set(_words(x))]
    beside = code_beside(Option(places[0].names[0], (places[0].names[0],), ""), request) if len(places) == 1 else None
    if beside is not None:
        yield places[0], repr(beside[0]), Mention(beside[0], "name", beside[1], beside[0])


def _words(literal: Literal) -> tuple[str, ...]:
    return name_words(literal.names[0].lower()) if literal.names else ()


def _style(literal: Literal) -> int | None:
    """0 and 1: a code of two and of three letters; 2: a name."""
    text = literal.text.lower()
    return 0 if text in SHORT else 1 if text in LONG else 2 if text in LANGUAGES else None


def _mention(name: str, said: dict[str, int], request: Request) -> Mention:
    at = said[name]
    return Mention(request.tokens[at].text, "name", at, request.tokens[at].text)
