"""Does the program that a command runs exist from its folder, and if not, what was meant?"""

import posixpath
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.modules import nearest_names
from ml_agent.repo.modules.roots import join, read_text, split
from ml_agent.repo.shell import ShellCommand, Target, command_word
from ml_agent.verify.findings import Finding

if TYPE_CHECKING:
    from ml_agent.repo.entrypoints import ConsoleScript

_SCRIPTS = (".py", ".sh", ".bash", ".ipynb", ".pl", ".R", ".jl", ".lua")
_LOOKED_AT = 60


@dataclass(frozen=True, slots=True)
class Found:
    """The program's file in the repository, or what is wrong with its name; neither, if nothing can be said."""

    path: str | None = None
    finding: Finding | None = None


class Programs:
    def __init__(self, index: RepoIndex, *, path_set: bool) -> None:
        """`path_set`: the answer sets PYTHONPATH, so that modules may be found from other folders too."""
        self._index = index
        self._path_set = path_set
        self._files = index.files

    def entry(self, path: str) -> EntryPoint | None:
        """The program at that path, with its options; None if it is none that can be read."""
        return self._index.entry_point(path)

    def installed(self, command: ShellCommand) -> tuple[EntryPoint, int] | None:
        """The program behind a command that the repository installs (a console script), and the word that names it."""
        index = command_word(command.words)
        word = command.words[index] if index is not None else None
        if index is None or word is None or word.dynamic or not re.fullmatch(r"[\w.-]+", word.text):
            return None
        script = self._scripts.get(word.text)
        if script is None:
            return None
        from ml_agent.repo.entrypoints import read_entry_point  # its readers take long to import

        entry = read_entry_point(self._files, script.path, script.function)
        return (entry, index) if entry is not None else None

    @cached_property
    def _scripts(self) -> "dict[str, ConsoleScript]":
        from ml_agent.repo.entrypoints.console_scripts import console_scripts

        return console_scripts(self._files)

    def find(self, command: ShellCommand, target: Target, here: str) -> Found:
        """Look for the program of a command that runs in `here`, a folder of the repository."""
        word = command.words[target.index]
        if word.dynamic or target.value.startswith("~"):
            return Found()
        return self._module(command, target, here) if target.kind == "module" else self._file(command, target, here)

    # ------------------------------------------------------------------ files
    def _file(self, command: ShellCommand, target: Target, here: str) -> Found:
        value = target.value
        root = self._files.root.as_posix()
        path = posixpath.normpath(value)[len(root) + 1 :] if value.startswith(root + "/") else join(here, value)
        if path is not None and self._files.is_file(path):
            return Found(path)
        if path is not None and self._files.is_folder(path):
            return Found(self._main_of(path))
        if path is None or not value.endswith(_SCRIPTS):
            return Found()  # outside the repository, or a program of the system
        sourced = command.words[0].text in ("source", ".")
        message = f"there is no `{path}` in the repository"
        suggestion = self._instead(command, target, here, value)
        return Found(
            finding=Finding("program", message, command.words[target.index].raw, None, suggestion, "warning" if sourced else "error")
        )

    def _main_of(self, folder: str) -> str | None:
        """What `python FOLDER` runs."""
        path = join(folder, "__main__.py")
        return path if path is not None and self._files.is_file(path) else None

    def _instead(self, command: ShellCommand, target: Target, here: str, value: str) -> str | None:
        name, suffix = split(value)[1], posixpath.splitext(value)[1]
        wanted = join(here, value) or value
        arguments = [w.text.partition("=")[0] for w in command.words[target.index + 1 :] if w.text.startswith("-")]
        programs = [f.path for f in self._files.files if f.path.endswith(suffix) and not split(f.path)[1].startswith("__")]
        named = [p for p in programs if split(p)[1].lower() == name.lower()]
        beside = {p for p in programs if here != "." and len(named) != 1 and split(p)[0] == split(wanted)[0]}
        candidates = [*named, *(p for p in programs if p in beside and p not in named)][:_LOOKED_AT]
        if not candidates:
            siblings = {split(p)[1]: p for p in programs if split(p)[0] == split(wanted)[0]}
            candidates = [siblings[n] for n in nearest_names(name, siblings, 1)]
        if not candidates:
            spelled = {split(p)[1]: p for p in programs}
            candidates = [spelled[n] for n in nearest_names(name, spelled, 3)]
        if not candidates:
            return None
        best = max(
            candidates,
            key=lambda p: (
                "/" in value and p.endswith("/" + value),
                self._fit(p, arguments) + (p in beside),
                split(p)[1] == name,
                _likeness(p, wanted),
            ),
        )
        folder, program = (best[: -len(value) - 1], value) if best.endswith("/" + value) else split(best)
        launcher = [w for w in target.launcher if not w.endswith("/env")]
        words = shlex.join([*launcher, program])
        relative = posixpath.relpath(folder, here)
        return words if relative == "." else f"cd {shlex.quote(relative)} && {words}"

    def _fit(self, path: str, arguments: Sequence[str]) -> int:
        """How many of the options stand in a program's text; dozens of candidates are too many to be read as programs."""
        text = read_text(self._files, path) if arguments else ""
        return sum(f'"{a}"' in text or f"'{a}'" in text or f'"{a.lstrip("-")}"' in text for a in arguments)

    # ------------------------------------------------------------------ modules
    def _module(self, command: ShellCommand, target: Target, here: str) -> Found:
        modules = self._index.modules
        place = f"-m {target.value}"
        module = modules.find(target.value, here)
        if module is not None:
            path = self._main_of(module.place.folder) if module.package else module.path
            if path is None:
                if not module.place.readable:
                    return Found()
                message = f"`{target.value}` is a package without `__main__.py`"
                near = nearest_names("main", module.submodules, 1)
                return Found(
                    finding=Finding("program", message, place, f"{module.path}:1", f"-m {target.value}.{near[0]}" if near else None)
                )
            if not module.certain and not self._path_set:
                folder = module.place.root.folder
                message = f"`{target.value}` can be found from `{folder}` only"
                suggestion = f"cd {shlex.quote(posixpath.relpath(folder, here))} && {shlex.join([*target.launcher, target.value])}"
                return Found(path, Finding("program", message, place, f"{path}:1", suggestion, "warning"))
            return Found(path)
        return self._no_module(target, here, place)

    def _no_module(self, target: Target, here: str, place: str) -> Found:
        modules = self._index.modules
        owner = modules.owner(target.value, here)
        tail = target.value.replace(".", "/") + ".py"
        elsewhere = [f.path for f in self._files.files if f.path.endswith("/" + tail)]
        if owner is None and not elsewhere:
            return Found()  # a module of Python or of an installed package
        suggestion: str | None = None
        if elsewhere:
            best = min(elsewhere, key=lambda p: (p.count("/"), p))
            folder = posixpath.relpath(best[: -len(tail) - 1], here)
            suggestion = f"cd {shlex.quote(folder)} && {shlex.join([*target.launcher, target.value])}"
        elif owner is not None:
            missing = target.value.split(".")[owner.dotted.count(".") + 1]
            if not owner.place.readable or modules.may_be_generated(missing):
                return Found()
            if near := nearest_names(missing, owner.submodules, 1):
                suggestion = f"-m {owner.dotted}.{near[0]}"
        sure = owner is not None and owner.certain and not (owner.namespace and "." not in owner.dotted)
        severity: Literal["error", "warning"] = "error" if sure else "warning"
        source = f"{owner.path}:1" if owner else None
        return Found(
            finding=Finding("program", f"there is no module `{target.value}` in the repository", place, source, suggestion, severity)
        )


def _likeness(path: str, wanted: str) -> float:
    from rapidfuzz import fuzz

    return fuzz.ratio(path, wanted) - path.count("/")
