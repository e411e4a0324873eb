"""Is this command line possible in this repository: its syntax, folders, programs, options and values?"""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.modules.roots import join, split
from ml_agent.repo.shell import ShellCommand, parse, run_target
from ml_agent.verify.bash_syntax import syntax_findings
from ml_agent.verify.findings import Finding
from ml_agent.verify.folders import check_cd
from ml_agent.verify.made import Made
from ml_agent.verify.options import check_options
from ml_agent.verify.programs import Programs
from ml_agent.verify.reading import Given, arguments_of

CheckProgram = Callable[[str, str], list[Finding]]
"""Checks the Python text of `python -c`, given the text and the folder that it starts in."""

MAX_COMMANDS = 500
"""Of one answer; a warning says so if there are more."""
_SETTINGS = (".yaml", ".yml", ".json", ".toml", ".ini", ".cfg", ".conf", ".py", ".sh", ".gin", ".jsonnet")
_OUTPUT = re.compile(r"out|save|log|dump|result|dest|target|write|export|report|record|checkpoint|ckpt|cache|tmp|temp", re.IGNORECASE)


def check_bash(text: str, workdir: str, index: RepoIndex, check_program: CheckProgram) -> list[Finding]:
    """All findings about a command line or script that starts in `workdir` (an existing folder, relative to the root)."""
    script = parse(text)
    findings, sound = syntax_findings(text, script.errors)
    if findings and not sound:
        return findings
    path_set = "PYTHONPATH" in text
    checker = _Checker(workdir, index, check_program, Programs(index, path_set=path_set))
    for command in script.commands[:MAX_COMMANDS]:
        found = list(checker.check(command))
        # Where the grammar stumbled over sound text, its commands are not to be relied on.
        findings.extend(f if not script.errors else replace(f, severity="warning") for f in found)
    if len(script.commands) > MAX_COMMANDS:
        findings.append(Finding("syntax", f"only the first {MAX_COMMANDS} commands were checked", "", severity="warning"))
    if not checker.used:
        findings.append(Finding("nothing", "nothing of the repository is run", text.strip().split("\n", 1)[0][:80], severity="warning"))
    return findings


class _Checker:
    def __init__(self, workdir: str, index: RepoIndex, check_program: CheckProgram, programs: Programs) -> None:
        self._workdir = workdir
        self._index = index
        self._check_program = check_program
        self._made = Made(workdir)
        self._programs = programs
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
        if first.text in ("cd", "pushd"):
            if finding := check_cd(command, self._workdir, self._index, self._made):
                yield finding
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
            return
        self.used = self._made.ran = True
        entry = self._programs.entry(found.path)
        if entry is None:
            return
        arguments = arguments_of(command.words[target.index + 1 :])
        findings, given = check_options(entry, arguments)
        yield from findings
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
                if not any(split(f.path)[0] == folder and f.path.endswith(suffix) for f in files.files):
                    continue  # a folder for something else
                near = files.nearest(path)
                suggestion = posixpath.relpath(near, here) if near else None
                yield Finding("file", f"there is no {path!r} in the repository", one.place, one.option.source, suggestion, "warning")
