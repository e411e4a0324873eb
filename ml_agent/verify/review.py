"""What a task asks for and an answer does not place: values, names, files, flags. What is found may be meant otherwise: warnings."""

import re
from collections.abc import Iterator

from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.lexical import squeeze
from ml_agent.repo.modules.roots import join
from ml_agent.repo.shell import parse, run_target
from ml_agent.task import Answer
from ml_agent.verify.asked import Asked, numbers_in, read_asked
from ml_agent.verify.findings import Finding
from ml_agent.verify.options import check_options
from ml_agent.verify.programs import Programs
from ml_agent.verify.reading import Given, arguments_of
from ml_agent.verify.synonyms import meaning

MAX_UNPLACED = 20
_SHORT = 3
"""Names up to this length are too short for one to be found within another."""
_WITHOUT = frozenset("no not without disable disabled skip except never don't dont".split())
_FEW = frozenset("use do run is all data model train test file output input name type verbose debug help mode path".split())
"""Words too common for a flag to be wished by one of them alone."""


def unplaced(instruction: str, answer: Answer, index: RepoIndex) -> Iterator[Finding]:
    """A warning for each value, name and flag that the task asks for and the answer has nowhere."""
    text = f"{answer.workdir}\n{answer.code}"
    program = _program(answer, index) if answer.language == "bash" else None
    squeezed, numbers = squeeze(f"{text} {index.files.root.name}"), numbers_in(text)  # that the repository is named is no wish
    known = _known_names(index, program[0] if program else None)
    for asked in read_asked(instruction):
        if not _is_placed(asked, squeezed, numbers) and (not asked.plain or squeeze(asked.value) in known):
            yield Finding("unplaced", f"the task asks for {asked.value!r}, and the answer has it nowhere", asked.value, severity="warning")
    if program is not None:
        yield from _flags(instruction, *program)


def _is_placed(asked: Asked, squeezed: str, numbers: frozenset[float]) -> bool:
    if asked.kind == "number":
        try:
            wanted = abs(float(asked.value))
        except (ValueError, OverflowError):
            return True
        return any(abs(wanted / scale - other) <= 1e-12 * max(1.0, other) for scale in (1, 100) for other in numbers)
    value = squeeze(asked.value)
    if not value or value in squeezed:
        return True
    if asked.kind == "text" and " " in asked.value:
        return all(word in squeezed for word in map(squeeze, asked.value.split()))
    if asked.kind == "path":
        last = squeeze(asked.value.rstrip("/").rsplit("/", 1)[-1])
        return bool(last) and last in squeezed
    if number := re.fullmatch(r"(\d+)-[a-z]+", asked.value):  # `64-dimensional`
        return float(number[1]) in numbers
    bases = [re.sub(r"v?\d+$", "", value), squeeze(asked.value.rpartition("-")[0])]  # without a version; `ImageNet-sized`
    return any(len(base) > _SHORT and base in squeezed for base in bases)


def _known_names(index: RepoIndex, entry: EntryPoint | None) -> frozenset[str]:
    """What is a name in this repository: of a folder, of a file, and the choices of the program."""
    found = {squeeze(part.rpartition(".")[0] or part) for file in index.files.files for part in file.path.split("/")}
    for option in entry.options if entry is not None else ():
        found.update(map(squeeze, option.choices or ()))
    return frozenset(name for name in found if len(name) > _SHORT)


def _program(answer: Answer, index: RepoIndex) -> tuple[EntryPoint, list[Given]] | None:
    """The last program of the repository that a command line runs, with what it is given."""
    programs = Programs(index, path_set="PYTHONPATH" in answer.code)
    workdir = index.files.normalise(answer.workdir or ".") or "."
    last: tuple[EntryPoint, list[Given]] | None = None
    for command in parse(answer.code).commands[:50]:
        target = run_target(command.words)
        here = join(workdir, command.cwd) if command.cwd is not None else None
        path = programs.find(command, target, here).path if target is not None and here is not None else None
        entry = programs.entry(path) if path is not None else None
        if entry is not None and target is not None:
            last = entry, check_options(entry, arguments_of(command.words[target.index + 1 :], ()))[1]
    return last


def _flags(instruction: str, entry: EntryPoint, given: list[Given]) -> Iterator[Finding]:
    """Flags whose words stand in the task, one behind the other, and that are not given."""
    words = [w.lower() for w in re.findall(r"[A-Za-z][\w']*", instruction.replace("-", " ").replace("_", " "))]
    taken = {id(one.option) for one in given}
    said = {word for one in given for word in meaning(one.option.name)}
    for option in entry.options:
        parts = [p for p in re.split(r"[-_.]", option.name.lstrip("-").lower()) if p]
        if option.action != "flag" or id(option) in taken or option.command is not None or option.positional:
            continue
        own = [p for p in parts if p not in ("no", "use", "do", "enable", "is", "with")]
        if not own or (len(own) == 1 and (own[0] in _FEW or len(own[0]) <= _SHORT)) or said.issuperset(own):
            continue
        spot = _spot(own, words)
        if spot is None:
            continue
        denied = not _WITHOUT.isdisjoint(words[max(0, spot - 3) : spot])
        if denied == (parts[0] == "no"):
            message = f"the task may ask for `{option.name}`, and the answer does not give it"
            yield Finding("unplaced", message, " ".join(own), option.source, option.name, "warning")


def _spot(own: list[str], words: list[str]) -> int | None:
    """Where the words of an option's name stand in the task, one behind the other, in the singular or the plural."""
    wanted = [word.rstrip("s") for word in own]
    plain = [word.rstrip("s") for word in words]
    return next((at for at in range(len(plain)) if plain[at : at + len(wanted)] == wanted), None)
