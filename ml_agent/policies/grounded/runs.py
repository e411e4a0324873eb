"""Numbers that a request writes in one go, and the parameters that take several."""

import re
from collections.abc import Sequence

from ml_agent.policies.grounded.affinity import Surroundings, name_words
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.repo.callables import Taken
from ml_agent.repo.entrypoints import Option

LISTS = re.compile(r"^[\[(]|^(?:typing\.)?(?:List|Tuple|Sequence|Iterable|list|tuple)\b")
HINTS = {"one": "1", "single": "1", "half": "0.5", "half-width": "0.5"}
"""Words that are numbers in front of what they count; elsewhere they are none."""


def is_list(taken: Taken) -> bool:
    return bool(LISTS.match(taken.default or "") or LISTS.match(taken.annotation or ""))


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
    return [r for r in [*found, run] if len(r) > 1 or (r and r[0].kind == "shape")]
