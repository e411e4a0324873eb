"""The words that an option is called by: those of its name, or, where that is but a letter, the first words of its help."""

import re
from functools import cache

from ml_agent.policies.grounded.option_names import name_words
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import STOPWORDS

_CLAUSE = re.compile(r"[,;:.(\[=]|\b(?:to|in|for|with|if|when|that|which|defaults?|must|should|will)\b|\s-\s")
"""What ends the words that say what an option is: `number of steps | to run for`, `temperature | in [0, 1]`."""
_ASIDE = re.compile(r"^\s*[(\[](?:optional|required|default[^)\]]*)[)\]]\s*|^(?:optional|set|the|an?)\s+", re.IGNORECASE)
_MOST = 4


def words_of(option: Option) -> tuple[str, ...]:
    """`--num-steps` -> num, steps; `-n` with the help `number of steps to run for, default 256` -> number, steps."""
    if not option.help or any(len(alias.lstrip("-")) != 1 for alias in option.aliases) or not option.name.startswith("-"):
        return name_words(option.name)
    return _from_help(option.help) or name_words(option.name)


def own_letter(option: Option) -> list[tuple[str, ...]]:
    """The letter of an option that is called by its help, which may be said, too: `k of 12`. `I` and `a` are words of their own."""
    words = name_words(option.name)
    return [] if words == words_of(option) or words in (("i",), ("a",)) else [words]


@cache
def _from_help(text: str) -> tuple[str, ...]:
    while (shorter := _ASIDE.sub("", text, count=1)) != text:
        text = shorter
    words = [w for w in name_words(_CLAUSE.split(text.lower(), maxsplit=1)[0]) if w not in STOPWORDS and len(w) > 1]
    return tuple(words) if len(words) <= _MOST else ()
