"""How a command is started, as the request wishes: on which devices, and with how many processes."""

import re
from collections.abc import Sequence

from ml_agent.policies.grounded.affinity import name_words
from ml_agent.policies.grounded.arguments import Item
from ml_agent.policies.grounded.request import Mention, Request

_VISIBLE = "CUDA_VISIBLE_DEVICES"
_DEVICE_WORDS = frozenset("gpu gpus device devices cuda rank".split())
_COUNTED = frozenset("gpu gpus card cards device devices process processes worker workers".split())
_PROCESSES = re.compile(r"(--nproc[_-]per[_-]node|--num[_-]processes|--num[_-]gpus|-np?)(=(\d+))?")
_MPI = frozenset({"mpirun", "mpiexec"})


def start_as_asked(prefix: Sequence[str], items: Sequence[Item], left: list[Mention], request: Request) -> list[str]:
    """The words that start the program, with what the request says of devices and processes and no option of the program took.

    Takes the mentions that it uses out of `left`.
    """
    return _on_devices(_with_processes(list(prefix), left, request), items, left, request)


def _with_processes(words: list[str], left: list[Mention], request: Request) -> list[str]:
    """`on 4 GPUs` is the launcher's number of processes, where it has one."""
    count = next((m for m in left if m.kind == "number" and m.value.isdigit() and _counts_devices(m, request)), None)
    if count is None:
        return words
    for at, word in enumerate(words[:-1]):
        match = _PROCESSES.fullmatch(word)
        if match is None or (match[1] in ("-n", "-np") and not _MPI.intersection(words[:at])):
            continue
        if match[3] is not None:
            words[at] = f"{match[1]}={count.value}"
        elif words[at + 1].isdigit():
            words[at + 1] = count.value
        else:
            continue
        left.remove(count)
        break
    return words


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
