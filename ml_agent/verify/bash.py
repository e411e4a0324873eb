"""Is this command line possible in this repository: its syntax, folders, programs, options and values?"""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.modules import nearest_names
from ml_agent.repo.modules.roots import join, split
from ml_agent.repo.shell import ShellCommand, parse, run_target
from ml_agent.verify.allowances import allow_named_files, wants_old_python, with_launchers_own
from ml_agent.verify.bash_syntax import syntax_findings
from ml_agent.verify.direct import check_direct, sets_path, taken_for_options
from ml_agent.verify.findings import Finding
from ml_agent.verify.folders import check_cd
from ml_agent.verify.made import Made
from ml_agent.verify.options import check_options
from ml_agent.verify.placeholders import Placeholders, quote_unquoted, refused
from ml_agent.verify.programs import Programs
from ml_agent.verify.reading import Given, arguments_of
from ml_agent.verify.task_words import check_task

CheckProgram = Callable[[str, str], list[Finding]]
"""Checks the Python text of `python -c`, given the text and the folder that it starts in."""

MAX_COMMANDS = 500
"""Of one answer; a warning says so if there are more."""
_SETTINGS = (".yaml", ".yml", ".json", ".toml", ".ini", ".cfg", ".conf", ".py", ".sh", ".gin", ".jsonnet")
_OUTPUT = re.compile(r"out|save|log|dump|result|dest|target|write|export|report|record|checkpoint|ckpt|cache|tmp|temp", re.IGNORECASE)


def check_bash(text: str, workdir: str, index: RepoIndex, check_program: CheckProgram) -> list[Finding]:
    """All findings about a command line or script that starts in `workdir` (an existing folder, relative to the root)."""
    sound_text, stand_ins = quote_unquoted(text)
    script = parse(sound_text)
    findings, sound = syntax_findings(sound_text, script.errors)
    if findings and not sound:
        return [*map(refused, stand_ins), *findings]
    findings[:0] = map(refused, stand_ins)
    checker = _Checker(workdir, index, check_program, text, stand_ins)
    for command in script.commands[:MAX_COMMANDS]:
        found = [f for f in checker.check(command) if f.kind != "placeholder" or not any(s in f.place for s in stand_ins)]
        # Where the grammar stumbled over sound text, its commands are not to be relied on.
        findings.extend(f if not script.errors else replace(f, severity="warning") for f in found)
    if len(script.commands) > MAX_COMMANDS:
        findings.append(Finding("syntax", f"only the first {MAX_COMMANDS} commands were checked", "", severity="warning"))
    if not checker.used:
        findings.append(Finding("nothing", "nothing of the repository is run", text.strip().split("\n", 1)[0][:80], severity="warning"))
    return [_as_written(f, stand_ins) for f in findings]


def _as_written(finding: Finding, stand_ins: tuple[str, ...]) -> Finding:
    """Without the quotes that were put around placeholders."""
    place, suggestion = finding.place, finding.suggestion
    for one in stand_ins:
        place = place.replace(f"'{one}'", one)
        suggestion = suggestion and suggestion.replace(f"'{one}'", one)
    return replace(finding, place=place, suggestion=suggestion)


class _Checker:
    def __init__(self, workdir: str, index: RepoIndex, check_program: CheckProgram, text: str, stand_ins: tuple[str, ...]) -> None:
        self._placeholders = Placeholders(text, index.files)
        self._path_set = sets_path(text)
        self._stand_ins = stand_ins
        self._workdir = workdir
        self._index = index
        self._check_program = check_program
        self._made = Made(workdir)
        self._programs = Programs(index, path_set="PYTHONPATH" in text)
        self.used = False

    def check(self, command: ShellCommand) -> Iterator[Finding]:
        """Findings about the next command."""
        yield from self._check(command)
        self._made.note(command)

    def _check(self, command: ShellCommand) -> Iterator[Finding]:
        first = command.words[0]
        if prompt := re.match(r"([$%>#]|>>>)(\s+|$)", first.raw):
            rest = command.text.lstrip().removeprefix(prompt[1]).strip()
            yield Finding(
                "syntax", f"`{prompt[1]}` is a prompt, not a command: a shell cannot run it", command.text[:80], suggestion=rest or None
            )
            return
        if re.match(r"[!%][A-Za-z.]", first.raw):
            yield Finding(
                "syntax",
                f"`{first.raw[0]}` in front of a command is for notebooks only",
                command.text[:80],
                suggestion=command.text.lstrip()[1:],
            )
            return
        if re.match(r"--?[A-Za-z]", first.raw):
            yield Finding("program", f"`{first.raw[:80]}` is an option, and no program stands in front of it", command.text[:80])
            return
        if first.text in ("cd", "pushd"):
            stands_in = any(s in w.text for w in command.words for s in self._stand_ins)
            if not stands_in and (finding := check_cd(command, self._workdir, self._index, self._made)):
                yield finding
            yield from self._placeholders.findings(command.words[1:], self._workdir)
            return
        here = join(self._workdir, command.cwd) if command.cwd is not None else None
        if here is None or not self._index.files.is_folder(here):
            self.used = self.used or run_target(command.words) is not None
            return  # nothing is known of that folder, or it was judged at its `cd`
        yield from self._inline(command, here)
        yield from self._run(command, here)

    def _inline(self, command: ShellCommand, here: str) -> Iterator[Finding]:
        texts = [w.text for w in command.words]
        for index in range(1, len(texts) - 1):
            if texts[index] == "-c" and re.fullmatch(r"(?:.*/)?python[\d.]*", texts[index - 1]):
                if not command.words[index + 1].dynamic:
                    findings = self._check_program(texts[index + 1], here)
                    self.used = self.used or not any(f.kind == "nothing" for f in findings)
                    yield from (f for f in findings if f.kind != "nothing")
                return

    def _run(self, command: ShellCommand, here: str) -> Iterator[Finding]:
        target = run_target(command.words)
        if target is None:
            if finding := taken_for_options(command.words, here, self._index):
                self.used = True
                yield finding
            elif installed := self._programs.installed(command):
                yield from self._arguments(command, installed[0], installed[1] + 1, here)
            else:
                findings, uses = check_task(command, here, self._index, self._made)
                self.used = self.used or uses
                yield from findings
            return
        found = self._programs.find(command, target, here)
        if found.finding is not None:
            wanted = join(here, target.value)
            if found.path is None and wanted is not None and self._made.may_hold(wanted):
                self.used = True
                return
            yield found.finding
        if found.path is None:
            self.used = self.used or command.words[target.index].dynamic or found.finding is not None
            if found.finding is not None:
                yield from self._placeholders.findings(command.words, here)
            return
        if finding := check_direct(command, target, found.path, self._index, self._made, path_set=self._path_set):
            yield finding
        if finding := wants_old_python(found.path, self._index):
            yield finding
        self._made.ran = True
        entry = self._programs.entry(found.path)
        start = target.index + 1
        if "streamlit" in target.launcher:  # it takes the words before a `--` itself
            start = next((i + 1 for i, w in enumerate(command.words) if i >= start and w.text == "--"), len(command.words))
        yield from self._arguments(command, entry, start, here, target.launcher)

    def _arguments(
        self, command: ShellCommand, entry: EntryPoint | None, start: int, here: str, launcher: tuple[str, ...] = ()
    ) -> Iterator[Finding]:
        """Findings about the words of a command from `start` on, which the program gets, with what `launcher` puts in front of them."""
        self.used = True
        yield from self._placeholders.findings(command.words, here)
        if entry is None:
            return
        arguments = with_launchers_own(entry, launcher, arguments_of(command.words[start:], self._stand_ins))
        findings, given = check_options(entry, arguments)
        yield from allow_named_files(findings, given, self._index)
        yield from self._files_in(given, {a.text for a in arguments if a.open}, here)

    def _files_in(self, given: list[Given], open_values: set[str], here: str) -> Iterator[Finding]:
        """Warnings for values that are plainly meant to name a file of the repository, and do not."""
        files = self._index.files
        for one in given:
            for value in one.values:
                path = join(here, value)
                suffix = posixpath.splitext(value)[1]
                if suffix not in _SETTINGS or value in open_values or _OUTPUT.search(one.option.name) or path is None:
                    continue
                folder = split(path)[0]
                if folder == "." or not files.is_folder(folder) or files.is_file(path) or self._made.may_hold(path):
                    continue
                beside = [f.path for f in files.files if split(f.path)[0] == folder and f.path.endswith(suffix)]
                if not beside:
                    continue  # a folder for something else
                near = next(iter(nearest_names(path, beside, 1)), None) or files.nearest(path)
                suggestion = posixpath.relpath(near, here) if near else None
                yield Finding("file", f"there is no {path!r} in the repository", one.place, one.option.source, suggestion, "warning")
