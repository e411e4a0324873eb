"""A conditional logit with a ridge: each value chooses one option or none (McFadden 1974), fitted by L-BFGS."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ml_agent.benchmarks.pairs.labelled import Choice, Labelled
from ml_agent.policies.grounded.choosing import assignment
from ml_agent.policies.grounded.pairing import LEAST, log_odds
from ml_agent.policies.grounded.weights import CLASSES, KINDS, Weights

if TYPE_CHECKING:
    from numpy.typing import NDArray

RIDGE = 80.0
"""What the squares of the weights of standardised features cost. Chosen by the figures on repositories left out."""
_RIDGE_OF_BIAS = 0.1
"""The part of it that the weights of no option cost."""
FOLDS = 10


def fit(choices: Sequence[Choice], ridge: float = RIDGE) -> Weights:
    """The weights that make the right choices likeliest."""
    import numpy as np
    from scipy.optimize import minimize

    raw = np.vstack([c.features for c in choices])
    sizes = np.array([len(c.options) for c in choices])
    each = np.repeat(np.arange(len(choices)), sizes)
    classes = np.array([CLASSES[c.kind] for c in choices])[each]
    wide = np.hstack([raw, *(raw * (classes == k)[:, None] for k in range(max(CLASSES.values()) + 1))])
    middle, spread = wide.mean(0), wide.std(0) + 1e-6
    x = (wide - middle) / spread
    kinds = np.array([[float(c.kind == kind) for kind in KINDS] for c in choices])
    right = np.concatenate([c.right for c in choices]).astype(float)
    starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
    some = np.add.reduceat(right, starts) > 0
    count = x.shape[1]

    def loss(w: "NDArray[Any]") -> "tuple[float, NDArray[Any]]":
        pairs, none = x @ w[:count], kinds @ w[count:]
        top = np.maximum(np.maximum.reduceat(pairs, starts), none)
        odds, odds_none = np.exp(pairs - top[each]), np.exp(none - top)
        total = np.add.reduceat(odds, starts) + odds_none
        chosen = np.where(some, np.add.reduceat(odds * right, starts), odds_none)
        cost = -np.log(chosen / total + 1e-300).sum() + 0.5 * ridge * ((w[:count] ** 2).sum() + _RIDGE_OF_BIAS * (w[count:] ** 2).sum())
        slope = odds / total[each] - np.where(some[each], odds * right / np.where(chosen == 0, 1.0, chosen)[each], 0.0)
        slope_none = odds_none / total - np.where(some, 0.0, 1.0)
        return cost, np.concatenate([x.T @ slope + ridge * w[:count], kinds.T @ slope_none + _RIDGE_OF_BIAS * ridge * w[count:]])

    w = minimize(loss, np.zeros(count + len(KINDS)), jac=True, method="L-BFGS-B", options={"maxiter": 400}).x
    plain = w[:count] / spread
    return Weights(plain.reshape(-1, raw.shape[1]), {k: float(b + plain @ middle) for k, b in zip(KINDS, w[count:], strict=True)})


@dataclass(frozen=True, slots=True)
class Figures:
    """Options that some value belongs to and that got it, and tasks where all did; what was given to an option that wants no such."""

    wanted: int
    right: int
    tasks: int
    whole: int
    wrong: int

    def __str__(self) -> str:
        return (
            f"values {self.right}/{self.wanted} {100 * self.right / max(1, self.wanted):.1f} %, "
            f"tasks {self.whole}/{self.tasks} {100 * self.whole / max(1, self.tasks):.1f} %, given elsewhere {self.wrong}"
        )


def left_out(tasks: Sequence[Labelled], ridge: float = RIDGE) -> "Iterator[tuple[Labelled, list[NDArray[Any]]]]":
    """Each task with the log odds of its choices, by weights fitted without its repository and a tenth of the others."""
    repositories = sorted({c.repository for t in tasks for c in t.choices})
    for k in range(FOLDS):
        fold = set(repositories[k::FOLDS])
        inside = [t for t in tasks if t.choices and t.choices[0].repository in fold]
        weights = fit([c for t in tasks for c in t.choices if c.repository not in fold], ridge)
        yield from judged(inside, weights)


def judged(tasks: Sequence[Labelled], weights: Weights) -> "Iterator[tuple[Labelled, list[NDArray[Any]]]]":
    """Each task with the log odds of its choices."""
    return ((t, [log_odds(c.features, [c.kind] * len(c.options), weights) for c in t.choices]) for t in tasks)


def figures(tasks: "Iterable[tuple[Labelled, list[NDArray[Any]]]]", least: Mapping[str, float] = LEAST) -> Figures:
    """What comes of such odds when each value goes to one option at most and each option takes one."""
    import numpy as np

    wanted = right = whole = wrong = count = 0
    for task, odds in tasks:
        count += 1
        names = sorted({o for c in task.choices for o in c.options})
        table = np.full((len(odds), len(names)), -np.inf)
        fits = np.zeros(table.shape, bool)
        for i, (choice, row) in enumerate(zip(task.choices, odds, strict=True)):
            at = [names.index(o) for o in choice.options]
            table[i, at], fits[i, at] = row - least[choice.kind], choice.right
        given = {names[j]: bool(fits[i, j]) for i, j in assignment(table)}
        got = sum(given.get(o, False) for o in task.wanted)
        wanted, right = wanted + len(task.wanted), right + got
        whole += got == len(task.wanted)
        wrong += sum(not ok for ok in given.values())
    return Figures(wanted, right, count, whole, wrong)
