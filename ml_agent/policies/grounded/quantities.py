"""Numbers as people write them: in words, with a unit behind, as a part of a whole, as the place of a device."""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation, Overflow

from ml_agent.policies.grounded.number_words import COUNTED, DEVICES, NUMBER_WORDS, ORDINALS, PARTS, UNIT, UNITS
from ml_agent.policies.grounded.tokens import Token, make_token

_SCALES = {"thousand": 1000, "million": 10**6, "billion": 10**9}
_GROUPS = {"dozen": 12, "hundred": 100, **_SCALES}
_SIGN = re.compile(r"[ \t]?%")
_POWER = re.compile(r"(\d+)(?:\^|\*\*)(-?\d+)")
_WITH_UNIT = re.compile(rf"(.*\d)({UNIT})")
_MACHINES = DEVICES | {"node", "process", "core", "thread", "pass", "worker"}
"""What `a single` says nothing of that a command would have to say."""
_MEASURED = frozenset("size count length rank depth width height stride factor level order degree k".split())
"""Behind them, `one` is a number."""
_NOT_A_COUNT = frozenset({"the", "this", "that", "each", "every", "which", "any", "no", "another", "in", "at", "per"})
"""Before `one`, they make it a pronoun or an idiom."""


def exponent(words: str, name: str) -> str:
    """`17` of `2^17`, for a name that asks for the logarithm to that base, `log2_size`; empty for others."""
    power = _POWER.fullmatch(words)
    return power[2] if power and re.match(rf"-*log_?{power[1]}(?![\da-z])", name, re.IGNORECASE) else ""


def join_numbers(text: str, tokens: Sequence[Token]) -> list[Token]:
    """Each number that is written in several words, or in words at all, becomes one token of the kind `number`."""
    joined: list[Token] = []
    at = 0
    while at < len(tokens):
        found = None
        if tokens[at].kind == "number":
            found = _phrase(tokens, at) or (at + 1, plain_number(tokens[at].text), "")
        elif tokens[at].kind == "word":
            found = _part(tokens, at) or _phrase(tokens, at) or _ordinal(tokens, at)
        if found is None:
            joined.append(tokens[at])
            at += 1
            continue
        behind, value, fraction = found
        end = tokens[behind - 1].end
        if not fraction:
            behind, end, percent = _percent(text, tokens, behind)
            fraction = _of_one(value) if percent else ""
        if joined and joined[-1].text.lower() == "minus" and value[:1].isdigit():
            value, start = f"-{value}", joined.pop().start
        else:
            start = tokens[at].start
        if _lower(tokens, behind) == "khz":
            behind, end, value = behind + 1, tokens[behind].end, _times(value, 1000)
        joined.append(make_token(text[start:end], start, "number", value, fraction))
        at = behind
    return joined


def plain_number(text: str) -> str:
    """`10,000` -> `10000`, `40k` -> `40000`, `10^-4` -> `1e-4`; what has neither stays as it is written."""
    if power := _POWER.fullmatch(text):
        base, exponent = int(power[1]), int(power[2])
        return str(base**exponent) if exponent >= 0 else (f"1e{exponent}" if base == 10 else repr(float(base) ** exponent if base else 0.0))
    if unit := _WITH_UNIT.fullmatch(text):
        return _times(_digits(unit[1]), UNITS[unit[2]])
    return _digits(text)


def _digits(text: str) -> str:
    return text.replace(",", "").replace("_", "").lstrip("+")


_TOO_LARGE = (InvalidOperation, Overflow)
"""What an exponent raises that is beyond what decimals can have, in the text or in the result."""


def _times(value: str, factor: int) -> str:
    try:
        return value if factor == 1 else _decimal(Decimal(value) * factor)
    except _TOO_LARGE:
        return value


def _of_one(percent: str) -> str:
    try:
        return _decimal(Decimal(percent) / 100)
    except _TOO_LARGE:
        return ""


def _decimal(number: Decimal) -> str:
    """Without an exponent, and without zeros that say nothing."""
    if abs(number.adjusted()) > 30:
        return str(number)
    text = f"{number:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def _lower(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].text.lower() if 0 <= at < len(tokens) and tokens[at].kind == "word" else ""


def _percent(text: str, tokens: Sequence[Token], behind: int) -> tuple[int, int, bool]:
    """(index behind a percent sign or word, where it ends in the text, whether there is one)."""
    end = tokens[behind - 1].end
    if sign := _SIGN.match(text, end):
        return behind, sign.end(), True
    if _lower(tokens, behind) in ("percent", "pct"):
        return behind + 1, tokens[behind].end, True
    if _lower(tokens, behind) == "per" and _lower(tokens, behind + 1) == "cent":
        return behind + 2, tokens[behind + 1].end, True
    return behind, end, False


_TIMES = frozenset({"second", "minute", "hour", "day", "epoch"})
"""What there may be half of."""


def _part(tokens: Sequence[Token], at: int) -> tuple[int, str, str] | None:
    """`half of`, `a fifth of`, `two thirds`: (index behind, value, of one)."""
    word, following = _lower(tokens, at), _lower(tokens, at + 1)
    if word == "half" and following in ("of", "the", "its"):
        return at + 1, "0.5", "0.5"
    if word in ("a", "one") and following in PARTS and _lower(tokens, at + 2) == "of":
        count = 1
    elif 1 < NUMBER_WORDS.get(word, 0) < 100 and following.endswith("s") and following[:-1] in PARTS:
        count = NUMBER_WORDS[word]
        following = following[:-1]
    else:
        return None
    value = _decimal(round(Decimal(count) / PARTS[following], 4))
    return at + 2, value, value


def _phrase(tokens: Sequence[Token], at: int) -> tuple[int, str, str] | None:
    """`two hundred and fifty`, `a dozen`, `half a million`, `1.5 million`: (index behind, value, "")."""
    word, following = _lower(tokens, at), _lower(tokens, at + 1)
    if word == "half" and following == "a" and _lower(tokens, at + 2) in _GROUPS:
        return at + 3, str(_GROUPS[_lower(tokens, at + 2)] // 2), ""
    if word == "half" and following in ("a", "an") and _lower(tokens, at + 2) in _TIMES:
        return at + 2, "0.5", ""
    if tokens[at].kind == "number" and following in _GROUPS:
        return at + 2, _times(plain_number(tokens[at].text), _GROUPS[following]), ""
    if word == "a" and following in _GROUPS:
        behind, number = _compose(tokens, at + 1)
        return behind, str(number), ""
    if word == "single" and _lower(tokens, at - 1) == "a" and following.removesuffix("s") in COUNTED - _MACHINES:
        return at + 1, "1", ""
    if word not in NUMBER_WORDS:
        return None
    behind, number = _compose(tokens, at)
    if behind == at + 1 and word == "one" and not _counts(tokens, at):
        return None
    return behind, str(number), ""


def _compose(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """(index behind the longest number in words that begins here, the number)."""
    total, current, scale = 0, 0, 10**12
    start = at
    while (word := _lower(tokens, at)) in NUMBER_WORDS or (word == "and" and at > start and _goes_on(tokens, at + 1)):
        number = NUMBER_WORDS.get(word, 0)
        if word == "and":
            if current % 100 or not (current or total):
                break
        elif word in _SCALES:
            if number >= scale or (total and not current):
                break
            total, current, scale = total + (current or 1) * number, 0, number
        elif word in _GROUPS:
            if current >= 100 or (total and not current):
                break
            current = (current or 1) * number
        elif at == start or _adds(current, total, number):
            current += number
        else:
            break
        at += 1
    return at, total + current


def _adds(current: int, total: int, number: int) -> bool:
    """`thousand five`, `hundred five`, `twenty five`; but neither `five five` nor `twenty ten`."""
    if current == 0 or number == 0:
        return total > 0 and number > 0
    return current % 100 == 0 or (current % 100 >= 20 and current % 10 == 0 and number < 10)


def _goes_on(tokens: Sequence[Token], at: int) -> bool:
    """Is the number behind an `and` the rest of the one before? `two hundred and fifty`, but not `one hundred and two hundred`."""
    if not 0 < NUMBER_WORDS.get(_lower(tokens, at), 0) < 100 or _lower(tokens, at) in _GROUPS:
        return False
    return _lower(tokens, at + 1) not in _GROUPS and _lower(tokens, at + 2) not in _GROUPS


def _counts(tokens: Sequence[Token], at: int) -> bool:
    """`one epoch`, `one input channel`, `a batch size of one`: a number, where `one of them` and `the one` are pronouns."""
    before = _lower(tokens, at - 2) if _lower(tokens, at - 1) in ("of", "is", "to") else _lower(tokens, at - 1)
    if before in _MEASURED and (at + 1 == len(tokens) or tokens[at + 1].kind in ("stop", "comma") or _lower(tokens, at + 1) == "and"):
        return True
    if _lower(tokens, at - 1) in _NOT_A_COUNT:
        return False
    for following in (at + 1, at + 2):
        word = _lower(tokens, following)
        if word in COUNTED or word.removesuffix("s") in COUNTED:
            return all(t.says_something for t in tokens[at + 1 : following])
    return False


def _ordinal(tokens: Sequence[Token], at: int) -> tuple[int, str, str] | None:
    """`the second GPU`: devices are counted from zero."""
    word = _lower(tokens, at)
    following = at + 2 if _lower(tokens, at + 1) in ("graphics", "cuda", "video") else at + 1
    if word in ORDINALS and _lower(tokens, following) in DEVICES and _lower(tokens, at - 1) != "a":
        return at + 1, str(ORDINALS[word] - 1), ""
    return None
