"""What no request says, whoever writes it."""

import re

_NONSENSE = (
    r"\b(with|use|using|having|mind) (with|at(?! most)|on|in|for|to|from|using|without|seeded|save|write|resume|set|keep|fix|change)\b",
    r"\b(a|an|the|its) (a|an|the|its)\b",
    r"(?<!\S)a [aeio]\w+(?<!\bone)\b",
    r"\ban [bcdgkpqtvwyz]",
    r"[{}]",
    r"  |,,|\.\.| [,.;:?]|and, |, ,|;;",
    r"\b1 \w+s\b",
)


def is_english(text: str) -> bool:
    return not any(re.search(pattern, text) for pattern in _NONSENSE)
