"""Writing the command: a documented command or a bare one, with the request's values in place."""

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType

from ml_agent.policies.grounded.arguments import Item, parse_arguments
from ml_agent.policies.grounded.devices import is_local_rank
from ml_agent.policies.grounded.environment import set_in_front
from ml_agent.policies.grounded.fill import Fill, Placed
from ml_agent.policies.grounded.fitting import Places
from ml_agent.policies.grounded.flags import denied
from ml_agent.policies.grounded.launching import launched_as_asked, start_as_asked
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.redirected import redirected
from ml_agent.policies.grounded.request import Request, unused_words
from ml_agent.policies.grounded.required import default_for, needed, spared, without_rivals
from ml_agent.policies.grounded.rooted import below_root
from ml_agent.policies.grounded.settings import SEVERAL, Setting, folded
from ml_agent.policies.grounded.swaps import Swap, environment_follows, follow
from ml_agent.policies.grounded.unfilled import is_open, stands_for_something, variables_to_set, without_open
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.shell import gives_rank
from ml_agent.task import Answer, Evidence

_FROM_SCRATCH = re.compile(r"\bfrom scratch\b|\bfrom random(?:ly initiali[sz]ed)? weights\b", re.IGNORECASE)
_GOES_ON = frozenset("pretrain pretrained pretraining finetune finetuned ft resume restore".split())
_OPEN_LAUNCH = re.compile(r"--(?:n(?:proc[-_]per[-_]node|nodes)|node[-_]rank|master[-_](?:port|addr))=(?:[A-Z][A-Z_]*|<[^<>]*>|\{[^{}]*\})")
_TRUE = frozenset({"true", "1", "yes"})


@dataclass(slots=True)
class Line:
    """A command line under construction."""

    program: EntryPoint
    command: Command | None
    others: Sequence[Command]
    """Documented commands of the same program: where values for required options come from."""
    workdir: str
    prefix: list[str]
    """The words that start the program, without its arguments."""
    items: list[Item] = field(default_factory=list)
    variables: list[tuple[str, str, Evidence]] = field(default_factory=list)
    """Shell variables to set first, each with its value."""
    redirects: list[tuple[str, str, Evidence]] = field(default_factory=list)
    """Operator and file, at the end of the line."""
    front: list[Item] = field(default_factory=list)
    """Variables of the environment that stand in `prefix`."""
    unused: tuple[str, ...] = ()
    """Words of the request that this line does not do."""
    open: int = 0
    """Documented arguments that were left out, for the request does not give what the document leaves open."""

    @property
    def unresolved(self) -> int:
        """How many variables stand in the arguments that nothing sets."""
        known = {name for name, _, _ in self.variables}
        words = " ".join(w for i in self.items for w in i.words())
        return sum(name not in known for name in re.findall(r"\$\{?([A-Za-z_]\w*|\d)", words))

    def answer(self) -> Answer:
        words = [_quote(w) for w in self.prefix]
        for item in self.items:
            words.extend(_quote(w) for w in item.words())
        for operator, file, _ in self.redirects:
            words += [operator, _quote(file)]
        settings = "".join(f"export {name}={_quote(value)} && " for name, value, _ in self.variables)
        source = (self.command.source if self.command else "") or f"{self.program.path}:{self.program.line}"
        start = Evidence(" ".join(self.prefix), None, source)
        evidence = [
            start,
            *(e for _, _, e in self.variables),
            *(i.evidence for i in (*self.front, *self.items)),
            *(e for _, _, e in self.redirects),
        ]
        return Answer("bash", settings + " ".join(words), self.workdir, tuple(evidence), self.unused)


def build(
    program: EntryPoint,
    command: Command | None,
    others: Sequence[Command],
    filled: Fill,
    swaps: Sequence[Swap],
    request: Request,
    beside: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> Line:
    """The line for one program: documented arguments kept, the request's values replaced or appended, required options added."""
    line = Line(program, command, others, command.workdir if command else _bare_workdir(program), _start(program, command))
    if command:
        shown = _documented(program, command, swaps)
        asked = [i for i in shown if not (i.option and i.option.action == "flag" and denied(i.option, request))]
        line.items = [i for i in asked if not _given_up(i, request)]
        line.open = len(asked) - len(line.items)
    line.prefix = launched_as_asked(line.prefix, others, line.workdir, filled, request)
    before = {i.option.name: i.values[0] for i in line.items if i.option and len(i.values) == 1}
    for placed in filled.placed:
        _place(line, placed)
    changes = [(before[p.option.name], p.values[0]) for p in filled.placed if len(p.values) == 1 and p.option.name in before]
    follow(line.items, changes, beside)
    below_root(line.items, before)
    line.prefix = environment_follows(line.prefix, changes)
    if command:
        closed = without_open(line.items, command)
        line.open, line.items = line.open + len(line.items) - len(closed), closed
        _set_variables(line, filled)
        line.redirects = redirected(command, filled, request)
    line.items = without_rivals(line.items)
    add_required(line)
    _order_positionals(line)
    line.items = folded(line.items, program, request.text)
    line.items, line.prefix, line.front = set_in_front(program, line.items, line.prefix)
    line.prefix = start_as_asked(line.prefix, line.items, filled.left, request)
    line.unused = unused_words(request, filled.left)
    return line


def _given_up(item: Item, request: Request) -> bool:
    """Whether it says what to start from, where the request wants to start from nothing."""
    option = item.option
    goes_on = option is not None and not option.required and not _GOES_ON.isdisjoint(name_words(option.name))
    return goes_on and _FROM_SCRATCH.search(request.text) is not None


def _order_positionals(line: Line) -> None:
    """Positional arguments stand in the program's order, wherever they came from."""
    order = {o.name: k for k, o in enumerate(line.program.options) if o.positional}
    places = [k for k, i in enumerate(line.items) if i.option and i.option.name in order]
    ordered = sorted((line.items[k] for k in places), key=lambda i: order[i.option.name] if i.option else 0)
    for place, item in zip(places, ordered, strict=True):
        line.items[place] = item
    apart = bool(places) and places[-1] - places[0] >= len(places)
    if any(_swallows(one) and other in ordered for one, other in pairwise(line.items)) or (apart and any(map(_may_be_empty, ordered))):
        start = max((k for k, i in enumerate(line.items, 1) if i.option and i.option.selects), default=0)
        head, rest = line.items[:start], line.items[start:]
        line.items = [*head, *(i for i in rest if i in ordered), *(i for i in rest if i not in ordered)]


def _may_be_empty(item: Item) -> bool:
    """argparse gives it nothing where it stands apart from the one before it: that one ends what stands together."""
    return item.option is not None and item.option.nargs in ("?", "*")


def _swallows(item: Item) -> bool:
    """It takes as many values as follow, so that no positional argument may stand behind it."""
    option = item.option
    return option is not None and bool(item.name) and (option.nargs in SEVERAL or (option.nargs == "?" and not item.values))


def _start(program: EntryPoint, command: Command | None) -> list[str]:
    if command:
        settings = [f"{k}={v}" for k, v in command.environment if not stands_for_something(v)]
        return [*settings, *(w for w in map(_started, command.words[: command.target_index + 1]) if w)]
    if program.run and program.run[-1] == program.path:
        return [*program.run[:-1], program.path.rsplit("/", 1)[-1]]
    return list(program.run)


def _started(word: str) -> str:
    """A launcher's word without what the reader is to put in: `--nproc_per_node=N_GPU` starts one process, `--master_port=PORT` goes."""
    if _OPEN_LAUNCH.fullmatch(word) is None:
        return word
    name = word.partition("=")[0]
    return f"{name}=1" if name.lstrip("-").startswith("n") and "rank" not in name else ""


def _bare_workdir(program: EntryPoint) -> str:
    """Without a documented command a script is started from its own folder, a module from the root."""
    if program.run and program.run[-1] == program.path and "/" in program.path:
        return program.path.rsplit("/", 1)[0]
    return "."


def _documented(program: EntryPoint, command: Command, swaps: Sequence[Swap]) -> list[Item]:
    """The documented arguments, with the swaps made in them."""
    items = parse_arguments(program, command.arguments, command.source)
    if not command.source:  # it stands in the request itself
        for item in items:
            item.evidence = Evidence(item.evidence.part, item.evidence.part, item.option.source if item.option else None)
    for item in items:
        for swap in swaps:
            if any(swap.old in v for v in item.values):
                item.values = [v.replace(swap.old, swap.mention.value.rstrip("/")) for v in item.values]
                item.evidence = Evidence(" ".join(item.words()), swap.mention.words, command.source)
    return items


def _set_variables(line: Line, filled: Fill) -> None:
    """`export NAME=value` for variables that stand in the line, with values that have found no other place."""
    if line.command is None:
        return
    for name, mention in variables_to_set(line.items, line.command, filled.left):
        line.variables.append((name, mention.value, Evidence(f"{name}={mention.value}", mention.words, line.command.source)))
        filled.left.remove(mention)


def _spells(option: Option, other: Option) -> bool:
    """Whether one flag is a spelling of the other."""
    return not set(option.aliases).isdisjoint(other.aliases)


def _place(line: Line, placed: Placed) -> None:
    option = placed.option
    if option.action == "flag" and (other := next((i for i in line.items if i.option and _spells(option, i.option)), None)):
        if other.name != option.name and "--no" in (other.name[:4], option.name[:4]):  # `--no-owls` of --owls, and the other way round
            other.name, other.option = option.name, option
            other.evidence = Evidence(option.name, placed.words, option.source)
        return
    current = next((i for i in line.items if i.option is option), None)
    spelled = current.name if current else ("" if option.positional else _spelling(line, option))
    equals = option.assigned or (current.equals if current else _house_style(line))
    if current and not placed.values and current.values and current.values[0].lower() in _TRUE:
        return
    values = list(placed.values)
    if option.assigned and len(values) > 1:
        values = [f"[{','.join(values)}]"]
    once = option.action == "append" and option.nargs is None  # it is given again for each value
    runs = [[value] for value in values] if once and values else [values]
    items = [replace(_item(spelled, run, equals, placed), within=current.within if current else None) for run in runs]
    repeats = option.action == "append" and not once
    same = [k for k, i in enumerate(line.items) if (i is current if repeats else i.option is option)]  # of any other the last one counts
    start = same[0] if same else len(line.items)
    kept = [i for k, i in enumerate(line.items) if k not in same]
    line.items = [*kept[:start], *items, *kept[start:]]


def _item(spelled: str, values: list[str], equals: bool, placed: Placed) -> Item:
    dashed = spelled.startswith("--") and any(re.match(r"-(?!(?:\d+|\d*\.\d+)$)", v) for v in values)  # `--name -x` are two options
    item = Item(spelled, values, (equals or dashed) and len(values) == 1, Evidence("", placed.words, placed.option.source), placed.option)
    item.evidence = Evidence(" ".join(item.words()), placed.words, placed.option.source)
    return item


def placeholders(line: Line) -> int:
    """How many values are no values: `<path>`, `/path/to/x`, `[folder]`."""
    return sum(stands_for_something(v) for i in line.items for v in i.values)


def places_of(program: EntryPoint, command: Command | None) -> Places:
    """What the documented command does with the program's options: a placeholder is no value."""
    items = parse_arguments(program, command.arguments, command.source) if command else []
    given = {i.option.name for i in items if i.option}
    held = {i.option.name for i in items if command and i.option and any(is_open(v, command) for v in i.values)}
    waiting = {
        o.name for o in program.options if o.required and o.takes_value and not o.selects and o.name not in given | spared(program, command)
    }
    return Places(frozenset(held | waiting), frozenset(given))


def _spelling(line: Line, option: Option) -> str:
    """Write `-rate` for `--rate`, where the program takes both and the documented command writes all long names with one dash."""
    long = [i.name for i in line.items if len(i.name) > 2]
    short = [a for a in option.aliases if re.match("-[A-Za-z]{2}", a)] if all(re.match("-[A-Za-z]", n) for n in long) and long else []
    return short[0] if short else option.name


def _house_style(line: Line) -> bool:
    """Write `--a=b` if the documented command does."""
    named = [i for i in line.items if i.name and i.values]
    return bool(named) and sum(i.equals for i in named) * 2 > len(named)


def add_required(line: Line) -> None:
    """Options without which the program does not start: from another documented command, else their first choice, else a placeholder."""
    have = {i.option.name for i in line.items if i.option}
    have |= {i.option.host for i in line.items if isinstance(i.option, Setting)}
    command = line.program.command_of([w for i in line.items for w in i.words()])
    for option in needed(line.program, command, have | spared(line.program, line.command)):
        if is_local_rank(option) and gives_rank(line.prefix):
            continue
        value, source = default_for(line.program, option, line.others)
        item = Item(
            "" if option.positional else option.name,
            [value] if option.takes_value else [],
            option.assigned,
            Evidence("", None, source),
            option,
        )
        item.evidence = Evidence(" ".join(item.words()), None, source)
        line.items.append(item)


def _quote(word: str) -> str:
    """As a shell needs it, but `$NAME` and `~` stay alive where the documented command left them so."""
    if re.fullmatch(r"[\w@%+=:,./~^-]+", word):
        return word
    if re.fullmatch(r"(?:[\w@%+=:,./~^-]|\$\w+|\$\{\w+\})+", word):
        return word
    if re.fullmatch(r"([\w-]+)=.*", word, re.DOTALL):  # an option, or an assignment, which is none any more if its name is quoted
        name, _, value = word.partition("=")
        return f"{name}={shlex.quote(value)}"
    return shlex.quote(word)
