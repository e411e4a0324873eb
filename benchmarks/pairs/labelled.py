"""Values of requests with the options that they might belong to, and the ones that they do, by the ground truth."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.scorers.command_words import canonical, read_words
from ml_agent.benchmarks.scorers.commands import Programs, path_of, truth_of
from ml_agent.benchmarks.scorers.wanted import is_asked, same
from ml_agent.policies.grounded.fitting import Candidate
from ml_agent.policies.grounded.pairing import Weighed
from ml_agent.policies.grounded.proposals import Proposal

if TYPE_CHECKING:
    from numpy.typing import NDArray

_VARIABLE = re.compile(r"(?:^|(?<=[\s;&]))([A-Za-z_]\w*)=([^\s;&]+)")
"""Of the environment, set in front of a command."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value with the options that it might belong to."""

    sample: str
    repository: str
    kind: str
    """Of the mention."""
    options: tuple[str, ...]
    features: "NDArray[Any]"
    """[options, number of features]"""
    right: "NDArray[Any]"
    """[options], bool. None is, if the ground truth does not use the value."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """The choices of one task, and the options of its program that some value belongs to."""

    choices: tuple[Choice, ...]
    wanted: frozenset[str]


def labelled(sample: Sample, proposals: Sequence[Proposal], programs: Programs) -> Labelled | None:
    """By the best of the proposals that run the ground truth's program; None if there is none, or no program in the ground truth."""
    truth = truth_of(sample)
    target = path_of(sample.workdir, truth) if truth else None
    weighed = next((p.weighed for p in proposals if p.line and p.line.program.path == target and isinstance(p.weighed, Weighed)), None)
    if truth is None or target is None or weighed is None:
        return None
    need = read_words(truth.words, programs(sample.repository, target))
    named = {option: values for option, values in need.options.items() if is_asked(sample, values)}
    plain = [value for value in need.positionals if is_asked(sample, [value])]
    return together([_choice(sample, weighed, weighed.candidates[i], at, named, plain) for i, at in by_row(weighed.pairs[0]).items()])


def by_row(rows: Sequence[int]) -> dict[int, list[int]]:
    """Row -> which pairs are of it."""
    found: dict[int, list[int]] = {}
    for k, row in enumerate(rows):
        found.setdefault(row, []).append(k)
    return found


def together(choices: Sequence[Choice]) -> Labelled:
    """The choices of one task."""
    return Labelled(tuple(choices), frozenset(o for c in choices for o, right in zip(c.options, c.right, strict=True) if right))


def _choice(
    sample: Sample, weighed: Weighed, candidate: Candidate, at: list[int], named: dict[str, tuple[str, ...]], plain: Sequence[str]
) -> Choice:
    import numpy as np

    options = [weighed.options[weighed.pairs[1][k]] for k in at]
    variables = {name: (value,) for name, value in _VARIABLE.findall(sample.output)}
    right = []
    for option in options:
        spelled = (candidate.mention.value, candidate.known.get(option.name), candidate.spoken.get(option.name))
        given = plain if option.positional else named.get(canonical(option.name, option), variables.get(option.name, ()))
        right.append(any(same(value, one) for value in given for one in spelled if one))
    features = weighed.features[at]
    return Choice(sample.key, sample.repository, candidate.mention.kind, tuple(o.name for o in options), features, np.array(right))
