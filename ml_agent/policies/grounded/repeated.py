"""What else changes in a snippet with its literals: the same name elsewhere, and the documented texts beside the request's own."""

from collections.abc import Iterator, Sequence

from ml_agent.policies.grounded.edits import outside
from ml_agent.policies.grounded.kinds import extension, file_kind
from ml_agent.policies.grounded.knowledge import is_distinctive
from ml_agent.policies.grounded.literals import Literal

_SHORTEST = 4
"""Letters of a name that stands in several places for one thing."""


def said_again(changes: Sequence[tuple[Literal, str]], literals: Sequence[Literal]) -> Iterator[tuple[Literal, str]]:
    """The other places of a name or a file that was replaced: `load("owl-b")` and `tokenizer_of("owl-b")` change together."""
    new = {x.text: text for x, text in changes if x.kind == "string" and x.end > x.start and text[:1] in "'\""}
    for literal in outside(changes, literals):
        if literal.text in new and (_is_name(literal) or (extension(literal.text) and file_kind(literal.text) is not None)):
            yield literal, new[literal.text]


def once(literals: Sequence[Literal]) -> list[Literal]:
    """The literals without the further places of a name, which stands for one thing wherever it stands."""
    first: dict[str, int] = {}
    names = [x for x in literals if _is_name(x)]
    for literal in names:
        first.setdefault(literal.text, literal.start)
    return [x for x in literals if not _is_name(x) or first[x.text] == x.start]


def _is_name(literal: Literal) -> bool:
    named = literal.kind == "string" and len(literal.text) >= _SHORTEST and " " not in literal.text
    return named and is_distinctive(literal.text) and file_kind(literal.text) is None and any(c.isdigit() for c in literal.text)


def own_texts(changes: Sequence[tuple[Literal, str]], literals: Sequence[Literal]) -> list[tuple[Literal, str]]:
    """The changes, with each list of sentences of which some were replaced holding those alone: the others were the document's."""
    found = list(changes)
    for span in {x.texts for x, _ in changes if x.texts != (0, 0)}:
        members = [x for x in literals if x.texts == span]
        mine = sorted((x.start, text) for x, text in changes if x.texts == span)
        if 0 < len(mine) < len(members) and all(" " in x.text.strip() for x in members):
            found = [(x, text) for x, text in found if x.texts != span]
            found.append((Literal("texts", "", *span, members[0].names), ", ".join(text for _, text in mine)))
    return found


def without_value(pairs: Sequence[tuple[object, Literal, float]], literals: Sequence[Literal]) -> list[Literal]:
    """The literals that have no value yet."""
    have = {literal.start for _, literal, _ in pairs}
    return [x for x in literals if x.start not in have]
