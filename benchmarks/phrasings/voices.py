"""Several settings strung together in many ways, asked of one program."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from ml_agent.benchmarks.phrasings.asking import strung
from ml_agent.benchmarks.phrasings.made import Program, Wanted, program

_COUNTS = (2, 3, 4)
_WAYS = ("phrases", "phrases", "respectively", "continued")
"""Of a form's ways to string settings together: one is as frequent as the others together."""
Choice = tuple[str, Mapping[str, Any], str]
"""An option, what is known of it, and the value that it is to have."""


def voices(tasks: int, seed: int) -> Iterator[Program]:
    """One program, whose documented command sets none of what is asked for."""
    data = yaml.safe_load(Path(__file__).with_name("voices.yaml").read_text(encoding="utf-8"))
    options, forms = data["options"], list(data["forms"].values())
    chance = random.Random(seed)  # noqa: S311 - a choice of words
    requests = []
    for _ in range(tasks):
        names = chance.sample([name for name, each in options.items() if "name" in each], chance.choice(_COUNTS))
        chosen = [(name, options[name], chance.choice(options[name]["values"])) for name in names]
        (form,) = chance.choices(forms, [len(each["phrases"]) for each in forms])
        way = chance.choice(_WAYS)
        text, phrases = _WRITERS[way](chosen, form[way], chance)
        sentence = chance.choice(form["sentences"]).format(settings=text, Settings=text[0].upper() + text[1:])
        wanted = (Wanted(phrase, name, value) for phrase, (name, _, value) in zip(phrases, chosen, strict=True))
        requests.append((sentence, tuple(wanted)))
    code = program([f"'{name}', {each['declares']}" for name, each in options.items()])
    yield Program(code, data["documented"], tuple(requests))


def _one_by_one(chosen: Sequence[Choice], phrases: Sequence[str], chance: random.Random) -> tuple[str, list[str]]:
    """All in the same words, or each in its own."""
    said = [chance.choice(phrases)] * len(chosen) if chance.random() < 0.5 else [chance.choice(phrases) for _ in chosen]
    return strung([phrase.format(**_words(each)) for phrase, each in zip(said, chosen, strict=True)], chance), said


def _respectively(chosen: Sequence[Choice], phrases: Sequence[str], chance: random.Random) -> tuple[str, list[str]]:
    """First what is set, then the values."""
    phrase = chance.choice(phrases)
    words = [_words(each) for each in chosen]
    several = {key: _and([each[key] for each in words]) for key in words[0]}
    return phrase.format(**several), [phrase] * len(chosen)


def _continued(chosen: Sequence[Choice], phrases: Sequence[Sequence[str]], chance: random.Random) -> tuple[str, list[str]]:
    """The first in more words than the rest."""
    first, following = chance.choice(phrases)
    said = [first] + [following] * (len(chosen) - 1)
    text = [phrase.format(**_words(each)) for phrase, each in zip(said, chosen, strict=True)]
    return _and(text), [f"{first} ... {following}"] * len(chosen)


def _and(texts: Sequence[str]) -> str:
    """Two or more, with an "and" before the last."""
    return ", ".join(texts[:-1]) + " and " + texts[-1]


_WRITERS = {"phrases": _one_by_one, "respectively": _respectively, "continued": _continued}


def _words(choice: Choice) -> dict[str, str]:
    """What a phrase can say of it: its name as it is, with either article, and its value."""
    _, option, value = choice
    name, bare = option["name"], option.get("bare", False)
    article = "an" if name[0] in "aeiou" else "a"
    return {"n": name, "a": name if bare else f"{article} {name}", "the": name if bare else f"the {name}", "v": value}
