"""Python answers: the documented snippet closest to the request, with its literals replaced."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields

from ml_agent.policies.grounded.about import class_names, excess, names_of, said_of_heading
from ml_agent.policies.grounded.adapting import Adapted, adapt
from ml_agent.policies.grounded.additions import by_name, positional
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.evidence import NameIndex, leaning_to_python
from ml_agent.policies.grounded.flows import Snippet
from ml_agent.policies.grounded.folders import NO_FILES, Folders
from ml_agent.policies.grounded.knowledge import Families
from ml_agent.policies.grounded.python_text import with_result
from ml_agent.policies.grounded.replacing import WeighedLiterals
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.siblings import used_names, with_siblings
from ml_agent.policies.grounded.titles import headings_at
from ml_agent.policies.grounded.twins import with_twins
from ml_agent.policies.grounded.uses import taken_apart
from ml_agent.policies.grounded.wishes import read_wishes
from ml_agent.repo.callables import Callee
from ml_agent.task import Answer

COMPLETED = 3
"""Snippets, the best, whose calls get arguments that they do not show."""
REPEATED = 0.6
"""What it costs an answer to be made of what a better one has already."""
_TITLED = 0.8
"""What it counts that the request says the heading above a snippet as it is."""
SEVERAL = 1.0
"""What it costs a snippet to show several uses one after the other."""


@dataclass(frozen=True, slots=True)
class RankedSnippet:
    score: float
    snippet: Snippet
    answer: Answer
    left: tuple[Mention, ...]
    features: dict[str, float]
    weighed: WeighedLiterals | None = None
    """Of the best: which value might replace which literal."""


def rank_snippets(
    snippets: Sequence[Snippet],
    retrieved: Mapping[tuple[str, int], float],
    own: frozenset[str],
    families: Families,
    request: Request,
    callees: Sequence[Callee] = (),
    fitting: Sequence[tuple[float, Callee]] = (),
    spellings: Sequence[str] = (),
    files: Folders = NO_FILES,
) -> list[RankedSnippet]:
    """All snippets adapted to the request, best first. `retrieved`: (path, line) of a block -> score; `own`: its modules.

    `callees`: classes and functions of the repository that snippets call, for arguments that they do not show.
    `fitting`: those that fit the request, with scores, which may stand in the place of others of their module.
    `spellings`: names that the documents spell out. `files`: the repository's.
    """
    snippets, several = taken_apart(snippets, own)
    snippets = [with_twins(s, [*callees, *(c for _, c in fitting)], request) or s for s in snippets]
    shown = frozenset[str]().union(*map(used_names, snippets))
    other = [made for s in snippets if (made := with_siblings(s, fitting, request, shown))]
    snippets, callees = [*other, *snippets], [*callees, *(c for _, c in fitting if other and c.module)]
    around, leaning = Surroundings(request), leaning_to_python(request)
    classes = class_names(snippets, own)
    names, known = NameIndex([names_of(s) for s in snippets]), by_name(callees)
    parameters = positional(callees)
    found = []
    for position, snippet in enumerate(snippets):
        score = max(retrieved.get((b.path, b.line), 0.0) for b in snippet.blocks)
        named = names.match(position, request)
        adapted = adapt(
            snippet, request, around, named.positions, families, parameters=parameters, spellings=spellings, files=files, classes=classes
        )
        uses = any(name.split(".")[0] in own for name in snippet.imported)
        features = {
            "retrieved": 1.5 * score,
            "named": min(3.0, named.score),
            "filled": 0.8 * adapted.score,
            "own": 0.6 if uses else -1.2,
            "leaning": leaning,
            "words": said_of_heading(snippet, request),
            "titled": _TITLED * bool(headings_at(snippet.block.headings[-1:], request)),
            "long": -excess(snippet),
            "program": -1.5 if re.search(r"\badd_argument\(|ArgumentParser\(", snippet.code) else 0.0,
            "front": 0.5 if "/" not in snippet.block.path and not snippet.block.path.endswith(".ipynb") else 0.0,
            "several": -SEVERAL if snippet.code in several else 0.0,
        }
        found.append((RankedSnippet(sum(features.values()), snippet, adapted.answer, adapted.left, features), named.positions))
    found.sort(key=lambda r: (-r[0].score, r[0].snippet.block.path, r[0].snippet.block.line))
    better = [
        _completed(one, adapt(one.snippet, request, around, used, families, known, parameters, spellings, files, classes, closely=True))
        for one, used in found[:COMPLETED]
    ]
    ranked = [*better, *(one for one, _ in found[COMPLETED:])]
    ranked.sort(key=lambda r: (-r.score, r.snippet.block.path, r.snippet.block.line))
    shape = read_wishes(request).shape
    ranked = [replace_fields(r, answer=replace_fields(r.answer, code=with_result(r.answer.code, shape=shape))) for r in ranked]
    return sorted(_repeats(ranked), key=lambda r: -r.score)


def _repeats(ranked: Sequence[RankedSnippet]) -> Iterator[RankedSnippet]:
    """Those that are made of the blocks of a better one, more or fewer of them, come behind what is new."""
    seen: set[tuple[str, int]] = set()
    for one in ranked:
        places = {(b.path, b.line) for b in one.snippet.blocks}
        share = len(places & seen) / len(places)
        seen |= places
        if share > 0:
            yield replace_fields(one, score=one.score - REPEATED * share, features=one.features | {"repeated": -REPEATED * share})
        else:
            yield one


def _completed(one: RankedSnippet, adapted: "Adapted") -> RankedSnippet:
    features = one.features | {"filled": 0.8 * adapted.score}
    return RankedSnippet(sum(features.values()), one.snippet, adapted.answer, adapted.left, features, adapted.weighed)
