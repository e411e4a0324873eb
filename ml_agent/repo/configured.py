"""Settings that stand in files: where documented commands set some keys of a file of settings, the others can be set in the same way.

A program that merges `-p train.lr=0.1`, `--lr 0.1` or `with lr=0.1` into what it has read from YAML or JSON declares none of those names.
"""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.hydra_reader import key_options
from ml_agent.repo.entrypoints.yaml_keys import Key, read_yaml
from ml_agent.repo.files import FileTable
from ml_agent.repo.python_settings import python_settings
from ml_agent.repo.settings import read_settings

_ENDINGS = (".yaml", ".yml", ".json")
_DROPPED = 2
"""Parts in front of a key that the command line may do without: the section of a file for several programs."""
_FOLDER = re.compile(r"(?:^|_)(?:conf|configs?|cfgs?|configurations?|settings|hparams|params|exps?|experiments?)$", re.IGNORECASE)
_FILE = re.compile(r"(?:^|_)(?:config|cfg|settings|hparams)\.py$", re.IGNORECASE)
_MOST_FILES, _MOST_KEYS = 300, 300
_BYTES, _BYTES_ALL = 50_000, 1_000_000
"""Of one file and of all: settings are short, and these are read each time that they are asked for."""
_FEWEST = 2
"""Names of options that a file has to have: of one, it may be by chance."""
_ASSIGNED = re.compile(r"([A-Za-z_][\w.]*)=(?!=).+", re.DOTALL)
_OPTION = re.compile(r"--?[A-Za-z]")

NAMED_AT_RUN_TIME = "an option whose name is made at run time"
"""What is noted of a program that makes options of something it reads."""
APART = ""
"""In place of an option's name: what stands for itself on the command line."""


@dataclass(frozen=True, slots=True)
class _Match:
    """How names on a command line come from a file's keys: without the first `dropped` parts of these, and below `above`."""

    dropped: tuple[str, ...]
    above: tuple[str, ...]

    def name(self, key: Key) -> str | None:
        count = len(self.dropped)
        return ".".join((*self.above, *key.path[count:])) if key.path[:count] == self.dropped and len(key.path) > count else None


class SettingsFiles:
    """The files of settings of a repository."""

    def __init__(self, files: FileTable) -> None:
        self._files = files

    @cached_property
    def keys(self) -> Mapping[str, Sequence[Key]]:
        """Those of each file, as far as they can be read and are single values."""
        listed = [f for f in self._files.files if f.size <= _BYTES and _may_hold_settings(f.path)]
        listed.sort(key=lambda f: not _in_settings_folder(f.path))
        sizes = accumulate(f.size for f in listed)
        found: dict[str, Sequence[Key]] = {}
        for path in [f.path for f, size in zip(listed, sizes, strict=True) if size <= _BYTES_ALL][:_MOST_FILES]:
            found[path] = [key for key in self._keys(path) if key.kind != "dict" and not key.path[-1].startswith("_")]
        return found

    def _keys(self, path: str) -> Sequence[Key]:
        if path.endswith(".py"):
            try:
                return python_settings(path, self._files.read(path).text)
            except OSError:  # it is gone
                return ()
        document = read_yaml(self._files, path)
        return () if isinstance(document, str) else document.keys

    @cached_property
    def _places(self) -> Mapping[str, Sequence[tuple[str, Key]]]:
        """The last part of a key -> the files that have such keys."""
        places: dict[str, list[tuple[str, Key]]] = defaultdict(list)
        for path, keys in self.keys.items():
            for key in keys:
                places[key.path[-1]].append((path, key))
        return places

    def named(self, entry: EntryPoint, commands: Sequence[Command]) -> list[Key]:
        """Of the files that documented commands give a program, or that its options are by default."""
        given = [(c.workdir, word.rpartition("=")[2]) for c in commands for word in c.arguments]
        given += [(posixpath.dirname(entry.path), o.default.strip("'\"")) for o in entry.options if o.default]
        paths = dict.fromkeys(posixpath.normpath(posixpath.join(folder or ".", word)) for folder, word in given if word.endswith(_ENDINGS))
        return [key for path in paths for key in self.keys.get(path, ())][:_MOST_KEYS]

    def like(self, names: Iterable[str], fewest: int) -> list[tuple[str, Key]]:
        """(name, key) of all settings in the files that have `fewest` of these names or more, and in the other files of their folder.

        The files with the most of them come first.
        """
        matches: dict[tuple[str, _Match], set[str]] = defaultdict(set)
        for name in names:
            parts = tuple(name.split("."))
            for path, key in self._places.get(parts[-1], ()):
                if match := _match(parts, key.path):
                    matches[path, match].add(name)
        best = sorted(matches, key=lambda m: (-len(matches[m]), len(m[1].dropped) + len(m[1].above), m[0], m[1].dropped, m[1].above))
        files: dict[str, _Match] = {}
        for path, match in best:
            if len(matches[path, match]) >= fewest:
                files.setdefault(path, match)
        beside: dict[str, _Match] = {}
        for path, match in files.items():
            folder = _settings_folder(path)
            if folder is not None and not match.dropped:
                beside |= {p: match for p in self.keys if p.startswith(folder + "/") and p not in files}
        found_names = ((match.name(key), key) for path, match in {**files, **beside}.items() for key in self.keys[path])
        first: dict[str, Key] = {}
        for called, key in found_names:
            if called is not None:
                first.setdefault(called, key)
        return list(first.items())[:_MOST_KEYS]


def _may_hold_settings(path: str) -> bool:
    python = path.endswith(".py") and (_in_settings_folder(path) or bool(_FILE.search(posixpath.basename(path))))
    return not path.startswith(".") and (path.endswith(_ENDINGS) or python)


def _in_settings_folder(path: str) -> bool:
    return _settings_folder(path) is not None


def _match(name: tuple[str, ...], key: tuple[str, ...]) -> _Match | None:
    if name == key:
        return _Match((), ())
    if 0 < len(key) - len(name) <= _DROPPED and key[-len(name) :] == name:
        return _Match(key[: -len(name)], ())
    return _Match((), name[:1]) if len(name) > 1 and name[1:] == key else None


def _settings_folder(path: str) -> str | None:
    """The outermost folder of a file that is called as one for settings."""
    parts = posixpath.dirname(path).split("/")
    return next(("/".join(parts[: k + 1]) for k, part in enumerate(parts) if _FOLDER.search(part)), None)


def with_settings_files(entry: EntryPoint, commands_of: Mapping[str, Sequence[Command]], files: SettingsFiles) -> EntryPoint:
    """The program with the settings that documented commands show to be those of files, below the option that holds them, or below
    APART, as options that it is given like its own. `commands_of`: by the program that they run.

    What takes no options that could be read takes those that are shown for the programs beside it, if it is shown with any.
    """
    commands = list(commands_of.get(entry.path, ()))
    if entry.kind in ("hydra", "omegaconf", "shell", "c") or not commands:
        return entry
    if entry.kind == "plain" and any(_OPTION.match(word) for c in commands for word in c.arguments):
        folder = posixpath.dirname(entry.path)
        commands += [c for path, some in commands_of.items() if path != entry.path and posixpath.dirname(path) == folder for c in some]
    held: dict[str, dict[str, None]] = defaultdict(dict)
    assigned: dict[str, None] = {}
    dashed: dict[str, None] = {}
    for command in commands:
        option: Option | None = None
        for word in command.arguments:
            if _OPTION.match(word):
                name, _, value = word.partition("=")
                option = entry.option(name)
                if option is None and not any(a.startswith(name) for o in entry.options for a in o.aliases):
                    dashed[name.lstrip("-")] = None
                words = [value] if value else []
            else:
                words = [word]
            for one in words:
                settings = read_settings(one)
                if option is not None and option.takes_value and settings is not None:
                    held[option.name] |= dict.fromkeys(settings.values)
                elif option is None and (match := _ASSIGNED.fullmatch(one)):
                    assigned[match[1]] = None
    if entry.options and not entry.open_ended:  # it takes what it declares
        dashed = {}
        assigned = assigned if any(o.positional and o.nargs in ("*", "+", "...") for o in entry.options) else {}
    known = dict(entry.settings)
    more: dict[str, tuple[Option, ...]] = {}
    for host, names in held.items():
        if host not in known:
            more[host] = tuple(key_options(dict(files.like([n for n in names if "." in n], 1))))
    apart = [*key_options(dict(files.like(assigned, 1))), *(_dashed(o) for o in key_options(dict(files.like(dashed, _FEWEST))))]
    if not apart and any(NAMED_AT_RUN_TIME in note for note in entry.unread):
        apart = [_dashed(option) for option in key_options({key.name: key for key in files.named(entry, commands)})]
    more[APART] = tuple(apart)
    more = {host: tuple(replace(o, required=False, lenient=False) for o in options) for host, options in more.items() if options}
    return replace(entry, settings=(*entry.settings, *more.items())) if more else entry


def _dashed(option: Option) -> Option:
    return replace(option, name=f"--{option.name}", aliases=(f"--{option.name}",), assigned=False)
