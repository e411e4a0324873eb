"""How a command is started, as the request wishes: on which devices, and with how many processes."""

import re
from collections.abc import Sequence

from ml_agent.policies.grounded.affinity import name_words
from ml_agent.policies.grounded.arguments import Item
from ml_agent.policies.grounded.fill import Fill
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.repo.commands import Command

_VISIBLE = "CUDA_VISIBLE_DEVICES"
_DEVICE_WORDS = frozenset("gpu gpus device devices cuda rank".split())
_COUNTED = frozenset("gpu gpus card cards device devices process processes worker workers".split())
_PROCESSES = re.compile(r"(--nproc[_-]per[_-]node|--num[_-]processes|--num[_-]gpus|-np?)(=(\d+))?")
_MPI = frozenset({"mpirun", "mpiexec"})
_LAUNCHERS = {
    "torchrun": "--nproc_per_node",
    "torch.distributed.launch": "--nproc_per_node",
    "torch.distributed.run": "--nproc_per_node",
    "accelerate launch": "--num_processes",
    "deepspeed": "--num_gpus",
}
"""What starts one process for each device, and the option that says how many."""
_NAMED = {
    "torchrun": ("torchrun",),
    "torch.distributed.launch": ("python", "-m", "torch.distributed.launch"),
    "torch.distributed.run": ("python", "-m", "torch.distributed.run"),
    "accelerate launch": ("accelerate", "launch"),
    "deepspeed": ("deepspeed",),
}
_SPREAD = re.compile(r"\b(?:torchrun|torch\.distributed|accelerate launch|deepspeed|distributed|ddp|launcher)\b", re.IGNORECASE)
_BY_A_LAUNCHER = re.compile(r"\b(?:with|through|by|via|using|under) (?:the |a )?(?:\w+ )?(?:distributed )?launcher\b", re.IGNORECASE)


def launched_as_asked(prefix: Sequence[str], others: Sequence[Command], workdir: str, filled: Fill, request: Request) -> list[str]:
    """The words that start the program, by a launcher where the request wants one.

    It is the one that another documented command of the program has, else the one that the request names. The number of devices is
    for the launcher then: it is taken back from an option that got it.
    """
    words = list(prefix)
    python = len(words) > 1 and words[-1].endswith(".py") and re.fullmatch(r"python[0-9.]*", words[-2])
    if python and _SPREAD.search(request.text) and launcher_of(words) is None:
        settings = [w for w in words[:-2] if "=" in w]
        start = next((c.words[: c.target_index] for c in others if c.workdir == workdir and launcher_of(c.words[: c.target_index])), ())
        named = next((_NAMED[name] for name in _LAUNCHERS if name in request.text), ())
        start = start or named or (_NAMED["torchrun"] if _BY_A_LAUNCHER.search(request.text) else ())
        words = [*settings, *start, words[-1]] if start else words
    count = _count(request)
    if launcher_of(words) is not None and count is not None:
        kept = [p for p in filled.placed if p.positions != (count.position,)]
        if len(kept) < len(filled.placed):
            filled.placed = kept
            filled.left.append(count)
    return words


def launcher_of(words: Sequence[str]) -> str | None:
    """The launcher among the words that start a program."""
    return next((name for name in _LAUNCHERS if f" {name} " in f" {' '.join(words)} "), None)


def start_as_asked(prefix: Sequence[str], items: Sequence[Item], left: list[Mention], request: Request) -> list[str]:
    """The words that start the program, with what the request says of devices and processes and no option of the program took.

    Takes the mentions that it uses out of `left`.
    """
    return _on_devices(_with_processes(list(prefix), left, request), items, left, request)


def _with_processes(words: list[str], left: list[Mention], request: Request) -> list[str]:
    """`on 4 GPUs` is the launcher's number of processes, where it has one; `on GPUs 0 and 1` are two."""
    count = next((m for m in left if m == _count(request)), None)
    number = count.value if count else str(len(request.devices)) if len(request.devices) > 1 else None
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
        behind = words.index(name.split(" ")[-1]) + 1
        words.insert(behind, f"{_LAUNCHERS[name]}={number}")
    if count:
        left.remove(count)
    return words


def _count(request: Request) -> Mention | None:
    """The number of devices or processes."""
    return next((m for m in request.mentions if m.kind == "number" and m.value.isdigit() and _counts_devices(m, request)), None)


def _counts_devices(mention: Mention, request: Request) -> bool:
    behind = request.tokens[mention.position + 1 : mention.position + 2]
    return any(token.text.lower() in _COUNTED for token in behind)


def _on_devices(words: list[str], items: Sequence[Item], left: list[Mention], request: Request) -> list[str]:
    """`on card 2`, where no option takes it: the others are hidden from the program."""
    asked = request.devices
    taken = any(i.evidence.words and i.option and _DEVICE_WORDS.intersection(name_words(i.option.name)) for i in items)
    if not asked or taken:
        return words
    for mention in [m for m in left if m.kind == "number" and m.value in asked]:
        left.remove(mention)
    visible = f"{_VISIBLE}={','.join(asked)}"
    return [visible, *(word for word in words if not word.startswith(f"{_VISIBLE}="))]
