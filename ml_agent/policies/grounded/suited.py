"""Options that suit a value best by what it is: a text, a file of some format, a place."""

from collections.abc import Collection, Mapping, Sequence

from ml_agent.policies.grounded.fitting import TEXTS
from ml_agent.policies.grounded.kinds import extension, is_of_format
from ml_agent.policies.grounded.letters import words_of
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, chunks_of
from ml_agent.policies.grounded.vocabulary import PATH_WORDS
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import stem


def suited_by(
    options: Sequence[Option], mention: Mention, examples: Mapping[str, Sequence[str]], said: Collection[str] = ()
) -> frozenset[str]:
    """Names of the options that suit a value best by what it is; none if there is no telling. `said`: stems of the request.

    A text is for those that take texts, if all of their name is said; a file for those that are called after its ending; a place for those
    that are called so, for which one is known, or nothing.
    """
    value = mention.value
    if mention.kind == "quoted" and " " in value:
        texts = [o for o in options if o.takes_value and not TEXTS.isdisjoint(words_of(o)[-1:])]
        return frozenset(o.name for o in texts if {stem(w) for w in words_of(o)[:-1]} <= set(said))
    if extension(value) and (of_format := [o.name for o in options if o.takes_value and is_of_format(value, chunks_of(o.name))]):
        return frozenset(of_format)
    if "/" not in value:
        return frozenset()
    placed = {o.name for o in options if not PATH_WORDS.isdisjoint(name_words(o.name)) or any("/" in e for e in examples[o.name])}
    return frozenset(placed | {o.name for o in options if not examples[o.name]} if placed else ())
