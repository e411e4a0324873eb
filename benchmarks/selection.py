"""Which samples of a suite: the expression of --only.

Conditions are joined by `and`, groups of them by `or` or a comma. A condition is FIELD=PATTERN, FIELD!=PATTERN, or PATTERN alone, which is
for the key; FIELD is key, repository or language; PATTERN has the wildcards of file names, case does not count.

    3/*                      key begins with 3/
    repository=tinynets and language=python
    1/7, 1/8
"""

import re
from collections.abc import Callable
from fnmatch import fnmatchcase

from ml_agent.benchmarks.base import Sample, Suite
from ml_agent.errors import UsageError

FIELDS = ("key", "repository", "language")
_CONDITION = re.compile(r"(?:(\w+)\s*(!?=)\s*)?(\S+)")

_Test = Callable[[Sample], bool]


def choose(suite: Suite, only: str) -> tuple[Sample, ...]:
    """The samples that fit, in the order of the suite; all if `only` is empty. Raises UsageError if it is no expression or fits none."""
    if not only.strip():
        return suite.samples
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
