"""How Python Fire would take the words: each parameter by name or place, then the next word names a member."""

import re
from collections.abc import Sequence

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.base import join_command
from ml_agent.verify.reading import Argument, Given, Reading, finding

_FLAG = re.compile(r"--|-[A-Za-z]")


def read_fire(entry: EntryPoint, arguments: Sequence[Argument]) -> Reading:
    reading = Reading(loose=any(a.several for a in arguments))
    words = [a.text for a in arguments]
    if "--" in words:
        words = words[: words.index("--")]  # behind it stand Fire's own flags
    if any(w in ("--help", "-h") for w in words):
        reading.loose = True
        return reading
    level: str | None = None
    for _ in range(len(words) + 1):
        options = [o for o in entry.options if o.command == level and not o.selects and o.action != "help"]
        selector = next((o for o in entry.options if o.command == level and o.selects), None)
        plain, others = _named(entry, options, words, reading)
        if selector is None:
            words = [*_by_place(options, plain, reading), *others]
            break
        words = [*plain, *others]
        if not words:
            break
        if selector.choices is None or _FLAG.match(words[0]):
            break
        name = words[0] if words[0] in selector.choices else words[0].replace("-", "_")
        reading.given.append(Given(selector, (name,), words[0]))
        words = words[1:]
        if name not in selector.choices:
            reading.loose = True
            break
        level = reading.command = join_command(level, name)
    for word in words:
        (reading.unknown if _FLAG.match(word) else reading.extra).append(word)
    return reading


def _named(entry: EntryPoint, options: Sequence[Option], words: Sequence[str], reading: Reading) -> tuple[list[str], list[str]]:
    """Take the parameters that are given by name. The plain words left, and the names of no parameter, each with its value: Fire
    puts those behind."""
    left: list[str] = []
    others: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if not _FLAG.match(word):
            left.append(word)
            continue
        name, equals, value = word.lstrip("-").partition("=")
        alone = not equals and (index == len(words) or _FLAG.match(words[index]) is not None)
        option = _option(entry, options, name.replace("-", "_"), word, reading, alone=alone)
        if option is None:
            others += [word] if equals or alone else [word, words[index]]
            index += not (equals or alone)
        elif equals or alone:
            reading.given.append(Given(option, (value,) if equals else (), word))
        else:
            reading.given.append(Given(option, (words[index],), f"{word} {words[index]}"))
            index += 1
    return left, others


def _option(entry: EntryPoint, options: Sequence[Option], name: str, word: str, reading: Reading, *, alone: bool) -> Option | None:
    named = {o.name.removeprefix("--"): o for o in options if not o.positional}
    if name in named:
        return named[name]
    if alone and name.startswith("no") and name[2:] in named:
        return named[name[2:]]
    if len(name) == 1:
        found = [o for n, o in named.items() if n.startswith(name)]
        if len(found) > 1:
            message = f"`{word}` could be any of {', '.join(o.name for o in found)}"
            reading.findings.append(finding(entry, "option", message, word, found[0].source, found[0].name))
        return found[0] if found else None
    return None


def _by_place(options: Sequence[Option], words: list[str], reading: Reading) -> list[str]:
    """Give the parameters that have no value yet the words in their order; those left."""
    given = {id(g.option) for g in reading.given}
    rest = list(words)
    for option in options:
        if option.nargs == "*":
            reading.given += [Given(option, (w,), w) for w in rest]
            rest = []
        elif id(option) not in given and rest:
            word = rest.pop(0)
            reading.given.append(Given(option, (word,), word))
    return rest
