"""What of a model's correction can be taken: it has to be the same answer, with something put in."""

import posixpath
import re

from ml_agent.inputs import guess_language
from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.policies.grounded.request import Mention
from ml_agent.repo.shell import command_word, parse, run_target
from ml_agent.task import Answer

_BESIDE = frozenset({"cd", "export"})
"""Commands that may stand beside the program and do nothing by themselves."""
_OPTION = re.compile(r"--?[A-Za-z][\w.-]*")


def unplaced(proposal: Proposal) -> list[Mention]:
    """The values of the task that found no place; a name or a plain word may be no value at all."""
    return [mention for mention in proposal.left if mention.kind not in ("name", "word")]


def programs_of(answer: Answer) -> tuple[str, ...]:
    """What a command line runs, in its order: a script by its path from the repository's root, a module as `-m name`, else the command."""
    if answer.language != "bash":
        return ()
    return tuple(name for words, cwd in _commands(answer) if (name := _program(words, cwd)) is not None)


def _commands(answer: Answer) -> list[tuple[tuple[str, ...], str]]:
    """The words of each simple command, and the folder that it runs in, from the root."""
    script = parse(answer.code)
    return [(tuple(w.text for w in c.words), posixpath.join(answer.workdir, c.cwd or ".")) for c in script.commands]


def _program(words: tuple[str, ...], cwd: str) -> str | None:
    target = run_target(words)
    if target is not None:
        return f"-m {target.value}" if target.kind == "module" else posixpath.normpath(posixpath.join(cwd, target.value))
    at = command_word(words)
    return None if at is None or words[at] in _BESIDE else words[at]


def keeps(proposal: Proposal, answer: Answer) -> bool:
    """Whether the answer runs the same programs and nothing else, and has each value that was placed, and each that was left over."""
    before = proposal.answer
    if before.language == "bash" and (guess_language(answer.code) == "python" or programs_of(before) != programs_of(answer)):
        return False
    placed = [value for e in before.evidence if e.words for value in _values(e.part, before.language)]
    return all(_stands(value, answer.code) for value in [*placed, *(mention.value for mention in unplaced(proposal))])


def invented(before: Answer, after: Answer, known: str) -> tuple[str, ...]:
    """Options that the answer has and the one before had not, and that `known` (the program's help, the task) does not have either."""
    if after.language != "bash":
        return ()
    said = frozenset(_OPTION.findall(known)) | _options(before)
    return tuple(sorted(_options(after) - said))


def _options(answer: Answer) -> frozenset[str]:
    words = (word.partition("=")[0] for words, _ in _commands(answer) for word in words)
    return frozenset(word for word in words if _OPTION.fullmatch(word))


def _values(part: str, language: str) -> list[str]:
    """What a part of an answer gives a value to, without the option: `--lr 0.1` -> 0.1, `--lr=0.1` -> 0.1, `'a.jpg'` -> a.jpg."""
    if language == "python":
        return [word.strip("'\",()[]") for word in part.split()]
    commands = parse(part).commands
    words = [word.text.partition("=")[2] or word.text for command in commands for word in command.words]
    words += [value for command in commands for _, value in command.assignments]
    return [word for word in words if not _OPTION.fullmatch(word)]


def _stands(value: str, code: str) -> bool:
    """Whether a value is there as such, and not as a part of another: 7 is not in 17 or 0.75."""
    left = r"(?<![\w.])" if re.match(r"[\w.]", value) else ""
    right = r"(?!\w|\.\d)" if re.search(r"\w$", value) else ""
    return re.search(f"{left}{re.escape(value)}{right}", code) is not None
