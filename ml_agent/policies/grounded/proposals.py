"""All answers that the repository offers for a request, shell and Python together, best first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ml_agent.policies.grounded.compose import Line
from ml_agent.policies.grounded.constructs import rank_constructs
from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.folders import Folders
from ml_agent.policies.grounded.knowledge import Families, choice_families
from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.pairing import Opinions, Weighed
from ml_agent.policies.grounded.programs import Ranked, rank_programs
from ml_agent.policies.grounded.replacing import WeighedLiterals
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.policies.grounded.shown import shown_values
from ml_agent.policies.grounded.snippets import rank_snippets
from ml_agent.policies.grounded.spelled import spelled_names
from ml_agent.policies.grounded.titles import without_headings
from ml_agent.repo.callables import Callee
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
    weighed: Weighed | WeighedLiterals | None = None
    """Which value might belong to which option, or literal of a documented snippet."""
    again: "Callable[[Opinions], Proposal] | None" = None
    """A shell answer with opinions on which value belongs to which option."""

    @property
    def is_variant(self) -> bool:
        """Whether it is a better one with a value at another place."""
        return "otherwise" in self.features


def propose(
    material: Material,
    sections: Sequence[tuple[float, Section]],
    own: frozenset[str],
    request: Request,
    callables: Sequence[tuple[float, Callee]] = (),
    documented: Sequence[Callee] = (),
) -> list[Proposal]:
    """`sections` and `callables` with their scores 0 to 1; `own` the names that can be imported from the repository's root.

    `documented`: classes and functions that documented code uses.
    """
    headings = [h for _, s in sections for h in s.headings] + [h for _, c in material.commands for h in c.headings]
    request = without_headings(request, headings)
    families = choice_families([p for _, p in material.programs])
    material = replace(material, shown=shown_values(s for _, s in sections))
    python = _python(sections, own, families, request, callables, documented, material.folders)
    found = [*_shell(material, families, request), *python]
    found.sort(key=lambda p: -p.score)
    unique: dict[tuple[str, str], Proposal] = {}
    for proposal in found:
        unique.setdefault((proposal.answer.workdir, " ".join(proposal.answer.code.split())), proposal)
    return list(unique.values())


def _shell(material: Material, families: Families, request: Request) -> list[Proposal]:
    return [_of_line(ranked) for ranked in rank_programs(material, families, request)[:KEEP]]


def _of_line(ranked: Ranked) -> Proposal:
    again = ranked.again
    return Proposal(
        ranked.score,
        ranked.line.answer(),
        ranked.line,
        tuple(ranked.filled.left),
        ranked.features,
        ranked.filled.weighed,
        None if again is None else lambda opinions: _of_line(again(opinions)),
    )


def _python(
    sections: Sequence[tuple[float, Section]],
    own: frozenset[str],
    families: Families,
    request: Request,
    callables: Sequence[tuple[float, Callee]],
    callees: Sequence[Callee],
    files: Folders,
) -> list[Proposal]:
    snippets = read_snippets([b for _, s in sections for b in s.blocks])
    scores = {(s.path, b.line): score for score, s in sections for b in s.blocks}
    documented: dict[str, str] = {}
    for snippet in sorted(snippets, key=lambda s: "/" in s.block.path):
        for module, _, name in (full.rpartition(".") for full in snippet.imported):
            documented.setdefault(name, "" if "/" in snippet.block.path else module)
    spellings = spelled_names([s for _, s in sections], [*callees, *(c for _, c in callables)])
    ranked = rank_snippets(snippets, scores, own, families, request, callees, callables, spellings, files)[:KEEP]
    adapted = [Proposal(r.score, r.answer, None, r.left, r.features, r.weighed) for r in ranked]
    written = rank_constructs(callables, documented, families, request)[:KEEP]
    return [*adapted, *(Proposal(r.score, r.answer, None, r.left, r.features) for r in written)]
