"""How a command is started, as the request wishes: on which devices, with how many processes, on which of how many machines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ml_agent.policies.grounded.arguments import Item
from ml_agent.policies.grounded.devices import MOST, counts, device_count, takes_count
from ml_agent.policies.grounded.fill import Fill
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.repo.commands import Command

_VISIBLE = "CUDA_VISIBLE_DEVICES"
_DEVICE_WORDS = frozenset("gpu gpus device devices cuda rank".split())
_PROCESSES = re.compile(r"(--nproc[_-]per[_-]node|--num[_-]processes|--num[_-]gpus|-np?)(=(\d+|\$\{?\w+\}?))?")
_MPI = frozenset({"mpirun", "mpiexec"})


@dataclass(frozen=True, slots=True)
class _Launcher:
    """What starts one process for each device."""

    start: tuple[str, ...]
    """The words that start it."""
    processes: str
    """Its option that says how many."""
    family: int
    """0: torch's own, 1: accelerate, 2: deepspeed."""


_LAUNCHERS = {
    "torchrun": _Launcher(("torchrun",), "--nproc_per_node", 0),
    "torch.distributed.launch": _Launcher(("python", "-m", "torch.distributed.launch"), "--nproc_per_node", 0),
    "torch.distributed.run": _Launcher(("python", "-m", "torch.distributed.run"), "--nproc_per_node", 0),
    "accelerate launch": _Launcher(("accelerate", "launch"), "--num_processes", 1),
    "deepspeed": _Launcher(("deepspeed",), "--num_gpus", 2),
}
_SINGLE = re.compile(r"\bsingle[ -](?:gpu|card|device|process)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Setting:
    """Something that launchers take beside the number of processes."""

    spelled: re.Pattern[str]
    """All spellings of the option."""
    names: tuple[str, str, str]
    """The option of each family of launchers."""
    own: frozenset[str]
    """Words in the name of an option of the program itself that takes the same."""


_PORT = _Setting(
    re.compile(r"(--(?:master|main[_-]process)[_-]port)(?:=.*)?"),
    ("--master_port", "--main_process_port", "--master_port"),
    frozenset({"port"}),
)
_NODES = _Setting(
    re.compile(r"(--(?:nnodes?|num[_-]machines|num[_-]nodes))(?:=.*)?"),
    ("--nnodes", "--num_machines", "--num_nodes"),
    frozenset("node nodes nnode nnodes machine machines".split()),
)
_RANK = _Setting(re.compile(r"(--(?:node|machine)[_-]rank)(?:=.*)?"), ("--node_rank", "--machine_rank", "--node_rank"), frozenset({"rank"}))
_ADDRESS = _Setting(
    re.compile(r"(--(?:master[_-]addr|main[_-]process[_-]ip))(?:=.*)?"),
    ("--master_addr", "--main_process_ip", "--master_addr"),
    frozenset("addr address ip host".split()),
)
_MACHINES, _MACHINE = ("nodes", "machines", "hosts"), ("node", "machine")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_SPREAD = re.compile(r"\b(?:torchrun|torch\.distributed|accelerate launch|deepspeed|distributed|ddp|launcher)\b", re.IGNORECASE)
_BY_A_LAUNCHER = re.compile(r"\b(?:with|through|by|via|using|under) (?:the |a )?(?:\w+ )?(?:distributed )?launcher\b", re.IGNORECASE)


def launched_as_asked(prefix: Sequence[str], others: Sequence[Command], workdir: str, filled: Fill, request: Request) -> list[str]:
    """The words that start the program, by a launcher where the request wants one.

    It is the one that another documented command of the program has, else the one that the request names. The number of devices is
    for the launcher then, as are the port and the machines: they are taken back from an option that got them.
    """
    words = list(prefix)
    python = len(words) > 1 and words[-1].endswith(".py") and re.fullmatch(r"python[0-9.]*", words[-2])
    if python and _SPREAD.search(request.text) and launcher_of(words) is None:
        settings = [w for w in words[:-2] if "=" in w]
        start = next((c.words[: c.target_index] for c in others if c.workdir == workdir and launcher_of(c.words[: c.target_index])), ())
        named = next((launcher.start for name, launcher in _LAUNCHERS.items() if name in request.text), ())
        start = start or named or (_LAUNCHERS["torchrun"].start if _BY_A_LAUNCHER.search(request.text) else ())
        words = [*settings, *start, words[-1]] if start else words
    if launcher_of(words) is not None:
        count = device_count(request)
        for mention, own in [*([(count, frozenset[str]())] if count else []), *((m, s.own) for s, m in _settings(request))]:
            mistaken = [p for p in filled.placed if p.positions == (mention.position,) and own.isdisjoint(name_words(p.option.name))]
            if mistaken:
                filled.placed = [p for p in filled.placed if p not in mistaken]
                filled.left.append(mention)
    return words


def launcher_of(words: Sequence[str]) -> str | None:
    """The launcher among the words that start a program."""
    return next((name for name in _LAUNCHERS if f" {name} " in f" {' '.join(words)} "), None)


def _behind(name: str, words: Sequence[str]) -> int:
    """Where the options of a launcher begin."""
    return words.index(name.split(" ")[-1]) + 1


def start_as_asked(prefix: Sequence[str], items: Sequence[Item], left: list[Mention], request: Request) -> list[str]:
    """The words that start the program, with what the request says of devices and processes and no option of the program took.

    Takes the mentions that it uses out of `left`.
    """
    words = _with_settings(_with_processes(list(prefix), left, request), left, request)
    return _on_devices(words, items, left, request)


def _with_processes(words: list[str], left: list[Mention], request: Request) -> list[str]:
    """`on 4 GPUs` is the launcher's number of processes, where it has one; `on GPUs 0 and 1` are two."""
    count = next((m for m in left if m == device_count(request)), None)
    number = count.value if count else str(len(request.devices)) if len(request.devices) > 1 else None
    if number is None and _SINGLE.search(request.text):
        number = "1"
    if number is None:
        return words
    for at, word in enumerate(words[:-1]):
        match = _PROCESSES.fullmatch(word)
        if match is None or (match[1] in ("-n", "-np") and not _MPI.intersection(words[:at])):
            continue
        if match[3] is not None:
            words[at] = f"{match[1]}={number}"
        elif re.fullmatch(r"\d+|gpu|auto|\$\{?\w+\}?|<.*>|\{.*\}", words[at + 1]):
            words[at + 1] = number
        else:
            continue
        break
    else:
        name = launcher_of(words)
        if name is None:
            return words
        words.insert(_behind(name, words), f"{_LAUNCHERS[name].processes}={number}")
    if count:
        left.remove(count)
    return words


def _settings(request: Request) -> list[tuple[_Setting, Mention]]:
    """What the request says of the launcher's port and machines."""
    found: list[tuple[_Setting, Mention]] = []
    for mention in request.mentions:
        before = [t.text.lower() for t in request.tokens[max(0, mention.position - 3) : mention.position] if t.kind != "stop"]
        behind = [t.text.lower() for t in request.tokens[mention.position + 1 : mention.position + 4]]
        if _IP.fullmatch(mention.value):
            found.append((_ADDRESS, mention))
        elif mention.kind != "number" or not mention.value.isdigit():
            continue
        elif len(mention.value) > 3 and ("port" in before or ("port" in behind and "as" in behind)):
            found.append((_PORT, mention))
        elif counts(mention, request, _MACHINES) or (counts(mention, request, _MACHINE) and mention.value == "1"):
            found.append((_NODES, mention))
        elif before and (before[-1] in _MACHINE or (before[-1] == "rank" and before[-2:-1] != ["of"])):
            found.append((_RANK, mention))
    return found


def _with_settings(words: list[str], left: list[Mention], request: Request) -> list[str]:
    """`port 29501`, `2 nodes`, `node rank 1` as options of the launcher."""
    name = launcher_of(words)
    if name is None:
        return words
    for setting, mention in _settings(request):
        if mention not in left:
            continue
        at = next((i for i, word in enumerate(words[:-1]) if setting.spelled.fullmatch(word)), None)
        if at is None and setting is _NODES and mention.value == "1":
            left.remove(mention)  # what it does anyway
            continue
        if at is None:
            behind = _behind(name, words)
            own = words[behind:-1]
            spelled, apart = setting.names[_LAUNCHERS[name].family], any(w.startswith("--") and "=" not in w for w in own)
            words[behind:behind] = [spelled, mention.value] if apart and not any("=" in w for w in own) else [f"{spelled}={mention.value}"]
        elif "=" in words[at]:
            words[at] = f"{words[at].partition('=')[0]}={mention.value}"
        else:
            words[at + 1] = mention.value
        left.remove(mention)
    return words


def _on_devices(words: list[str], items: Sequence[Item], left: list[Mention], request: Request) -> list[str]:
    """`on card 2`, where no option takes it: the others are hidden from the program. Of a documented list, as many as are asked for."""
    asked = request.devices
    given = [i.option for i in items if i.evidence.words and i.option and _DEVICE_WORDS.intersection(name_words(i.option.name))]
    count = device_count(request)
    shown = next((w for w in words if re.fullmatch(rf"{_VISIBLE}=\d+(?:,\d+)*", w)), None)
    if not asked and shown and count is not None and 0 < int(count.value) <= MOST:
        numbers = shown.partition("=")[2].split(",")
        if len(numbers) != int(count.value):
            if count in left:
                left.remove(count)
            words[words.index(shown)] = f"{_VISIBLE}={','.join(map(str, range(int(count.value))))}"
        return words
    if not asked or any(not takes_count(option) for option in given):
        return words
    for mention in [m for m in left if m.kind == "number" and m.value in asked]:
        left.remove(mention)
    visible = f"{_VISIBLE}={','.join(asked)}"
    return [visible, *(word for word in words if not word.startswith(f"{_VISIBLE}="))]
