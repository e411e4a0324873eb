"""What a documented command reads and writes by `<` and `>`: the files that the request says stand there."""

from dataclasses import replace

from ml_agent.policies.grounded.fill import Fill, Placed
from ml_agent.policies.grounded.request import Request
from ml_agent.repo.commands import Command
from ml_agent.task import Evidence


def kept_for_redirects(filled: Fill, command: Command | None, request: Request) -> Fill:
    """A file that no word of the request gives to an option is what the command reads or writes, where it does."""
    if command is None or not command.redirects:
        return filled
    files = {m.position: m for m in request.mentions if m.kind in ("path", "quoted") and " " not in m.value}
    waiting = len(command.redirects) - sum(m in filled.left for m in files.values())

    def is_free(placed: Placed) -> bool:
        mention = files.get(placed.positions[0]) if len(placed.positions) == 1 else None
        return mention is not None and placed.words == mention.words

    freed = sorted(filter(is_free, filled.placed), key=lambda p: p.score)[: max(0, waiting)]
    left = sorted((*filled.left, *(files[p.positions[0]] for p in freed)), key=lambda m: m.position)
    return replace(filled, placed=[p for p in filled.placed if p not in freed], left=left)


def redirected(command: Command, filled: Fill, request: Request) -> list[tuple[str, str, Evidence]]:
    """What is read and written, with the paths that the request has left for it: the one behind `to` or `into` is written."""
    found = []
    for operator, file in command.redirects:
        left = [m for m in filled.left if m.kind in ("path", "quoted") and " " not in m.value]
        written = [m for m in left if m.position and request.tokens[m.position - 1].text.lower() in ("to", "into", "in", "as")]
        chosen = next(iter(written if operator == ">" else [m for m in left if m not in written]), None)
        if chosen:
            filled.left.remove(chosen)
        value = chosen.value if chosen else file
        found.append((operator, value, Evidence(f"{operator} {value}", chosen.words if chosen else None, command.source)))
    return found
