"""The files of a repository beside those that documented commands name: another may be meant."""

import posixpath
import re
from collections.abc import Collection, Iterable

from ml_agent.policies.grounded.kinds import extension
from ml_agent.policies.grounded.unfilled import is_open
from ml_agent.repo.commands import Command

_CHUNK = re.compile(r"[A-Za-z0-9]+")
_MOST = 400
"""Files of one folder that are looked at."""
_SETTINGS = 2000
"""Files of settings that are looked at."""
_A_CONFIG = re.compile(r"(?i)conf|cfg|settings|yaml|yml")
_CONFIGS = re.compile(r"(?i)(?:^|/)(?:conf|configs?|configurations?|cfgs?|settings|options|params|exps?|experiments?)(?:/|$)")
"""Folders of settings."""
_ANYWHERE = re.compile(r"(?i)[./]*path[/_-]?to[/_-]")
_IN_BRACES = re.compile(r"(?:\{[\w-]+\}|<[\w -]+>)\.\w+")


class Folders:
    """The names of a repository's files, by folder and ending."""

    def __init__(self, files: Collection[str]) -> None:
        self._known = frozenset(files)
        self._names: dict[tuple[str, str], list[str]] = {}
        self._namesakes: dict[tuple[str, int], list[str]] = {}
        self._shapes: dict[str, list[str]] = {}
        for file in files:
            folder, _, name = file.rpartition("/")
            self._names.setdefault((folder, extension(name)), []).append(name)
            self._namesakes.setdefault((name, file.count("/")), []).append(file)
            if extension(name):
                self._shapes.setdefault(_CHUNK.sub("a", file), []).append(file)

    def beside(self, commands: Iterable[Command]) -> dict[str, list[str]]:
        """Documented values that are files -> the files of the same kind in their folder, spelled as the value is.

        `configs/base_v1.yaml` -> `configs/base_v2.yaml`: what a program is given one of, it is given the others of as well.
        """
        found: dict[str, list[str]] = {}
        for command in commands:
            for word in command.arguments:
                value = value_in(word)
                path = posixpath.normpath(posixpath.join(command.workdir, value)) if extension(value) else ""
                if value not in found and path not in self._known and (meant := self._meant(value, command)):
                    found[value] = meant
                if value in found or path not in self._known:
                    continue
                names = self._names[path.rpartition("/")[0], extension(path)]
                found[value] = [value.rpartition("/")[0] + "/" * ("/" in value) + name for name in names[:_MOST]]
                if path.endswith(posixpath.normpath(value)):
                    before = path[: len(path) - len(posixpath.normpath(value))]
                    others = self._parallel(path) or self._in_another_folder(path) or self._other_settings(path)
                    found[value] += [other.removeprefix(before) for other in others if other.startswith(before)]
        return found

    def _meant(self, value: str, command: Command) -> list[str]:
        """What may be put in for a file of settings that is none of the repository's: `configs/name.yaml`, `CONFIG.yaml`, `$CONFIG`."""
        endings = [extension(value)] if extension(value) else [".yaml", ".yml", ".json", ".toml", ".py"]
        folder = posixpath.normpath(posixpath.join(command.workdir, value.rpartition("/")[0]))
        beside = self._names.get((folder, extension(value)), ())
        if extension(value) and "/" in value and "$" not in value and not _ANYWHERE.match(value):
            return [f"{value.rpartition('/')[0]}/{name}" for name in beside[:_MOST]]
        braced = _IN_BRACES.fullmatch(value)
        if not _A_CONFIG.search(value) or not (braced or is_open(value, command) or value.startswith("$")):
            return []
        inside = [f for (where, ending), names in self._names.items() if ending in endings for f in (f"{where}/{n}" for n in names)]
        configs = [f for f in inside if _CONFIGS.search(f.rpartition("/")[0])]
        here = "" if command.workdir == "." else command.workdir + "/"
        if braced:
            return [f.rpartition("/")[2] for f in configs][:_MOST]  # the program knows the folder
        return [f.removeprefix(here) for f in configs if f.startswith(here)][:_MOST]

    def _in_another_folder(self, path: str) -> list[str]:
        """Files of the same name that lie in another folder at one of the levels: `configs/owl/train.yaml`, `configs/bat/train.yaml`."""
        parts = path.split("/")[:-1]
        alike = self._namesakes.get((path.rpartition("/")[2], path.count("/")), ())
        return [f for f in alike if sum(a != b for a, b in zip(parts, f.split("/"), strict=False)) == 1][:_MOST]

    def _other_settings(self, path: str) -> list[str]:
        """Files of settings in the folders beside this one's, where each has one: `configs/owl/owl_1x.py`, `configs/bat/bat_2x.py`."""
        home, _, _ = path.rpartition("/")[0].rpartition("/")
        if not _CONFIGS.search(home):
            return []
        ending, depth = extension(path), path.count("/")
        beside = [
            f"{folder}/{name}"
            for (folder, has), names in self._names.items()
            if has == ending and folder.count("/") == depth - 1 and folder.startswith(f"{home}/") and f"{folder}/" not in path
            for name in names
        ]
        return [f for f in beside if "/_" not in f][:_SETTINGS]

    def _parallel(self, path: str) -> list[str]:
        """Files that have another word in the place of one of this path's, in the name and in a folder: `owl/owl_task.yml` and
        `bat/bat_task.yml`.
        """
        mine = _CHUNK.findall(path)
        inside = set(_CHUNK.findall(path.rpartition("/")[0]))
        found: list[str] = []
        for other in self._shapes.get(_CHUNK.sub("a", path), ()):
            its = _CHUNK.findall(other)
            changed = {pair for pair in zip(mine, its, strict=True) if pair[0] != pair[1]}
            replaced = next(iter(changed))[0] if len(changed) == 1 else ""
            if replaced in inside and replaced in _CHUNK.findall(path.rpartition("/")[2]) and replaced not in its:
                found.append(other)
        return found[:_MOST]


NO_FILES = Folders(())


def value_in(word: str) -> str:
    """What an argument gives: behind its `=`; nothing for an option alone."""
    return word.partition("=")[2] if word.startswith("-") or "=" in word else word
