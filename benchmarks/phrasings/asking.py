"""Requests put together: a sentence, and some of the settings that it can ask for, each in one of several phrases."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_LAST = (" and ", ", ", ", and ")
"""In front of the last of a list; the last one of three or more."""


def strung(settings: Sequence[str], chance: random.Random) -> str:
    """As a list in a sentence, with or without an "and"."""
    *others, last = settings
    return ", ".join(others) + chance.choice(_LAST if len(others) > 1 else _LAST[:2]) + last if others else last


@dataclass(frozen=True, slots=True)
class Said:
    """A setting as a request says it."""

    name: str
    phrase: str
    """With `{v}` for the value, if it has one."""
    text: str
    """The value in words of people."""
    value: str | None
    """As an answer gives it; None if the setting has none, like a flag."""

    def __str__(self) -> str:
        return self.phrase.format(v=self.text)


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that can be asked for: an option, an argument, or what a sentence speaks of."""

    name: str
    values: tuple[tuple[str, str | None], ...]
    """In words of people, and as an answer gives it."""
    nouns: tuple[str, ...]
    """Phrases that can stand behind "with"."""
    others: tuple[str, ...] = ()
    always: bool = False

    @classmethod
    def read(cls, name: str, data: Mapping[str, Any]) -> "Setting":
        values = data.get("values", {"": None})
        pairs = values.items() if isinstance(values, dict) else zip(values, values, strict=True)
        return cls(name, tuple(pairs), tuple(data.get("nouns", ())), tuple(data.get("others", ())), data.get("always", False))

    def say(self, phrases: Sequence[str], chance: random.Random) -> Said:
        text, value = chance.choice(self.values)
        return Said(self.name, chance.choice(phrases), text, value)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and what it says: in the sentence itself by name, and the settings."""

    text: str
    named: Mapping[str, Said]
    settings: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """Requests of one kind.

    A sentence holds what is `named`, and the settings as `{settings}`, as `{Settings}` if they begin a sentence, or as `{nouns}`.
    """

    sentences: tuple[str, ...]
    named: tuple[Setting, ...]
    settings: tuple[Setting, ...]
    counts: tuple[int, ...]
    """How many settings a request asks for, beside those that it always does."""
    between: str
    """What stands between settings, where that is not to be a comma or an "and"."""

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Form":
        named, settings = (tuple(Setting.read(*each) for each in (data.get(kind) or {}).items()) for kind in ("named", "settings"))
        return cls(tuple(data["sentences"]), named, settings, tuple(data.get("asked", (0,))), data.get("between", ""))

    def ask(self, chance: random.Random) -> Asked:
        sentence = chance.choice(self.sentences)
        named = {each.name: each.say(each.nouns or ("{v}",), chance) for each in self.named}
        chosen = chance.sample([each for each in self.settings if not each.always], chance.choice(self.counts))
        chosen += [each for each in self.settings if each.always]
        chance.shuffle(chosen)
        said = [each.say(each.nouns if "{nouns}" in sentence else each.nouns + each.others, chance) for each in chosen]
        text = self._strung(said, chance)
        begun = text[:1].upper() + text[1:] if said and said[0].phrase.partition(" ")[0].isalpha() else text
        words = {"settings": text, "nouns": text, "Settings": begun, **{name: str(each) for name, each in named.items()}}
        return Asked(sentence.format(**words), named, tuple(said))

    def _strung(self, said: Sequence[Said], chance: random.Random) -> str:
        """An "and" stands between nouns alone."""
        nouns = {phrase for each in self.settings for phrase in each.nouns}
        texts = [str(each) for each in said]
        if texts and not self.between and nouns.issuperset(each.phrase for each in said):
            return strung(texts, chance)
        return (self.between or ", ").join(texts)
