"""What stands right beside a number and says what it is: what it counts, what it is measured in, what it is for."""

import re
from collections.abc import Sequence
from itertools import takewhile

from ml_agent.policies.grounded.tokens import Token

FOR = frozenset({"for", "as"})
"""What stands behind a value, or a list of values, and before what it is for."""
_TAKING = frozenset({"with", "use", "using", ",", "and", "take", "choose", "put", "pick", "(", ";", ":"})
"""What stands before a value that says nothing of it."""
_WHICH = frozenset("first last next only exactly".split())
"""What stands before a number and says which of what it counts."""
_REACH = 6
"""Tokens from a number to the end of what it is for."""
_TOTALS = frozenset("total maximum minimum max min number count sum batch batches run most least course set limit budget".split())
"""What is `of 30 epochs` and no name of a measure."""
_NO_PROGRESS = re.compile(r"(?:[a-z]+ )?[a-z]+s? (?:without|with no|of no|that bring no) (?:an? |any )?(?:improvement|progress|gain)")
_NOT_HELD = frozenset("step time update iteration epoch".split())
"""What is done per step or device, and is no part of a batch."""
_HOLD_A_BATCH = frozenset("gpu device card step iteration batch update node".split())
_LAST = 6
"""Words behind a number in which `per batch` stands."""


def counts_something(tokens: Sequence[Token], position: int) -> bool:
    """Is a number followed by the plural that it counts (`8 gpus`)? Then that, and not what stands before, says what it is."""
    if tokens[position].kind != "number" or position + 1 >= len(tokens):
        return False
    if position and tokens[position - 1].says_something and tokens[position - 1].text.lower() not in _WHICH:
        return False  # `lr 0.3 epochs 3`: the name stands before
    if is_measured(tokens, position):
        return False
    if is_for(tokens, position):
        return True
    word, *further = tokens[position + 1 : position + 3]
    if further and further[0].kind == "word" and word.says_something and not word.text.lower().endswith("s"):
        word = further[0]  # `24 initial channels`
    return word.says_something and len(word.text) > 3 and word.text.lower().endswith("s")


def is_counted(tokens: Sequence[Token], position: int) -> bool:
    """Whether a word is what the number in front of it counts or is for: `30 epochs`, `with 64 for the batch size`."""
    for at in range(position, max(-1, position - _REACH), -1):
        if tokens[at].kind == "number":
            if is_for(tokens, at):
                return True
            break
        if tokens[at].kind != "word":
            break
    return position > 0 and tokens[position].says_something and tokens[position - 1].kind == "number"


def is_for(tokens: Sequence[Token], position: int) -> bool:
    """`use 64 for X`, `with 64 as the X`: what it is for stands behind."""
    before = tokens[position - 1].text.lower() if position else ","
    behind = tokens[position + 1].text.lower() if position + 1 < len(tokens) else ""
    return before in _TAKING and behind in FOR


def is_measured(tokens: Sequence[Token], position: int) -> bool:
    """`a patience of 5 epochs`, `a patch size of 8 pixels`: the unit stands behind, and what it is before."""
    before = tokens[max(0, position - 2) : position]
    of = len(before) == 2 and before[1].text.lower() == "of"
    return of and before[0].says_something and before[0].text.lower() not in _TOTALS


def share_at(tokens: Sequence[Token], position: int) -> int | None:
    """Where `32 per device`, `64 images per GPU`, `eight at a time` say that a number is the size of a batch."""
    if tokens[position].kind != "number":
        return None
    words = [t.text.lower() if t.kind == "word" else "" for t in tokens[position + 1 : position + 1 + _LAST]]
    counted = takewhile(lambda word: word not in ("per", "each", "every", "at"), words[:2])
    if any(word.rstrip("s") in _NOT_HELD for word in counted):
        return None  # `3 critic steps per iteration`
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else ""
        if not word:
            break
        each = word in ("per", "each", "every") and behind.rstrip("s") in _HOLD_A_BATCH and (word == "per" or at)
        if each or (word == "at" and (behind == "once" or words[at + 1 : at + 3] == ["a", "time"])):
            return position + 1 + at
    return None


def waits_without_progress(tokens: Sequence[Token], position: int) -> bool:
    """`5 epochs without improvement`, `3 evaluations with no progress` are the patience, and nothing else that is counted so."""
    said = " ".join(t.text.lower() for t in tokens[position + 1 : position + 6])
    return tokens[position].kind == "number" and _NO_PROGRESS.match(said) is not None


def measure(tokens: Sequence[Token], position: int) -> tuple[str, ...]:
    """What a number is by its unit: `16 kHz` the rate of samples, `lines of 42 characters` their length."""
    said = [t.text.lower() for t in tokens[position : position + 2]]
    if said[0].endswith("hz") or said[1:] == ["hz"]:
        return ("sample", "sampling", "rate", "frequency")
    if is_measured(tokens, position) and tokens[position - 2].text.endswith("s"):
        return ("size", "length", "width")
    return ()


def is_percentage(token: Token) -> bool:
    """`20 %`, and no part of a whole in words."""
    return bool(token.fraction) and token.text.lower().endswith(("%", "percent"))
