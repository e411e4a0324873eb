"""Values that a request names only to say that they are not wanted: `20 steps instead of 10`, `from 10 to 20`."""

from collections.abc import Iterator, Sequence

from ml_agent.policies.grounded.tokens import Token

_AS_IT_WAS = frozenset(
    "the a an usual customary default standard documented ordinary common original current previous old its their".split()
)
"""Words before what is there without being asked for."""
_CHANGES = frozenset(
    "change changed changing switch switched switching move moving raise raised raising increase increased increasing bump "
    "lower lowered lowering decrease decreased decreasing reduce reduced reducing cut cutting drop dropping shorten lengthen extend "
    "extending grow shrink adjust adjusted adjusting modify double doubled halve halved".split()
)
"""What is done to a value that becomes another one; what decays or is swept has both."""
_REACH, _APART = 8, 4
"""Words from such a verb to `from`, and from that to `to`, at most."""


def is_passed_over(tokens: Sequence[Token], position: int) -> bool:
    """`the small owl, not the large`, `20 steps instead of 10`, `10 rather than 20`, and what is left behind."""
    at = position - 1
    while at >= 0 and tokens[at].text.lower() in _AS_IT_WAS:
        at -= 1
    last = [t.text.lower() for t in tokens[max(0, at - 1) : at + 1]]
    if last in (["instead", "of"], ["rather", "than"], ["opposed", "to"]):
        return True
    ends = position + 1 == len(tokens) or tokens[position + 1].kind in ("stop", "comma")
    denied = last[-1:] == ["not"] and at > 0 and tokens[at - 1].kind == "comma" and ends
    return denied or (last[-1:] == ["from"] and _becomes(tokens, at, position) is not None)


def changes(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The tokens of each value that another one takes the place of, and of that: `from ptb to the text8 dataset`."""
    for at, token in enumerate(tokens[:-1]):
        if token.text.lower() != "from":
            continue
        first = next((k for k in range(at + 1, min(len(tokens), at + _APART)) if tokens[k].text.lower() not in _AS_IT_WAS), at)
        if (last := _becomes(tokens, at, first)) is not None:
            yield first, last


def _becomes(tokens: Sequence[Token], at: int, position: int) -> int | None:
    """Where the second of two values is: `raise the batch size from 16 to 32`. `at`: of `from`. Files are moved for other reasons."""
    before = [t.text.lower() for t in tokens[max(0, at - _REACH) : at]]
    behind = range(position + 1, min(len(tokens) - 1, position + 1 + _APART))
    to = next((k for k in behind if tokens[k].text.lower() == "to"), None)
    if to is None or _CHANGES.isdisjoint(before) or any(t.kind == "stop" for t in tokens[position:to]):
        return None
    last = next((k for k in range(to + 1, min(len(tokens), to + _APART)) if not tokens[k].filler), to)
    alike = (tokens[position].kind == "number") == (tokens[last].kind == "number")
    return last if alike and "/" not in tokens[position].text else None
