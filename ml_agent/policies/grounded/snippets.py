"""Python answers: the documented snippet closest to the request, with its literals replaced."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ml_agent.policies.grounded.affinity import Surroundings, name_words
from ml_agent.policies.grounded.evidence import NameIndex, language_asked, leans_to_python
from ml_agent.policies.grounded.fill import Families
from ml_agent.policies.grounded.flows import Snippet
from ml_agent.policies.grounded.literals import Literal, literals_of, replace
from ml_agent.policies.grounded.request import Mention, Request, squeeze, unused_words
from ml_agent.repo.lexical import split_identifier, stem
from ml_agent.task import Answer, Evidence


@dataclass(frozen=True, slots=True)
class RankedSnippet:
    score: float
    snippet: Snippet
    answer: Answer
    left: tuple[Mention, ...]
    features: dict[str, float]


def rank_snippets(
    snippets: Sequence[Snippet], retrieved: Mapping[tuple[str, int], float], own: frozenset[str], families: Families, request: Request
) -> list[RankedSnippet]:
    """All snippets adapted to the request, best first. `retrieved`: (path, line) of a block -> score; `own`: its modules."""
    around, leaning = Surroundings(request), 0.8 * leans_to_python(request) + language_asked(request)
    names = NameIndex([_names(s) for s in snippets])
    found = []
    for position, snippet in enumerate(snippets):
        score = max(retrieved.get((b.path, b.line), 0.0) for b in snippet.blocks)
        named = names.match(position, request)
        adapted = adapt(snippet, request, around, named.positions, families)
        uses = any(name.split(".")[0] in own for name in snippet.imported)
        features = {
            "retrieved": 1.5 * score,
            "named": min(3.0, named.score),
            "filled": 0.8 * adapted.score,
            "own": 0.6 if uses else -1.2,
            "undefined": -0.8 if snippet.undefined else 0.0,
            "leaning": leaning,
            "words": _overlap(snippet, request),
        }
        found.append(RankedSnippet(sum(features.values()), snippet, adapted.answer, adapted.left, features))
    found.sort(key=lambda r: (-r.score, r.snippet.block.path, r.snippet.block.line))
    return found


def _names(snippet: Snippet) -> list[str]:
    headings = list(snippet.block.headings[-2:])
    bare = [re.sub(r"^[\d.\s]+|\busage\b|\([^()]*\)", "", h, flags=re.IGNORECASE) for h in headings]
    strings = [n.value for n in ast.walk(snippet.tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and len(n.value) < 60]
    return [*headings, *bare, *(i.rsplit(".", 1)[-1] for i in snippet.imported), *strings]


def _overlap(snippet: Snippet, request: Request) -> float:
    """How much of the heading and the lead-in the request says, by words."""
    words = {stem(w) for h in snippet.block.headings[-2:] for w in split_identifier(h) if len(w) > 2}
    return 0.8 * len(words & request.stems) / len(words) if words else 0.0


@dataclass(frozen=True, slots=True)
class Adapted:
    score: float
    answer: Answer
    placed: int
    left: tuple[Mention, ...]


def adapt(snippet: Snippet, request: Request, around: Surroundings, used: frozenset[int], families: Families = ()) -> Adapted:
    """The snippet with the request's values in the place of its literals."""
    literals = literals_of(snippet.tree, snippet.code)
    mentions = [m for m in request.mentions if m.position not in used or m.kind in ("shape", "path", "number", "quoted", "identifier")]
    pairs = _relatives(literals, families, request)
    places, said = {literal.start for _, literal, _ in pairs}, {mention.position for mention, _, _ in pairs}
    pairs += _assign([m for m in mentions if m.position not in said], [x for x in literals if x.start not in places], around)
    where = f"{snippet.block.path}:{snippet.block.line}"
    evidence = [Evidence(snippet.code.strip().splitlines()[0] if snippet.code.strip() else "", None, where)]
    changes: list[tuple[Literal, str]] = []
    score, placed = 0.0, set()
    for mention, literal, strength in pairs:
        text = literal.render(mention.value)
        changes.append((literal, text))
        evidence.append(Evidence(text, mention.words, where))
        placed.add(mention.position)
        score += strength
    left = tuple(m for m in request.mentions if m.position not in placed and m.position not in used)
    score -= sum({"number": 0.6, "shape": 0.6, "path": 0.5, "quoted": 0.3, "identifier": 0.3}.get(m.kind, 0.0) for m in left)
    return Adapted(
        score, Answer("python", replace(snippet.code, changes), ".", tuple(evidence), unused_words(request, left)), len(placed), left
    )


def _relatives(literals: Sequence[Literal], families: Families, request: Request) -> list[tuple[Mention, Literal, float]]:
    """Strings that are one of an option's choices, where the request says another of them."""
    found: list[tuple[Mention, Literal, float]] = []
    for literal in literals:
        for family in families:
            said = [(v, span) for v in sorted(family) if literal.text in family and (span := request.grams.get(squeeze(v)))]
            if literal.kind == "string" and len(said) == 1:
                value, (first, last) = said[0]
                found.append((Mention(value, "name", last, request.span(first, last)), literal, 0.9))
                break
    return found


def _assign(mentions: Sequence[Mention], literals: Sequence[Literal], around: Surroundings) -> list[tuple[Mention, Literal, float]]:
    if not mentions or not literals:
        return []
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    scores = np.array([[_score(m, x, around) for x in literals] for m in mentions])
    rows, columns = linear_sum_assignment(-np.maximum(scores - 0.45, 0.0))
    return [(mentions[i], literals[j], float(scores[i, j])) for i, j in zip(rows, columns, strict=True) if scores[i, j] >= 0.45]


def _score(mention: Mention, literal: Literal, around: Surroundings) -> float:
    suits = literal.suits(mention)
    if suits == 0.0:
        return 0.0
    same = squeeze(mention.value) == squeeze(literal.text)
    if same and mention.kind != "number":
        return 1.0
    words = tuple(w for name in literal.names for w in name_words(name))
    affinity = around.score(words, mention.position)[0] if words else 0.0
    return min(1.0, 0.65 * suits + 0.45 * affinity + 0.05 * same) if suits >= 0.5 or affinity >= 0.4 else 0.0
