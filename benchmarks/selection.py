"""Which samples of a suite: the expression of --only, and the stratified sample of --sample.

Conditions are joined by `and`, groups of them by `or` or a comma. A condition is FIELD=PATTERN, FIELD!=PATTERN, or PATTERN alone, which is
for the key; FIELD is key, repository or language; PATTERN has the wildcards of file names, case does not count.

    3/*                      key begins with 3/
    repository=tinynets and language=python
    1/7, 1/8
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase

from ml_agent.benchmarks.base import Sample, Suite
from ml_agent.errors import UsageError

FIELDS = ("key", "repository", "language")
_CONDITION = re.compile(r"(?:(\w+)\s*(!?=)\s*)?(\S+)")

_Test = Callable[[Sample], bool]


def choose(suite: Suite, only: str, number: int = 0) -> tuple[Sample, ...]:
    """The samples that fit, in the order of the suite; all if `only` is empty. Raises UsageError if it is no expression or fits none.

    With a `number`, so many of them, stratified by repository and language: see `stratified`.
    """
    fitting = _fitting(suite, only) if only.strip() else suite.samples
    return stratified(fitting, number) if number else fitting


def stratified(samples: Sequence[Sample], number: int) -> tuple[Sample, ...]:
    """`number` of the samples, in their order; each repository and language has its share (largest remainders), and one at least.

    Which ones of a stratum is decided by the SHA-256 of their keys: the same ones everywhere, and a larger sample holds the smaller one's
    but where shares change. Raises UsageError if there are more strata than `number`.
    """
    strata: dict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in sorted(samples, key=lambda sample: hashlib.sha256(sample.key.encode()).digest()):
        strata[sample.repository, sample.language].append(sample)
    if number >= len(samples):
        return tuple(samples)
    if number < len(strata):
        raise UsageError(f"--sample {number}: there are {len(strata)} pairs of a repository and a language, give that many or more")
    shares = {stratum: number * len(members) / len(samples) for stratum, members in strata.items()}
    taken = {stratum: max(1, int(share)) for stratum, share in shares.items()}
    while (left := number - sum(taken.values())) != 0:  # one up for the largest remainder, one down for the smallest
        step = 1 if left > 0 else -1
        free = [s for s in sorted(strata) if (taken[s] < len(strata[s]) if step > 0 else taken[s] > 1)]
        taken[max(free, key=lambda s: step * (shares[s] - taken[s]))] += step
    chosen = {sample.key for stratum, members in strata.items() for sample in members[: taken[stratum]]}
    return tuple(sample for sample in samples if sample.key in chosen)


def _fitting(suite: Suite, only: str) -> tuple[Sample, ...]:
    groups = [[_condition(part) for part in re.split(r"\s+and\s+", group.strip())] for group in re.split(r"\s+or\s+|,", only)]
    chosen = tuple(sample for sample in suite.samples if any(all(test(sample) for test in group) for group in groups))
    if not chosen:
        raise UsageError(f"--only {only!r} fits no sample of {suite.name}: `ml-agent bench show {suite.name}` lists them")
    return chosen


def _condition(text: str) -> _Test:
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise UsageError(f"--only: {text!r} is no condition; give a key, or FIELD=PATTERN with FIELD one of {', '.join(FIELDS)}")
    field, sign, pattern = found[1] or "key", found[2] or "=", found[3].lower()
    if field not in FIELDS:
        raise UsageError(f"--only: no field is called {field!r}; there are {', '.join(FIELDS)}")
    return lambda sample: fnmatchcase(str(getattr(sample, field)).lower(), pattern) == (sign == "=")
