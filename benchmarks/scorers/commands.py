"""Is a command the one that the ground truth runs, as far as the task asks for it?"""

import posixpath
import re
from collections.abc import Collection
from dataclasses import replace
from typing import Protocol

from ml_agent.benchmarks.base import Sample, Verdict
from ml_agent.benchmarks.scorers.command_words import Words, canonical, read_words
from ml_agent.benchmarks.scorers.shell_reading import Run, read_command, read_runs
from ml_agent.benchmarks.scorers.wanted import is_asked, same, same_values
from ml_agent.repo.entrypoints import EntryPoint


class Programs(Protocol):
    """What the programs of the repositories take, each repository by its name."""

    def __call__(self, repository: str, path: str) -> EntryPoint | None:
        """The program at that path; None if there is none that can be read."""

    def installed(self, repository: str, name: str) -> EntryPoint | None:
        """The command of that name, which the repository installs; None if it installs none that can be read."""


_COMMENT = re.compile(r"(?<=\S)\s+#(?:(?!\s-)[^\n])*(?=\s--?[A-Za-z])")
_SETTING = re.compile(r"[^\s='\"]+=")
_HELP = ("-h", "--help", "--version")


def path_of(start: str, run: Run) -> str | None:
    """The program's path, relative to the repository's root, if the text starts in `start`."""
    if run.folder is None:
        return None
    path = posixpath.normpath(posixpath.join(start or ".", run.folder, run.program))
    return None if path.startswith(("../", "/")) or path == ".." else path


def truth_of(sample: Sample) -> Run | None:
    """The last program that the ground truth runs; None if it runs none that can be read.

    Options behind a `#` on the same line belong to it: lines were joined there, and what the task asks for stands behind.
    """
    text = _COMMENT.sub(" ", sample.output)
    runs = read_runs(text, sample.prefix_code)
    return runs[-1] if runs else None


def judge_command(sample: Sample, answer: str, start: str, programs: Programs | None = None) -> Verdict:
    """Where the ground truth runs no script, but another command: an installed one, a built binary, `make`. Its last one counts."""
    truth, have = read_command(sample.output, sample.prefix_code), read_command(answer, sample.prefix_code)
    if truth is None:
        return Verdict(False, "unreachable", "no command can be read in the ground truth")
    if have is None:
        return Verdict(False, "nothing_run", "no command is surely run")
    entry = None
    if "/" in truth.program:  # a bare name is looked up on PATH, not in the folder
        target = path_of(sample.workdir, truth)
        alike = target is not None and path_of(start, have) == target and ("/" in have.program or not have.command)
    else:  # an installed command may be started as the module or the script of its name, or as its own file, too
        entry = programs.installed(sample.repository, truth.program) if programs is not None else None
        alike = truth.program == (have.program if have.command else posixpath.basename(have.program).removesuffix(".py"))
        here = _folder(start, have) == _folder(sample.workdir, truth) is not None
        alike = alike or (here and programs is not None and entry is not None and _is_file_of(entry, have, sample, start, programs))
    if not alike:
        return Verdict(False, "wrong_program", f"{have.program}, not {truth.program}")
    return judge_words(sample, read_words(truth.words, entry), read_words(have.words, entry), entry)


def _folder(start: str, run: Run) -> str | None:
    return posixpath.normpath(posixpath.join(start or ".", run.folder)) if run.folder is not None else None


def _is_file_of(entry: EntryPoint, have: Run, sample: Sample, start: str, programs: Programs) -> bool:
    """Whether a script that is run is the file of an installed command, and takes the same as the command."""
    path = None if have.command else path_of(start, have)
    if path is None or entry.path not in (path, f"{path.removesuffix('.py')}/__main__.py"):
        return False
    started = programs(sample.repository, entry.path)
    return started is not None and started.options == entry.options and started.usage == entry.usage


def judge_run(sample: Sample, truth: Run, run: Run, starts: Collection[str], programs: Programs | None) -> Verdict:
    """`starts`: folders that the answer may start in."""
    target = path_of(sample.workdir, truth)
    if not any(path_of(start, run) == target for start in starts):
        return Verdict(False, "wrong_program", f"{run.folder or '?'}: {run.program}, not {target}")
    entry = programs(sample.repository, target) if programs is not None and target is not None else None
    return judge_words(sample, read_words(truth.words, entry), read_words(run.words, entry), entry)


def runs_by_name(sample: Sample, truth: Run, answer: str, start: str, programs: Programs) -> Run | None:
    """What the answer runs last, if that is the command that the repository installs for the ground truth's script, where that is run."""
    have, target = read_command(answer, sample.prefix_code), path_of(sample.workdir, truth)
    if have is None or not have.command or target is None or _folder(start, have) != _folder(sample.workdir, truth):
        return None
    entry = programs.installed(sample.repository, have.program)
    return replace(truth, words=have.words) if entry is not None and _is_file_of(entry, truth, sample, sample.workdir, programs) else None


def judge_words(sample: Sample, need: Words, have: Words, entry: EntryPoint | None) -> Verdict:
    if not {name for name in _HELP if name in have.options and name not in need.options}.isdisjoint(have.options):
        return Verdict(False, "nothing_run", "it only prints the program's help")
    if need.command != have.command:
        return Verdict(False, "wrong_program", f"sub-command {have.command}, not {need.command}")
    if entry is not None and not entry.open_ended and (unknown := _unknown(need, have, entry)):
        return Verdict(False, "unknown_option", f"{entry.path} does not take {unknown}")
    for option, values in need.options.items():
        if not is_asked(sample, values):
            continue
        given = have.options.get(option)
        if given is None:
            return Verdict(False, "missing_option", f"{option} {' '.join(values)}")
        if not same_values(values, given):
            return Verdict(False, "wrong_value", f"{option} {' '.join(given)}, not {' '.join(values)}")
        if entry is not None and (refused := _refused(option, values, given, entry)):
            return Verdict(False, "wrong_value", f"{option} does not take {refused}")
    for value in need.positionals:
        if is_asked(sample, [value]) and not any(same(value, given) for given in have.positionals):
            return Verdict(False, "missing_argument", value)
    if entry is not None and (swapped := _swapped(sample, need, have)):
        return Verdict(False, "wrong_value", f"{swapped}, in this order")
    if entry is not None and not entry.open_ended and (extra := _extra(need, have, entry)):
        return Verdict(False, "extra_argument", f"{entry.path} does not take {extra!r}")
    return Verdict(True, "passed")


def _swapped(sample: Sample, need: Words, have: Words) -> str:
    """The positional arguments that are asked for, if they are given in another order: `IN OUT`. Settings (`a=1 b=2`) have none."""
    asked = [value for value in need.positionals if not _SETTING.match(value) and is_asked(sample, [value])]
    given = iter(have.positionals)
    return "" if all(any(same(value, one) for one in given) for value in asked) else " ".join(asked)


def _unknown(need: Words, have: Words, entry: EntryPoint) -> str | None:
    known = {canonical(alias, option) for option in entry.options for alias in option.aliases}
    if not any(option.name.startswith("-") for option in entry.options):
        return None  # none that could be read: it may take any
    return next((have.spelled[name] for name in have.options if name not in known and name not in need.options), None)


def _refused(option: str, values: tuple[str, ...], given: tuple[str, ...], entry: EntryPoint) -> str | None:
    """A value in another case than that of the choices, where the ground truth's is one of them."""
    choices = next((o.choices for o in entry.options if canonical(o.name, o) == option), None)
    if not choices or not all(value in choices for value in values):
        return None
    return next((value for value in given if value not in choices and value.isalpha()), None)


def _extra(need: Words, have: Words, entry: EntryPoint) -> str | None:
    """A positional argument to a program whose options are known and that has none."""
    takes = any(option.positional or option.assigned for option in entry.options)
    if takes or not entry.options or entry.unread or entry.flag_style not in ("gnu", "absl") or need.positionals:
        return None
    return next(iter(have.positionals), None)
