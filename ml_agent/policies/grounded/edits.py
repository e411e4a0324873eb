"""Changes of a snippet's literals: which of them reach over others, and the code with all of them made."""

from collections.abc import Sequence

from ml_agent.policies.grounded.literals import Literal


def outside(changes: Sequence[tuple[Literal, str]], literals: Sequence[Literal]) -> list[Literal]:
    """The literals that no change reaches over."""
    taken = [(literal.start, literal.end) for literal, _ in changes]
    return [x for x in literals if not any(start <= x.start < end for start, end in taken)]


def reaches_over(literal: Literal, changes: Sequence[tuple[Literal, str]]) -> bool:
    return any(x.start < literal.end and literal.start < x.end for x, _ in changes)


def replace(code: str, changes: Sequence[tuple[Literal, str]]) -> str:
    """The code with each literal replaced, everything else byte for byte."""
    for literal, text in sorted(changes, key=lambda c: -c[0].start):
        code = code[: literal.start] + text + code[literal.end :]
    return code
