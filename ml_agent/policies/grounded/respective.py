"""Values that are said behind each other for names that are said behind each other: `batch size and depth of 64 and 12, respectively`."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ml_agent.policies.grounded.mentions import Mention
from ml_agent.policies.grounded.tokens import Token

_WORD = "respectively"
_BETWEEN = frozenset({",", "and", "&", "or"})
_BEHIND = frozenset({"as", "for", "to"})
"""What stands between the values and the names behind them: `use 64 and 12 as the batch size and depth`."""

Span = tuple[int, int]
"""First token, and the one behind the last."""


def respective(tokens: Sequence[Token], mentions: Sequence[Mention]) -> Mapping[int, Span]:
    """Position of a value -> the tokens that name what it is for."""
    found: dict[int, Span] = {}
    for end, token in enumerate(tokens):
        if token.text.lower() != _WORD:
            continue
        start = next((i + 1 for i in range(end - 1, -1, -1) if tokens[i].text in (".", "!", "?", ";")), 0)
        here = [m.position for m in mentions if start <= m.position < end]
        for chain in _chains(here, tokens):
            names = _names_behind(chain, end, tokens) or _names_before(chain, start, tokens)
            if len(names) == len(chain):
                found.update(zip(chain, names, strict=True))
                break
    return found


def _chains(positions: Sequence[int], tokens: Sequence[Token]) -> list[list[int]]:
    """Values with nothing but commas and `and` between them, two at least, the last ones first."""
    chains: list[list[int]] = [[p] for p in positions[:1]]
    for one, other in pairwise(positions):
        if all(t.text.lower() in _BETWEEN for t in tokens[one + 1 : other]) and other > one + 1:
            chains[-1].append(other)
        else:
            chains.append([other])
    return [chain for chain in reversed(chains) if len(chain) > 1]


def _names_behind(chain: Sequence[int], end: int, tokens: Sequence[Token]) -> list[Span]:
    first = chain[-1] + 1
    if first >= end or tokens[first].text.lower() not in _BEHIND:
        return []
    return _parts(first + 1, end, tokens)


def _names_before(chain: Sequence[int], start: int, tokens: Sequence[Token]) -> list[Span]:
    return _parts(start, chain[0], tokens)[-len(chain) :]


def _parts(start: int, end: int, tokens: Sequence[Token]) -> list[Span]:
    """What commas and `and` part, without empty parts."""
    found: list[Span] = []
    at = start
    for i in range(start, end + 1):
        if i == end or tokens[i].text.lower() in _BETWEEN:
            if any(t.says_something for t in tokens[at:i]):
                found.append((at, i))
            at = i + 1
    return found
