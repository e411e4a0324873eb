"""What of a model's correction can be taken: it has to be the same answer, with something put in."""

import re
import shlex

from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.task import Answer

_PROGRAM = re.compile(r"[\w./-]+\.(?:py|sh)")


def program_of(answer: Answer) -> str | None:
    """The path of the script that a command line runs, from the repository's root; None if it names none."""
    if answer.language != "bash":
        return None
    found = next((word for word in _words(answer.code) if _PROGRAM.fullmatch(word)), None)
    if found is None:
        return None
    folder = answer.workdir.strip("/")
    return found.removeprefix("./") if folder in ("", ".") else f"{folder}/{found.removeprefix('./')}"


def keeps(proposal: Proposal, answer: Answer) -> bool:
    """Whether the answer still runs the proposal's program, and has each value that was placed, and each that was left over."""
    before = proposal.answer
    if before.language == "bash" and (_is_python(answer.code) or program_of(before) != program_of(answer)):
        return False
    placed = [value for e in before.evidence if e.words for value in _values(e.part)]
    wanted = [*placed, *(mention.value for mention in proposal.left)]
    return all(value in answer.code for value in wanted)


def _values(part: str) -> list[str]:
    """What a part of an answer gives a value to, without the option: `--lr 0.1` -> 0.1, `--lr=0.1` -> 0.1."""
    words = [word.partition("=")[2] or word for word in _words(part)]
    return [word for word in words if not word.startswith("-") or re.fullmatch(r"-?\d.*", word)]


def _words(code: str) -> list[str]:
    try:
        return shlex.split(code, comments=True)
    except ValueError:
        return code.split()


def _is_python(code: str) -> bool:
    return bool(re.search(r"^\s*(?:import|from)\s+\w", code, re.MULTILINE))
