"""Two numbers that are the ends of a range, for the two options that take them: `from -5 to 5` for --v-min and --v-max."""

from collections.abc import Collection, Iterator, Sequence

from ml_agent.policies.grounded.bindings import Binding
from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.request import Request
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.lexical import STOPWORDS, split_identifier, stem

_ENDS = (("min", "max"), ("minimum", "maximum"), ("start", "end"), ("begin", "end"), ("low", "high"), ("lower", "upper"), ("first", "last"))
_SAID = {"from": ("to", "through", "until"), "between": ("and",)}
_REACH = 8
"""Tokens around the numbers that say what they are of."""


def range_bindings(program: EntryPoint, request: Request) -> Iterator[Binding]:
    """Of several pairs of options, the one of which the request says most; none if there are several of these."""
    pairs = list(_pairs([o for o in program.options if o.takes_value and not o.positional]))
    numbers = {m.position: m.value for m in request.mentions if m.kind == "number"} if pairs else {}
    for first, value in numbers.items():
        last = first + 2
        words = [t.text.lower() for t in request.tokens[max(0, first - 2) : first]]  # `from 3`, `from epoch 3`
        between = request.tokens[first + 1].text.lower() if last in numbers else ""
        if not any(between in _SAID.get(word, ()) for word in words):
            continue
        near = frozenset(word for word, at in request.words if abs(at - first) <= _REACH)
        said = [(_said(rest, ends[0], near), ends) for rest, ends in pairs]
        most = max(count for count, _ in said)
        best = [ends for (rest, ends), (count, _) in zip(pairs, said, strict=True) if count == most and (count > 0 or not rest)]
        if len(best) == 1:
            yield Binding(best[0][0].name, value, request.span(first, last), (first,))
            yield Binding(best[0][1].name, numbers[last], request.span(first, last), (last,))


def _said(words: Sequence[str], option: Option, near: Collection[str]) -> float:
    """How many words of a name are said; one that its help explains it by counts half."""
    named = sum(any(p[0] in near for p in phrases_for(word) if len(p) == 1) for word in words)
    return named + 0.5 * any(stem(word) in near for word in split_identifier(option.help) if word not in STOPWORDS and len(word) > 2)


def _pairs(options: Sequence[Option]) -> Iterator[tuple[list[str], tuple[Option, Option]]]:
    """The other words of their names, and two options that differ in which end they are."""
    words = {o.name: list(name_words(o.name)) for o in options}
    for low, high in _ENDS:
        for one in (o for o in options if low in words[o.name]):
            wanted = [high if w == low else w for w in words[one.name]]
            for other in (o for o in options if words[o.name] == wanted):
                yield [w for w in words[one.name] if w != low], (one, other)
