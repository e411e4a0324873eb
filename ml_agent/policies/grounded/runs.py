"""Numbers that a request writes in one go, and the parameters that take several."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.repo.callables import Taken
from ml_agent.repo.entrypoints import Option

LISTS = re.compile(r"^[\[(]|^(?:typing\.)?(?:List|Tuple|Sequence|Iterable|list|tuple)\b")
HINTS = {"one": "1", "single": "1", "half": "0.5", "half-width": "0.5"}
"""Words that are numbers in front of what they count; elsewhere they are none."""


_TEXTS = re.compile(r"(?:(?:typing\.)?Optional\[)?(?:typing\.)?(?:List|Sequence|Iterable|list)\[(?:str|Path|os\.PathLike)\b")
REPEATS = 8
"""How often a number is repeated at most: `five groups of 3 each`."""


def is_list(taken: Taken) -> bool:
    """Whether it takes several numbers."""
    return not takes_texts(taken) and bool(LISTS.match(taken.default or "") or LISTS.match(taken.annotation or ""))


def takes_texts(taken: Taken) -> bool:
    """Whether it takes several texts: by its type, or, where it has none and no default but None, by its name."""
    named = taken.annotation is None and taken.default in (None, "None") and re.search(r"(?:file|path|name|text|word)s?_list$", taken.name)
    return bool(named or _TEXTS.match(taken.annotation or ""))


def place_runs(
    lists: Sequence[tuple[int, Taken, Option]], request: Request, around: Surroundings
) -> list[tuple[int, Taken, list[Mention]]]:
    """Numbers that are written in one go go to parameters that take several: by name, by length, each once."""
    scored = []
    for run in number_runs(request):
        for number, (position, taken, option) in enumerate(lists):
            ends = {run[0].position, run[-1].position}
            near = max(around.score(name_words(option.name), at)[0] for at in ends)
            stems = [w.rstrip("s") for w in name_words(option.name) if len(w) > 4]
            spoken = [t.text.lower() for t in request.tokens[max(0, run[0].position - 3) : run[0].position]]
            if any(s.startswith(w) for w in stems for s in spoken):
                near = max(near, 0.6)  # `mults` and `multipliers`
            helped = max(around.help_score(taken.help, at) for at in ends) if taken.help else 0.0
            known = taken.default and taken.default[0] in "[("
            same = known and (taken.default or "").count(",") + 1 == _length(run)
            score = max(near, helped + 0.1) + (0.3 if same else 0.0)
            if score >= (0.3 if same else 0.4):
                scored.append((score, -number, run[0].position, position, taken, run))
    scored.sort(key=lambda s: s[:3], reverse=True)
    found: list[tuple[int, Taken, list[Mention]]] = []
    places, starts = set(), set()
    for _, number, start, position, taken, run in scored:
        if number not in places and start not in starts:
            places.add(number)
            starts.add(start)
            found.append((position, taken, run))
    return found


def _length(run: Sequence[Mention]) -> int:
    return len(run) if len(run) > 1 else run[0].value.strip("()[],").count(",") + 1


def number_runs(request: Request) -> list[list[Mention]]:
    """Shapes, and at least two numbers with nothing but commas, `and`, `x` or `/` between them."""
    found: list[list[Mention]] = []
    run: list[Mention] = []
    for mention in request.mentions:
        if mention.kind == "shape":
            found.append([mention])
        if mention.kind != "number" or mention.words.lower() in HINTS:
            continue
        if run and all(
            t.kind == "comma" or t.text.lower() in ("and", "x", "then") for t in request.tokens[run[-1].position + 1 : mention.position]
        ):
            run.append(mention)
            continue
        found.append(run)
        run = [mention]
    together = [_of_one_noun(r, request) for r in [*found, run]]
    return [r for r in [*together, *_repeated(request), *_ranges(request)] if len(r) > 1 or (r and r[0].kind == "shape")]


def _of_one_noun(run: list[Mention], request: Request) -> list[Mention]:
    """`width 64, 3 layers`: two numbers with nothing but a comma between them, each with its own noun, are no run.

    Of more, `widths 8, 16, 32, 3 layers`, the last one is none of them.
    """
    if len(run) < 2 or any(t.kind != "comma" for t in request.tokens[run[-2].position + 1 : run[-1].position]):
        return run
    before = [t for t in request.tokens[max(0, run[0].position - 2) : run[0].position] if t.text.lower() not in ("of", "at", "by")][-1:]
    behind = [t for t in request.tokens[run[-1].position + 1 : run[-1].position + 3] if t.kind == "word"]
    named = [t for t in (*before, *behind[:1]) if t.says_something]
    apart = len(named) == 2 and any(t.text.endswith("s") for t in behind)
    return run[:-1] if apart else run


def _ranges(request: Request) -> list[list[Mention]]:
    """`one to three words`: the ends of a range."""
    numbers = {m.position: m for m in request.mentions if m.kind == "number" and m.value.isdigit()}
    found = []
    for position, last in numbers.items():
        word = request.tokens[position - 2].text if position > 1 else ""
        first = numbers.get(position - 2)
        if first is None and word.lower() == "one":
            first = Mention(HINTS["one"], "number", position - 2, word)
        if first is not None and request.tokens[position - 1].text.lower() == "to" and int(first.value) < int(last.value):
            found.append([first, last])
    return found


def _repeated(request: Request) -> list[list[Mention]]:
    """`two hidden layers of 64`: 64, 64. `five groups of 3 values each`: 3, 3, 3, 3, 3."""
    numbers = [m for m in request.mentions if m.kind == "number" and m.value.isdigit()]
    found = []
    for count, size in pairwise(numbers):
        between = [t.text.lower() for t in request.tokens[count.position + 1 : size.position]]
        if len(request.run(size)) > 1:
            continue  # `three hidden layers of 128, 64 and 32`
        if 2 <= int(count.value) <= REPEATS and 2 <= len(between) <= 3 and between[-1] == "of" and between[-2].endswith("s"):
            found.append([replace(count, value=size.value), *[size] * (int(count.value) - 1)])
    return found
