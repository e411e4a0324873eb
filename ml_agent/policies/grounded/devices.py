"""Devices: which the request asks for and how many, and how an option takes them: one, a list, their number."""

import re
from collections.abc import Collection, Iterator, Sequence

from ml_agent.policies.grounded.bindings import Binding
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request, squeeze
from ml_agent.policies.grounded.switches import ON_CPU
from ml_agent.repo.entrypoints import Option

_DEVICES = frozenset("gpu gpus device devices cuda".split())
_COUNTS = frozenset("n nb nr num number count ngpu ngpus ndevices".split())
_SEVERAL = frozenset("gpus devices ids list indices".split())
_BESIDE = frozenset("id ids index indices list visible use which the available used to per node".split())
"""Words that stand beside `gpu` in the name of an option that takes devices, or their number."""
_NO_DEVICES = frozenset("rank ranks memory mem fraction batch size worker workers hours arch frequency".split())
"""Words beside `gpu` in the names of options that take no number of a device."""
_COUNTED = ("gpu gpus card cards device devices".split(), "process processes".split())
"""What is counted: the devices before the processes."""
_KIND_OF_DEVICE = re.compile(r"[A-Z]+\d+\w*|(?i:nvidia|cuda|local|parallel|available|graphics|training|worker)")
"""A word between a number and what it counts: `4 V100 GPUs`."""
_NAMES_CUDA = re.compile(r"cuda(?::\d+)?")
MOST = 64
"""Devices of one machine."""


_MINUS_ONE = re.compile(r"-1\b.{0,30}\bcpu\b|\bcpu\b.{0,30}-1\b", re.IGNORECASE)


def cpu_bindings(options: Sequence[Option], request: Request) -> Iterator[Binding]:
    """-1 for the options of which the help says that it is the CPU, where the request asks for that."""
    said = ON_CPU.search(request.text) if not request.devices else None
    for option in options:
        if said and option.takes_value and set(name_words(option.name)) <= _DEVICES | _BESIDE and _MINUS_ONE.search(option.help):
            yield Binding(option.name, "-1", said.group(), request.between(*said.span()))


def is_local_rank(option: Option) -> bool:
    """Its value comes from what launches the processes, and differs from one to the next."""
    return any(squeeze(alias) == "localrank" for alias in option.aliases)


def device_count(request: Request) -> Mention | None:
    """The number of devices, else of processes."""
    numbers = [m for m in request.mentions if m.kind == "number" and m.value.isdigit()]
    return next((m for names in _COUNTED for m in numbers if counts(m, request, names)), None)


def counts(mention: Mention, request: Request, names: Sequence[str]) -> bool:
    """Whether a number counts what one of these (lower-case) words names."""
    behind = [token.text for token in request.tokens[mention.position + 1 : mention.position + 3]]
    if len(behind) > 1 and _KIND_OF_DEVICE.fullmatch(behind[0]):
        behind.pop(0)
    return bool(behind) and behind[0].lower() in names


def takes_count(option: Option) -> bool:
    """It takes the number of devices: `--num-gpus`, or `--devices` of type int."""
    words = set(name_words(option.name))
    if not words <= _DEVICES | _COUNTS | _BESIDE or option.nargs is not None:
        return False
    glued = any(w[:1] == "n" and w[1:] in _DEVICES for w in words)
    return glued or bool(words & _DEVICES and (words & _COUNTS or (option.type == "int" and words & {"gpus", "devices"})))


def takes_list(option: Option, examples: Sequence[str]) -> bool:
    """It takes devices, and several of them: by its name, its help or the values that it has elsewhere."""
    words = set(name_words(option.name))
    if not words & _DEVICES or not words <= _DEVICES | _BESIDE or takes_count(option):
        return False
    listed = any(re.search(r"\d\s*,\s*\d", text) for text in (*examples, option.help))
    return option.nargs not in (None, "?") or listed or (option.type in (None, "str") and bool(words & _SEVERAL))


def is_elsewhere(option: Option, mention: Mention, request: Request) -> bool:
    """Whether the mention is the number of a device, and the option takes no devices: nothing else is meant by `on GPU 1`."""
    if mention.position not in request.device_places:
        return False
    words = set(name_words(option.name))
    return not (words & _DEVICES or any(w[:1] == "n" and w[1:] in _DEVICES for w in words)) or bool(words & _NO_DEVICES)


def shown_elsewhere(
    options: Sequence[Option], given: Collection[str], environment: Collection[str], request: Request
) -> set[tuple[str, int]]:
    """Options of devices that a command does without, for it sets `CUDA_VISIBLE_DEVICES`: each with the positions of devices."""
    if "CUDA_VISIBLE_DEVICES" not in environment:
        return set()
    names = [o.name for o in options if o.name not in given and not _DEVICES.isdisjoint(name_words(o.name)) and not takes_count(o)]
    return {(name, at) for name in names for at in request.device_places}


def device_values(
    option: Option, mention: Mention, request: Request, examples: Sequence[str]
) -> tuple[tuple[str, ...], tuple[int, ...]] | None:
    """What an option of devices takes for this number, and the positions that say it; None where that is the number itself.

    `on four GPUs` gives a list the first four, `GPUs 2 and 3` gives a count 2, and `the second GPU` is `cuda:1` where cuda is named.
    """
    if mention.kind != "number" or not mention.value.isdigit():
        return None
    asked = mention.value in request.devices
    run = [m for m in request.run(mention) if m.value in request.devices]
    if takes_count(option):
        return ((str(len(request.devices)),), tuple(m.position for m in run)) if asked and run else None
    several = takes_list(option, examples)
    if several and mention == device_count(request) and not asked and 0 < int(mention.value) <= MOST:
        numbers = tuple(map(str, range(int(mention.value))))
        return (numbers if option.nargs not in (None, "?") else (",".join(numbers),)), (mention.position,)
    if several and asked and option.nargs in (None, "?") and len(run) > 1:
        return (",".join(m.value for m in run),), tuple(m.position for m in run)
    cuda = not set(name_words(option.name)).isdisjoint(_DEVICES) and option.type in (None, "str", "torch.device") and option.nargs is None
    if asked and cuda and (any(map(_NAMES_CUDA.fullmatch, examples)) or re.search(r"\bcuda:\d", option.help)):
        return (f"cuda:{mention.value}",), (mention.position,)
    return None
