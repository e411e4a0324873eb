"""How well the words around a value name an option, by the best of its names."""

from itertools import pairwise

from ml_agent.policies.grounded.abbreviations import COMPOUNDS
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.letters import own_letter, words_of
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.verbatim import is_called
from ml_agent.repo.entrypoints import Option

_OF_A_DOING = 0.6
_OF_SECTION = 0.95
"""`weight decay` for optimizer.weight_decay: what it is a part of is seldom said."""
_COUNTS = frozenset("n nb nr num number count".split())


def named(option: Option, position: int, around: Surroundings) -> tuple[float, int]:
    """How well the words around a value name the option, by the best of its names, and the farthest of them, or -1."""
    best = around.score(words_of(option), position)
    spellings = [name_words(alias) for alias in option.aliases if alias != option.name and len(alias.lstrip("-")) > 1]
    for words in (*spellings, *own_letter(option), *_shortened(words_of(option))):
        other = around.score(words, position)
        best = other if other[0] > best[0] else best
    if best[0] < 1.0 and is_called(option, around.beside(position)):
        best = 1.0, best[1] if best[1] >= 0 else position
    section, dot, last = option.name.rpartition(".")
    if dot and section and not option.positional:
        score, first = around.score(name_words(last), position)
        best = (_OF_SECTION * score, first) if _OF_SECTION * score > best[0] else best
    return (_OF_A_DOING * best[0], best[1]) if _is_doing(best[1], position, around) else best


def _is_doing(first: int, position: int, around: Surroundings) -> bool:
    """`25 sampling steps` are no samples: what is counted follows what is done."""
    tokens = around.request.tokens
    counted = tokens[position].kind == "number" and position < first < len(tokens) - 1
    return counted and tokens[first].text.endswith("ing") and tokens[first + 1].says_something and tokens[first + 1].text.endswith("s")


def _shortened(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The words of a name with two of them as one: (init, learning, rate) -> (init, lr)."""
    return [(*words[:k], COMPOUNDS[pair], *words[k + 2 :]) for k, pair in enumerate(pairwise(words)) if pair in COMPOUNDS]


def agrees(option: Option, said: str) -> bool:
    """`100 epochs` are counted by --n_epochs or --epochs rather than by --epoch, and `epoch 100` is the other way round."""
    words = words_of(option)
    counts = bool(_COUNTS.intersection(words)) or words[-1:] == () or words[-1].endswith("s")
    return counts == said.lower().endswith("s")
