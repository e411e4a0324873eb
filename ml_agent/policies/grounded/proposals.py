"""All answers that the repository offers for a request, shell and Python together, best first."""

from collections.abc import Sequence
from dataclasses import dataclass

from ml_agent.policies.grounded.compose import Line
from ml_agent.policies.grounded.fill import Families, choice_families
from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.programs import Material, rank_programs
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.snippets import rank_snippets
from ml_agent.repo.documents import Section
from ml_agent.task import Answer

KEEP = 12
"""Proposals that are kept of each kind."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One possible answer with what it rests on."""

    score: float
    answer: Answer
    line: Line | None
    """The parts of a shell answer, for repairs; None for Python."""
    left: tuple[Mention, ...]
    """What the request mentions and this answer does not place."""
    features: dict[str, float]


def propose(material: Material, sections: Sequence[tuple[float, Section]], own: frozenset[str], request: Request) -> list[Proposal]:
    """`sections` with their retrieval scores 0 to 1; `own` the names that can be imported from the repository's root."""
    families = choice_families([p for _, p in material.programs])
    found = [*_shell(material, families, request), *_python(sections, own, families, request)]
    found.sort(key=lambda p: -p.score)
    unique: dict[tuple[str, str], Proposal] = {}
    for proposal in found:
        unique.setdefault((proposal.answer.workdir, " ".join(proposal.answer.code.split())), proposal)
    return list(unique.values())


def _shell(material: Material, families: Families, request: Request) -> list[Proposal]:
    return [
        Proposal(r.score, r.line.answer(), r.line, tuple(r.filled.left), r.features)
        for r in rank_programs(material, families, request)[:KEEP]
    ]


def _python(sections: Sequence[tuple[float, Section]], own: frozenset[str], families: Families, request: Request) -> list[Proposal]:
    snippets = read_snippets([b for _, s in sections for b in s.blocks])
    scores = {(s.path, b.line): score for score, s in sections for b in s.blocks}
    return [Proposal(r.score, r.answer, None, r.left, r.features) for r in rank_snippets(snippets, scores, own, families, request)[:KEEP]]
