"""Requests made from the commands that a repository documents, with other values and in plain words: what is asked for is known.

An option is called by the words of its name or by the beginning of its help, whichever only it has; the program by its file.
"""

import random
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from ml_agent.benchmarks.base import Sample
from ml_agent.policies.grounded.arguments import Item, parse_arguments
from ml_agent.policies.grounded.unfilled import stands_for_something
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.lexical import split_identifier

_WORDS = {
    "lr": "learning rate",
    "bs": "batch size",
    "wd": "weight decay",
    **dict.fromkeys(("num", "n", "nb"), "number of"),
    "max": "maximum",
    "min": "minimum",
    "dim": "dimension",
    "iters": "iterations",
    "dir": "directory",
    "ckpt": "checkpoint",
    "freq": "frequency",
    "emb": "embedding",
    "val": "validation",
    "img": "image",
    "src": "source",
    "tgt": "target",
    "len": "length",
    "seq": "sequence",
    "eval": "evaluation",
    "init": "initial",
    "prob": "probability",
    "coef": "coefficient",
    "std": "standard deviation",
}
_SETTINGS = (
    "with a {name} of {value}",
    "with {name} {value}",
    "set the {name} to {value}",
    "use {value} for the {name}",
    "the {name} should be {value}",
)
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]|`")
_CLAUSE = re.compile(r"[.;:,\n]|\bdefault|\be\.g|\bwhich|\bif\b|\bwhen\b| - ")
_LEAD = re.compile(r"^(?:the|an?|set|sets|specify|specifies|use|define|choose|select|provide)\s+(?:the |an? )?", re.IGNORECASE)
_NAME = re.compile(r"[a-z][\w-]{2,30}", re.IGNORECASE)
_LONGEST_HELP, _LONGEST_HEADING, _TOLD, _MOST = 8, 70, 3, 4


Draw = Callable[[Option, str, random.Random], str]
"""Another value of the kind that an option has; empty if none comes to mind."""


def other_values(index: RepoIndex, repository: str, count: int, seed: int) -> Iterator[Sample]:
    """Requests for other numbers and choices, at most `count`."""
    return drawn(index, repository, count, seed, _other)


def drawn(index: RepoIndex, repository: str, count: int, seed: int, draw: Draw) -> Iterator[Sample]:
    """Requests for other values, at most `count`, of different programs and sections as far as there are."""
    chance = random.Random(f"{seed} {repository}")  # noqa: S311 - what is asked for is no secret
    programs = {e.path: e for e in index.entry_points}
    names = Counter(path.rsplit("/", 1)[-1] for path in programs)
    groups: dict[tuple[str, tuple[str, ...]], list[Command]] = {}
    for command in index.commands:
        program = programs.get(command.target)
        if program and names[command.target.rsplit("/", 1)[-1]] == 1 and _is_plain(command, program):
            groups.setdefault((command.target, command.headings), []).append(command)
    made = 0
    for group in chance.sample(list(groups), len(groups)):
        if made == count:
            return
        command = chance.choice(groups[group])
        sample = _request(command, programs[command.target], f"{repository}/{made + 1}", chance, draw)
        if sample is not None:
            made += 1
            yield sample


def _is_plain(command: Command, program: EntryPoint) -> bool:
    """A Python script with options, of which all that the command gives could be read."""
    started = command.target_index == 1 and command.words[0].startswith("python") and command.target.endswith(".py")
    if not started or command.variables or command.loops or program.flag_style in ("hydra", "assign"):
        return False
    if not program.options or any(o.selects for o in program.options) or {"-h", "--help"} & set(command.arguments):
        return False
    return all(item.option is not None for item in parse_arguments(program, command.arguments, command.source))


def _request(command: Command, program: EntryPoint, key: str, chance: random.Random, draw: Draw) -> Sample | None:
    items = parse_arguments(program, command.arguments, command.source)
    given = {i.option.name: i for i in items if i.option}
    drawn: dict[str, tuple[str, str]] = {}
    for option, value in _places(program, given, chance):
        name, new = _phrase(option, program, chance), draw(option, value, chance)
        if name and new and new not in (value for _, value in drawn.values()) and len(drawn) < _MOST:
            drawn[option.name] = name, new
    if not drawn or any(" " in name for name in given):
        return None
    new_values = {name: [drawn[name][1]] if name in drawn else item.values for name, item in given.items()}
    words = [w for name, values in new_values.items() if name.startswith("-") for w in (name, *values)]
    words += [w for name, (_, value) in drawn.items() if name not in given for w in (name, value)]
    words += [value for name, values in new_values.items() if not name.startswith("-") for value in values]
    told = [f"{in_words(name)} {item.values[0]}" for name, item in given.items() if name not in drawn and _is_name(item)]
    said = [chance.choice(_SETTINGS).format(name=name, value=value) for name, value in drawn.values()]
    sentences = [_sentence(command, chance) + (f" for {', '.join(told[:_TOLD])}" if told else ""), *said]
    return Sample(
        key=key,
        repository=key.rpartition("/")[0],
        instruction=" ".join(f"{text[0].upper()}{text[1:]}." for text in sentences),
        language="bash",
        output=shlex.join(["python", command.words[1], *words]),
        workdir=command.workdir,
        arguments={name.lstrip("-"): value for name, (_, value) in drawn.items()},
    )


def _places(program: EntryPoint, given: Mapping[str, Item], chance: random.Random) -> list[tuple[Option, str]]:
    """Options with their values: some that the command gives, and one or two that it leaves at their defaults."""
    shown = [(i.option, i.values[0]) for i in given.values() if i.option and i.option.takes_value and len(i.values) == 1]
    rest = [(o, o.default.strip("'\"")) for o in program.options if o.name not in given and _has_default(o) and o.default]
    return [
        *chance.sample(shown, min(len(shown), chance.choice((2, 3, 4)))),
        *chance.sample(rest, min(len(rest), chance.choice((0, 1, 2)))),
    ]


def _has_default(option: Option) -> bool:
    return option.name.startswith("-") and option.takes_value and bool(option.default) and option.nargs is None and option.command is None


def _is_name(item: Item) -> bool:
    value = item.values[0] if len(item.values) == 1 else ""
    return bool(_NAME.fullmatch(value)) and value.lower() not in ("true", "false", "none") and not stands_for_something(value)


def _sentence(command: Command, chance: random.Random) -> str:
    file = command.target.rsplit("/", 1)[-1]
    heading = re.sub(r"[`*#:\"]", "", command.headings[-1]).strip() if command.headings else ""
    if not 3 < len(heading) < _LONGEST_HEADING:
        return f"run {file}"
    return chance.choice((f"run {file}", f'I want to do what the documentation has under "{heading}" with {file}', f"{heading} ({file})"))


def in_words(name: str) -> str:
    """What people call an option: `--lr` is a learning rate."""
    return " ".join(_WORDS.get(word, word) for word in split_identifier(name.lstrip("-")))


def _from_help(option: Option) -> str:
    text = _LEAD.sub("", _CLAUSE.split(_ASIDE.sub("", option.help).strip())[0].strip()).strip()
    plain = 1 < len(text.split()) <= _LONGEST_HELP and not re.search(r"[%={}<>/*_]|\d", text)
    return text if plain else ""


def _phrase(option: Option, program: EntryPoint, chance: random.Random) -> str:
    """What only this option is called; empty if there is no such thing."""
    others = {phrase.lower() for o in program.options if o.name != option.name for phrase in (in_words(o.name), _from_help(o))}
    own = [phrase for phrase in (in_words(option.name), _from_help(option)) if len(phrase) > 2 and phrase.lower() not in others]
    return chance.choice(own) if own else ""


def _other(option: Option, value: str, chance: random.Random) -> str:
    """Another value of the kind; empty if none comes to mind."""
    if option.choices:
        words: Sequence[str] = [
            c for c in option.choices if c != value and _NAME.fullmatch(c) and c.lower() not in ("true", "false", "none")
        ]
        return chance.choice(words) if words else ""
    if option.type in ("bool", "str2bool") or value in ("0", "1"):
        return ""  # it may be a switch
    if re.fullmatch(r"\d{1,5}", value):
        number = int(value)
        return str(chance.choice((2 * number, number + (1 if number < 20 else 10), 3 * number)))
    if re.fullmatch(r"\d*\.\d+|\d+(?:\.\d*)?e-\d+", value) and float(value):
        return f"{float(value) * chance.choice((0.3, 0.5)) if float(value) <= 1 else float(value) + 0.5:g}"
    return ""
