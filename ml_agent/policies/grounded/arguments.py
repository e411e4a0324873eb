"""The arguments of a documented command, read with what is known of the program's options."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from ml_agent.policies.grounded.kinds import extension, file_kind
from ml_agent.policies.grounded.numeric import is_numeric
from ml_agent.policies.grounded.settings import OVERRIDE, SEVERAL, FileSetting, is_apart, stands_apart, unfolded
from ml_agent.repo.commands import Command
from ml_agent.repo.configured import APART
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.base import levels_of
from ml_agent.task import Evidence


@dataclass(slots=True)
class Item:
    """One option with its values in a command line, or a run of plain words (name "")."""

    name: str
    values: list[str]
    equals: bool
    evidence: Evidence
    option: Option | None = None
    within: "Item | None" = None
    """The item in whose value it stands, if it is a setting."""

    def words(self) -> list[str]:
        if not self.name:
            return self.values
        if self.equals and len(self.values) == 1:
            return [f"{self.name}={self.values[0]}"]
        return [self.name, *self.values]


def parse_arguments(program: EntryPoint, arguments: Sequence[str], source: str) -> list[Item]:
    """The words after the program as options with their values and as plain words, in their order."""
    items: list[Item] = []
    positionals = iter(_by_place(program, arguments))
    for place, word in enumerate(arguments, 1):
        name, equals, value = word.partition("=")
        if equals and program.flag_style in ("hydra", "assign") and re.match(r"[+~-]*[A-Za-z_]", word):
            items.append(Item(name, [value], True, Evidence(word, None, source), find_option(program, name)))
            continue
        if re.match(r"--?[A-Za-z]", word):
            option = find_option(program, name)
            letter = program.option(word[:2]) if option is None and re.match("-[A-Za-z][^A-Za-z=]", word) else None
            if letter is not None and letter.takes_value:  # `-b8` is `-b 8`
                items.append(Item(word[:2], [word[2:]], False, Evidence(word, None, source), letter))
                continue
            option = option or _spelled_otherwise(program, name)
            if option is not None and _is_long(name) and name not in option.aliases and program.flag_style != "absl":
                name = option.name  # documents shorten names, as argparse allows; whole ones are plain to everybody
            items.append(Item(name, [value] if equals else [], bool(equals), Evidence(word, None, source), option))
            continue
        last = items[-1] if items else None
        if is_apart(program, word, arguments[place] if place < len(arguments) else "") and not (last and last.option and _takes_more(last)):
            items.append(Item(word, [], False, Evidence(word, None, source), find_option(program, word)))
            continue
        if last and not last.equals and _takes_more(last):
            last.values.append(word)
            last.evidence = Evidence(" ".join(last.words()), None, source)
        else:
            items.append(Item("", [word], False, Evidence(word, None, source), next(positionals, None)))
    return unfolded(items, program)


def _by_place(program: EntryPoint, arguments: Sequence[str]) -> list[Option]:
    """The options that plain words are for, in their order."""
    if program.flag_style != "fire":
        return [o for o in program.options if o.positional]
    levels = [None, *levels_of(program.command_of(arguments))]  # each parameter of the function that is called can be given by its place
    selectors = [o for o in program.options if o.selects and o.command in levels]
    names = [word.partition("=")[0] for word in arguments if re.match(r"--?[A-Za-z]", word)]
    named = [find_option(program, name) or _spelled_otherwise(program, name) for name in names]
    rest = (o for o in program.options if o.command == levels[-1] and not o.selects and o.action != "help")
    return [*selectors, *(o for o in rest if o not in named)]


def _takes_more(item: Item) -> bool:
    option = item.option
    if OVERRIDE.fullmatch(item.name) or stands_apart(option):
        return not item.values
    if option is None:
        return bool(item.name)
    if not option.takes_value:
        return False
    if option.nargs in SEVERAL:
        return True
    if option.fixed_count is not None:
        return len(item.values) < option.fixed_count
    return not item.values


def find_option(program: EntryPoint, name: str) -> Option | None:
    """The option that the program takes `name` for: exactly, by one dash (absl), or as an unambiguous prefix."""
    found = program.option(name)
    if found is None and program.flag_style == "hydra":
        found = program.option(name.lstrip("+~"))
    if found is None and program.flag_style == "absl":
        found = program.option("--" + name.lstrip("-"))
    if found is None and program.prefixes and name.startswith("--"):
        longer = [o for o in program.options if any(a.startswith(name) for a in o.aliases)]
        found = longer[0] if len(longer) == 1 else None
    return found


def _spelled_otherwise(program: EntryPoint, name: str) -> Option | None:
    """The only option with the same letters: `--crop_size` for --crop-size, `--owls` for `-owls`, as documents slip."""
    if not _is_long(name) or program.open_ended:
        return None
    wanted = _letters(name)
    same = [o for o in program.options if any(a.startswith("-") and _letters(a) == wanted for a in o.aliases)]
    return same[0] if len(same) == 1 else None


def _letters(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def _is_long(name: str) -> bool:
    """Of an option that is a letter, another case is another option."""
    return len(name.lstrip("-")) > 1


_ASSIGNED = re.compile(r"[A-Za-z_][\w.]*=[^=].*")


def with_documented_options(program: EntryPoint, commands: Sequence[Command]) -> EntryPoint:
    """A program whose options could not all be read gets the others that its documented commands give it, and settings like these."""
    program = _with_documented(program, commands)
    have = {alias for o in program.options for alias in o.aliases}
    apart = (o for o in dict(program.settings).get(APART, ()) if o.name not in have)
    more = [FileSetting(**{f.name: getattr(o, f.name) for f in fields(Option)}) for o in apart]
    return replace(program, options=(*program.options, *more), open_ended=True) if more else program


def _with_documented(program: EntryPoint, commands: Sequence[Command]) -> EntryPoint:
    if program.options and not program.open_ended and not any(_misses_most(program, c) for c in commands):
        return program
    if not program.options and any(_ASSIGNED.fullmatch(word) for c in commands for word in c.arguments):
        program = replace(program, flag_style="assign")
    found: dict[tuple[str | None, str], Option] = {}
    spellings: dict[tuple[str | None, str], list[str]] = {}
    for command in commands:
        of = program.command_of(command.arguments)
        for item in parse_arguments(program, command.arguments, command.source):
            if not item.name or item.option is not None:
                continue
            key = of, item.name.lstrip("-").replace("_", "-") if item.name.startswith("-") else item.name  # `-beam_size`, `--beam-size`
            spellings.setdefault(key, []).append(item.name)
            default = item.values[0] if len(item.values) == 1 and is_numeric(item.values[0]) else None
            first = found.setdefault(
                key,
                Option(
                    item.name, (item.name,), command.source, default=default, action="store" if item.values else "flag",
                    assigned=item.equals and not item.name.startswith("-"), nargs="+" if len(item.values) > 1 else None, command=of,
                ),
            )  # fmt: skip
            found[key] = replace(first, aliases=tuple(dict.fromkeys(spellings[key])))
    places = _documented_places(program, commands)
    if not (found or places) and program.options:
        return program
    return replace(program, options=(*program.options, *found.values(), *places), open_ended=True)


def _documented_places(program: EntryPoint, commands: Sequence[Command]) -> list[Option]:
    """Places for what documented commands give without a name, as far as there are files and folders among it.

    A plain word in front of those is one of the words that are documented there.
    """
    if any(o.positional for o in program.options):
        return []
    given: list[list[str]] = []
    for command in commands:
        plain = [i.values[0] for i in parse_arguments(program, command.arguments, command.source) if not i.name and i.values]
        for place, word in enumerate(plain):
            given[place:] = given[place:] or [[]]
            given[place].append(word)
    located = [all("/" in w or extension(w) for w in words) for words in given]
    found: list[Option] = []
    for place, words in enumerate(given[: max((k + 1 for k, is_path in enumerate(located) if is_path), default=0)]):
        name = f"{(file_kind(words[0]) or 'path') if located[place] else 'word'}_{place + 1}"
        choices = None if located[place] else tuple(dict.fromkeys(words))
        found.append(Option(name, (name,), commands[0].source, choices=choices, lenient=True))
    return found


def _misses_most(program: EntryPoint, command: Command) -> bool:
    """Most options of a documented command are unknown: it is the reading that lacks them, rather than the program."""
    named = [i for i in parse_arguments(program, command.arguments, command.source) if i.name]
    return len(named) > 1 and 2 * sum(i.option is None for i in named) > len(named)


def documented_values(program: EntryPoint, command: Command) -> Mapping[str, Sequence[str]]:
    """Option name -> the values that the command gives it."""
    found: dict[str, list[str]] = {}
    for item in parse_arguments(program, command.arguments, command.source):
        if item.option and item.values:
            found[item.option.name] = item.values
    return found
