"""What parts the fields of a file, said in words: `separated by semicolons`, `a tab-separated table`."""

import re
from collections.abc import Iterator, Sequence

from ml_agent.policies.grounded.bindings import Binding
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Request
from ml_agent.repo.entrypoints import Option

_SIGNS = {"comma": ",", "semicolon": ";", "semi-colon": ";", "tab": "\t", "space": " ", "blank": " ", "pipe": "|", "colon": ":"}
_NAMED = "|".join(_SIGNS)
_SAID = re.compile(
    rf"\b({_NAMED})s?[- ](?:separated|delimited)\b|\b(?:separated|delimited|split|parted) (?:by|with|at) (?:an? )?({_NAMED})s?\b",
    re.IGNORECASE,
)
_TAKES = frozenset({"sep", "separator", "delimiter", "delim"})


def separator_bindings(options: Sequence[Option], request: Request) -> Iterator[Binding]:
    """The sign, for each option that is called by what it does."""
    said = _SAID.search(request.text)
    for option in options:
        if said and option.takes_value and name_words(option.name)[-1:] and name_words(option.name)[-1] in _TAKES:
            sign = _SIGNS[(said[1] or said[2]).lower()]
            yield Binding(option.name, sign, said.group(), request.between(*said.span()))
