"""The words that an option is called by: those of its name, or, where that is but a letter, the first words of its help."""

import re
from functools import cache, lru_cache
from itertools import pairwise

from ml_agent.policies.grounded.option_names import name_words, phrases_for
from ml_agent.policies.grounded.vocabulary import WEAK
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import STOPWORDS, stem

_CLAUSE = re.compile(r"[,;:.(\[=]|\b(?:to|in|for|with|if|when|that|which|defaults?|must|should|will)\b|\s-\s")
"""What ends the words that say what an option is: `number of steps | to run for`, `temperature | in [0, 1]`."""
_ASIDE = re.compile(r"^\s*[(\[](?:optional|required|default[^)\]]*)[)\]]\s*|^(?:optional|set|the|an?)\s+", re.IGNORECASE)
_MOST, _PAIR, _SHORT = 4, 2, 2


def words_of(option: Option) -> tuple[str, ...]:
    """`--num-steps` -> num, steps; `-n` with the help `number of steps to run for, default 256` -> number, steps; `--e_layers` with the
    help `encoder layers` -> encoder, layers.
    """
    if not option.help or any(len(alias.lstrip("-")) != 1 for alias in option.aliases) or not option.name.startswith("-"):
        return _in_full(name_words(option.name), option.help)
    return _from_help(option.help) or name_words(option.name)


def own_letter(option: Option) -> list[tuple[str, ...]]:
    """The letter of an option that is called by its help, which may be said, too: `k of 12`. `I` and `a` are words of their own."""
    words = name_words(option.name)
    return [] if len(words) > 1 or words == words_of(option) or words in (("i",), ("a",)) else [words]


@lru_cache(maxsize=1 << 12)
def _in_full(words: tuple[str, ...], text: str) -> tuple[str, ...]:
    """With each letter as the word that it begins, where the help has that beside the name's next or last word."""
    if len(words) < _PAIR or not any(len(w) == 1 and w.isalpha() and w not in WEAK for w in words):
        return words
    said = [w for w in name_words(text.lower()) if w not in STOPWORDS]
    named = {s for word in words if len(word) > 1 for phrase in phrases_for(word) for s in phrase}
    beside = sorted({w for a, b in pairwise(said) for other, w in ((a, b), (b, a)) if stem(other) in named and len(w) > _SHORT})

    def in_full(letter: str) -> str:
        return next((w for w in beside if w[0] == letter and w not in words), letter)

    return tuple(in_full(word) if len(word) == 1 and word.isalpha() and word not in WEAK else word for word in words)


@cache
def _from_help(text: str) -> tuple[str, ...]:
    while (shorter := _ASIDE.sub("", text, count=1)) != text:
        text = shorter
    words = [w for w in name_words(_CLAUSE.split(text.lower(), maxsplit=1)[0]) if w not in STOPWORDS and len(w) > 1]
    return tuple(words) if len(words) <= _MOST else ()
