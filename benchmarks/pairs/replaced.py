"""Values of requests with the literals of a snippet that they might replace, and the ones that they do, by the ground truth."""

import re
from collections.abc import Sequence

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.pairs.labelled import Choice, Labelled, by_row, together
from ml_agent.benchmarks.scorers.python_program import Program, compiles, readable_part
from ml_agent.policies.grounded.literals import Literal, literals_of
from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.policies.grounded.replacing import WeighedLiterals
from ml_agent.policies.grounded.request import Mention, squeeze
from ml_agent.repo.pysource import parse_python

_TRIED = 6
"""Proposals, the best, among which the snippet is sought."""
_PART, _LONGER = 2, 2.2
"""Characters that a value must have at least to be found in a longer text, and how many times longer that may be."""


def labelled_literals(sample: Sample, proposals: Sequence[Proposal]) -> Labelled | None:
    """By the best of the snippets that use what the ground truth uses; None if there is none, or the ground truth is no Python."""
    code = readable_part(sample.output)
    if not code:
        return None
    own = Program(code).packages()
    weighed = next((p.weighed for p in proposals[:_TRIED] if isinstance(p.weighed, WeighedLiterals) and _uses(p.answer.code, own)), None)
    if weighed is None:
        return None
    return _label(sample, weighed, literals_of(parse_python(code), code))


def _uses(code: str, packages: set[str]) -> bool:
    return compiles(code) and (not packages or Program(code).calls(packages))


def _label(sample: Sample, weighed: WeighedLiterals, truth: Sequence[Literal]) -> Labelled:
    import numpy as np

    choices = []
    for i, at in by_row(weighed.pairs[0]).items():
        mention, literals = weighed.mentions[i], [weighed.literals[weighed.pairs[1][k]] for k in at]
        right = [any(_is_there(mention, literal, other) for other in truth) for literal in literals]
        names = tuple(str(literal.start) for literal in literals)
        choices.append(Choice(sample.key, sample.repository, mention.kind, names, weighed.features[at], np.array(right)))
    return together(choices)


def _is_there(mention: Mention, literal: Literal, other: Literal) -> bool:
    """Whether the ground truth has the value in a place of the same name as the snippet's literal."""
    unnamed = not (literal.names and other.names) and bool(literal.call) and literal.call == other.call
    return literal.kind == other.kind and (unnamed or not set(literal.names).isdisjoint(other.names)) and _says(other, mention)


def _says(literal: Literal, mention: Mention) -> bool:
    value = mention.value
    if literal.kind == "shape":
        return [p for p in re.split(r"[^\w.-]+", value) if p] == literal.text.split(",")
    if literal.kind == "number":
        try:
            return float(value) == float(literal.text)
        except ValueError:
            return False
    said, there = squeeze(value), squeeze(literal.text)
    return said == there or (len(value) > _PART and said in there and len(literal.text) < _LONGER * len(value))
