"""Headings of documents that a request says: they tell which section is meant, and are no values."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from ml_agent.policies.grounded.arguments import parse_arguments
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.unfilled import is_open
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint

_ASIDE = re.compile(r"\([^()]*\)|:\w+:|^[\d.)\s]+")
"""What people leave out of a heading: remarks, signs, its number."""
_EDGES = re.compile(r"^[^\w(]+|[^\w)]+$")
_OF_SECTIONS = frozenset("under section sections heading headed chapter paragraph titled subsection".split())
"""Words beside the name of a section."""
_NEAREST = 2
_WORDS = 3
"""Words of a heading that nobody says by chance."""
_WITHOUT_SPACES = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4}")
"""Four signs of a script that has no spaces, or long words."""


def without_headings(request: Request, headings: Iterable[str]) -> Request:
    """The request without the headings that it quotes: `as in "Training on your own data"` names a section, and is no value.

    A word or two may be a value as well; they are none where the request says that they name a section.
    """
    quoted = [m for m in request.mentions if m.kind == "quoted" and _is_title(m, request)]
    if not quoted:
        return request
    titles = {_bare(spelling) for heading in headings for spelling in _spellings(heading)} - {""}
    gone = [m for m in quoted if _bare(m.value) in titles]
    return replace(request, mentions=tuple(m for m in request.mentions if m not in gone))


def titles(program: EntryPoint, command: Command, request: Request) -> Iterator[tuple[str, int]]:
    """Options with the position of each name that is but a title of what is documented, and of all that stands in one that the request
    says as it is.

    A title of one word may be a value, if the command has none. What the document leaves open may be in its own heading.
    """
    said = headings_at(command.headings, request)
    bare = {_bare(heading) for heading in command.headings}
    given = {i.option.name: i.values for i in parse_arguments(program, command.arguments, command.source) if i.option and i.values}
    waiting = {name for name, values in given.items() if any(is_open(value, command) for value in values)}
    for mention in request.mentions:
        if mention.position in said:
            yield from ((option.name, mention.position) for option in program.options if option.name not in waiting)
        elif mention.kind in ("name", "identifier") and _bare(mention.value) in bare:
            yield from ((name, mention.position) for name in given)


def is_named(command: Command, request: Request) -> bool:
    """Whether the request says the heading above the command, or the one above that, as it is."""
    return bool(headings_at(command.headings[-_NEAREST:], request))


def headings_at(headings: Iterable[str], request: Request) -> frozenset[int]:
    """The tokens that are one of the headings, see `heading_at`."""
    return frozenset(at for heading in headings for at in heading_at(heading, request))


def heading_at(heading: str, request: Request) -> tuple[int, ...]:
    """The tokens that are the heading as it is. One of a word or two may be the name of something else, unless the request says that it
    is a section's."""
    for spelling in dict.fromkeys(_spellings(heading)):
        for place in _places(spelling, request.text) if spelling else ():
            found = request.between(*place)
            longer = any(t.kind == "quoted" and _bare(t.text) != _bare(spelling) for t in (request.tokens[at] for at in found))
            if found and not longer and (_speaks(spelling) or _is_of_a_section(found[0], found[-1], request)):
                return found
    return ()


@lru_cache(maxsize=1 << 14)
def _places(heading: str, text: str) -> tuple[tuple[int, int], ...]:
    words = heading.split()
    if words[0].lower() not in text.lower():
        return ()
    pattern = r"\s+".join(map(re.escape, words))
    return tuple(m.span() for m in re.finditer(rf"(?<![A-Za-z0-9_]){pattern}(?![A-Za-z0-9_])", text, re.IGNORECASE))


def _speaks(heading: str) -> bool:
    return len(heading.split()) >= _WORDS or _WITHOUT_SPACES.search(heading) is not None


@lru_cache(maxsize=1 << 14)
def _spellings(heading: str) -> tuple[str, str]:
    heading = heading.replace("`", "").replace("*", "")
    return _EDGES.sub("", heading.strip()), _EDGES.sub("", _ASIDE.sub("", heading).strip())


def _bare(heading: str) -> str:
    return re.sub(r"[\W_]", "", heading).lower()


def _is_title(mention: Mention, request: Request) -> bool:
    return _speaks(mention.value) or _is_of_a_section(mention.position, mention.position, request)


def _is_of_a_section(first: int, last: int, request: Request) -> bool:
    around = (*request.tokens[max(0, first - 2) : first], *request.tokens[last + 1 : last + 2])
    return not _OF_SECTIONS.isdisjoint(t.text.lower() for t in around)
