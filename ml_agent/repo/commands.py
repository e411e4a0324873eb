"""Documented commands: each command line in READMEs, docs and shell scripts, joined to the program that it runs."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ml_agent.repo.built import built_programs
from ml_agent.repo.documents import CodeBlock, Document, Section
from ml_agent.repo.documents.pythontext import python_of
from ml_agent.repo.entrypoints.console_scripts import ConsoleScript, console_scripts
from ml_agent.repo.files import FileTable
from ml_agent.repo.locate import UNKNOWN_FOLDERS, locate
from ml_agent.repo.modules.roots import ImportRoots
from ml_agent.repo.shell import ShellCommand, Target, command_word, parse, run_target
from ml_agent.repo.shell.continuations import continued
from ml_agent.repo.shell.launcher_table import PYTHON
from ml_agent.repo.shell.prompts import gives_arguments, runs, strip_prompts
from ml_agent.repo.shell.prose import in_prose
from ml_agent.repo.synopses import hidden, one_word_each, shown, without_optional


@dataclass(frozen=True, slots=True)
class _Scripts:
    """What can be started besides the files: commands that the repository installs, and the names of the programs that it builds."""

    installed: Mapping[str, ConsoleScript]
    built: frozenset[str]
    packages: Mapping[str, str]
    """Folders of packages that are installed under another name, by that name."""


MAX_COMMANDS = 50_000
MAX_INTRO = 500

_SHELL_LANGUAGES = frozenset(
    ("", "bash", "console", "fish", "bat", "batch", "cmd", "powershell", "ps1", "slurm", "sbatch", "dockerfile", "makefile")
)
_TYPED = frozenset(("bash", "console"))
_NOTEBOOK_LANGUAGES = frozenset(("python", "ipython", "pycon", "jupyter"))
_DOCSTRING = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n){0,60}[rR]?(?P<marks>\"{3}|'{3})(?P<text>.{0,6000}?)(?P=marks)", re.DOTALL)
_ARROWS = re.compile(r"^[ \t]*>>>[ \t]+", re.MULTILINE)
_CONTAINERS = (["docker", "run"], ["podman", "run"], ["nvidia-docker", "run"])
_FRONT = re.compile(rf"(?:\$(?P<brace>\{{)?(?P<name>[A-Za-z_]\w*)(?(brace)\}})|{UNKNOWN_FOLDERS})/+")
"""A folder that only a run, or the reader, knows."""


@dataclass(frozen=True, slots=True)
class Command:
    """One documented command that runs a program of the repository."""

    words: tuple[str, ...]
    """All words, as written after variables were resolved; quotes removed. A variable without a known value stays `$NAME`.
    A bare `train.py` in front, which no shell would find, is written out as `python train.py`."""
    target: str
    """The program's file, relative to the repository's root."""
    target_index: int
    """Which word names the program; the words after it are the program's own."""
    workdir: str
    """The folder that it runs from, relative to the root."""
    source: str
    """`path:line` of the command's first line."""
    headings: tuple[str, ...] = ()
    intro: str = ""
    text: str = ""
    """The command as it stands in the file, continuation lines joined."""
    environment: tuple[tuple[str, str], ...] = ()
    """Assignments in front of the command itself (`CUDA_VISIBLE_DEVICES=0 python ...`)."""
    variables: tuple[str, ...] = ()
    """Names of `$NAME` variables that the words still hold; not `$1`, which nobody can set by name."""
    loops: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Loop variables around the command with the values they take; the first value is in `words`."""
    redirects: tuple[tuple[str, str], ...] = ()
    """Of a program that the repository builds: operator and file, `<` and `corpus.txt`."""

    @property
    def arguments(self) -> tuple[str, ...]:
        return self.words[self.target_index + 1 :]


def read_commands(files: FileTable, documents: tuple[Document, ...]) -> tuple[Command, ...]:
    """Every command in documents and shell scripts that runs a program of the repository, and those that a program gives for itself:
    in the documents' order, then the scripts', then the programs'."""
    found: list[Command] = []
    scripts = _Scripts(console_scripts(files), built_programs(files), ImportRoots(files).mapped)
    for commands in (
        *(_of_document(files, scripts, d) for d in documents),
        *(_of_script(files, scripts, f.path) for f in files.files if f.path.endswith((".sh", ".bash"))),
        *(_of_docstring(files, scripts, f.path) for f in files.files if f.path.endswith(".py")),
    ):
        found.extend(commands)
        if len(found) >= MAX_COMMANDS:
            break
    return tuple(found[:MAX_COMMANDS])


def _of_document(files: FileTable, scripts: _Scripts, document: Document) -> Iterator[Command]:
    folder = _folder(document.path)
    taken: set[int] = set()
    last: tuple[tuple[str, ...], str | None] = ((), None)  # a section's headings and where the `cd`s of its blocks so far lead to
    known: Mapping[str, str] = {}  # options that the blocks so far keep in variables: readers go through a document in one terminal
    for block in document.blocks:
        lines = block.code.count("\n") + 1
        taken.update(range(block.line, block.line + lines))
        magics = block.language in _NOTEBOOK_LANGUAGES
        typed = magics and re.search(r"^\s*[!%]", block.code, re.MULTILINE) is not None
        if not (typed or block.language in _SHELL_LANGUAGES or (magics and _is_shell(block.code))):
            continue
        stripped, line_map = strip_prompts(block.code if typed else _ARROWS.sub("", block.code))
        code = continued(stripped)
        if not code.strip() or (typed and stripped == block.code):
            continue
        reader = _Reader(files, scripts, folder, code, block, [block.line + n - 1 for n in line_map], known)
        before = last[1] if last[0] == block.headings else None
        yield from reader.commands(before)
        last = block.headings, _joined(before, reader.cwd)
        known = {name: value for name, value in reader.variables.items() if value.startswith("-")}
    if not document.path.endswith(".ipynb"):
        yield from _inline(files, scripts, document, taken)


def _is_shell(code: str) -> bool:
    """Commands that a document shows as Python."""
    return any(runs(re.sub(r"^\s*(?:>>>|\$)\s+", "", line)) for line in code.split("\n")) and python_of(code) is None


def _of_script(files: FileTable, scripts: _Scripts, path: str) -> Iterator[Command]:
    try:
        text = files.read(path)
    except OSError:
        return
    if not text.binary:
        block = CodeBlock("bash", text.text, path, 1)
        yield from _Reader(files, scripts, _folder(path), text.text, block, None).commands(None)


def _of_docstring(files: FileTable, scripts: _Scripts, path: str) -> Iterator[Command]:
    """What a program says at its head about how it is started."""
    try:
        text = files.read(path).text
    except OSError:
        return
    if (found := _DOCSTRING.match(text)) is None:
        return
    lines = found["text"].split("\n")
    start, intro = text.count("\n", 0, found.start("text")) + 1, next((line.strip() for line in lines if re.search(r"\w[^:]*$", line)), "")
    for at, code in in_prose(lines):
        made = _of_prose(files, scripts, CodeBlock("", code, path, start + at, (), intro[:MAX_INTRO]))
        yield from (command for command in made if command.target == path)


def _inline(files: FileTable, scripts: _Scripts, document: Document, taken: set[int]) -> Iterator[Command]:
    """Commands in running text."""
    try:
        text = files.read(document.path).text
    except OSError:
        return
    sections = sorted(document.sections, key=lambda s: s.line)
    position = 0
    lines = ["" if number in taken else line for number, line in enumerate(text.split("\n"), 1)]
    for at, code in in_prose(lines, scripts.installed):
        number = at + 1
        while position + 1 < len(sections) and sections[position + 1].line <= number:
            position += 1
        section = sections[position] if sections else Section(document.path, 1, (), "")
        prose = " ".join(lines[at].split())
        block = CodeBlock("", code, document.path, number, section.headings, prose[:MAX_INTRO])
        yield from _of_prose(files, scripts, block)


def _of_prose(files: FileTable, scripts: _Scripts, block: CodeBlock) -> Iterator[Command]:
    lines = range(block.line, block.line + block.code.count("\n") + 1)
    return _Reader(files, scripts, _folder(block.path), block.code, block, lines).commands(None)


class _Reader:
    """Commands of one block or script. `lines` are the file's line numbers of the code's lines; None if they are the same. `known`:
    variables that are set before it."""

    def __init__(
        self,
        files: FileTable,
        scripts: _Scripts,
        folder: str,
        code: str,
        block: CodeBlock,
        lines: Sequence[int] | None,
        known: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._files, self._scripts, self._folder, self._block, self._lines = files, scripts, folder, block, lines
        self._code = code.split("\n")
        self._script = parse(hidden(code) if lines is not None else code, known)
        self.cwd = self._script.cwd
        """The folder after the last command."""
        self.variables = self._script.variables
        """With their values there, as `hidden` wrote them."""

    def commands(self, before: str | None) -> Iterator[Command]:
        """`before` is the folder that the block before ended in: readers go through a section in one terminal."""
        for command in self._script.commands:
            if found := self._command(command, before):
                yield found

    def _command(self, command: ShellCommand, before: str | None) -> Command | None:
        words = one_word_each(_in_container(without_optional([shown(w.text) for w in command.words])))
        target = run_target(words)
        if target is not None and target.direct and "/" not in words[target.index] and target.interpreter:
            words.insert(target.index, target.interpreter)  # no shell finds a bare `train.py`: people write it for short
            target = run_target(words)
        if target is None:
            target = self._installed(words)
        if target is None:
            return None
        folders = (_joined(before, command.cwd), command.cwd) if before is not None else (command.cwd,)
        place = locate(self._files, target, folders, self._folder, self._scripts.packages)
        redirects: tuple[tuple[str, str], ...] = ()
        if place is None and (place := self._made(target, folders)) is not None:
            redirects = tuple((r.operator, shown(r.target)) for r in command.redirects if r.operator in ("<", ">") and r.target)
        if place is None:
            return None
        number = self._lines[command.line - 1] if self._lines is not None else command.line
        if front := _FRONT.match(words[target.index]):
            words = _without_front(words, target.index, front, posixpath.relpath(place[0], place[1]))
        variables = dict.fromkeys(
            n for w in command.words for n in w.variables if n.isidentifier() and any(_holds(n, word) for word in words)
        )
        intro = " ".join(part for part in (self._block.intro, self._comment(command.line)) if part)
        return Command(
            words=tuple(words),
            target=place[0],
            target_index=target.index,
            workdir=place[1],
            source=f"{self._block.path}:{number}",
            headings=self._block.headings,
            intro=intro[-MAX_INTRO:],
            text=shown(command.text),
            environment=command.assignments,
            variables=tuple(variables),
            loops=command.loops,
            redirects=redirects,
        )

    def _made(self, target: Target, folders: Sequence[str | None]) -> tuple[str, str] | None:
        """Where a program that the repository builds will lie, and the folder to start it from."""
        if not target.direct or target.value.startswith("/") or target.value.rpartition("/")[2] not in self._scripts.built:
            return None
        folder = next((f for f in folders if f and self._files.is_folder(f)), ".")
        path = posixpath.normpath(posixpath.join(folder, target.value))
        return None if path.startswith("../") else (path, folder)

    def _installed(self, words: list[str]) -> Target | None:
        """The program behind a command that the repository installs itself."""
        index = command_word(words) if gives_arguments(words, shell=self._block.language in _TYPED) else None
        script = self._scripts.installed.get(words[index]) if index is not None else None
        return Target("file", script.path, index, tuple(words[:index])) if script is not None and index is not None else None

    def _comment(self, line: int) -> str:
        """The comment lines directly above a command."""
        comments: list[str] = []
        for above in reversed(self._code[max(0, line - 6) : line - 1]):
            text = above.strip()
            if not text.startswith("#") or text.startswith("#!"):
                break
            comments.append(text.lstrip("# "))
        return " ".join(reversed(comments))


def _in_container(words: list[str]) -> list[str]:
    """What `docker run ... python ...` starts inside: from the checkout itself it is run so."""
    if words[:1] == ["sudo"] and words[1:3] in _CONTAINERS:
        words = words[1:]
    start = next((k for k, word in enumerate(words) if PYTHON.fullmatch(word)), 0) if words[:2] in _CONTAINERS else 0
    return words[start:]


def _without_front(words: list[str], index: int, front: re.Match[str], path: str) -> list[str]:
    """The words with the program's `path` from its working folder; so a variable in front of it is known wherever else it stands."""
    head = path.removesuffix(words[index][front.end() :])
    name = front["name"]
    if name and name != "HOME":
        known = re.compile(rf"\$(?:{name}(?!\w)|\{{{name}\}})(?P<end>/*)")
        words = [known.sub(lambda m: head if m["end"] else head or ".", word) or "." for word in words]
    return [*words[:index], path, *words[index + 1 :]]


def _holds(name: str, word: str) -> bool:
    return re.search(rf"\$\{{?{name}(?!\w)", word) is not None


def _joined(before: str | None, cwd: str | None) -> str | None:
    return None if cwd is None else posixpath.normpath(posixpath.join(before or ".", cwd))


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "."
