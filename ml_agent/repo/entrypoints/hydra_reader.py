"""Programs that take their settings with hydra: keys of the configuration, groups, and hydra's own flags."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.repo.entrypoints.command_tree import Command, entry_point
from ml_agent.repo.entrypoints.dataclass_fields import read_fields
from ml_agent.repo.entrypoints.hydra_config import Composed, Composer, Structured
from ml_agent.repo.entrypoints.signatures import docstring
from ml_agent.repo.entrypoints.structured import class_keys
from ml_agent.repo.entrypoints.values import Class, Foreign, Function, Given, Instance, Unknown
from ml_agent.repo.entrypoints.walk import Maker, Walk
from ml_agent.repo.entrypoints.yaml_keys import Key

_FLAGS = (
    ("--multirun", ("--multirun", "-m"), "flag", "run once for each combination of values"),
    ("--config-name", ("--config-name", "-cn"), "store", "another primary configuration"),
    ("--config-path", ("--config-path", "-cp"), "store", "another folder of configurations"),
    ("--config-dir", ("--config-dir", "-cd"), "store", "one more folder of configurations"),
    ("--cfg", ("--cfg", "-c"), "store", "show the configuration instead of running"),
    ("--package", ("--package", "-p"), "store", "the part of the configuration to show"),
    ("--resolve", ("--resolve",), "flag", "resolve interpolations in what is shown"),
    ("--run", ("--run", "-r"), "flag", "run once"),
    ("--info", ("--info", "-i"), "store", "show what hydra has found"),
    ("--shell-completion", ("--shell-completion", "-sc"), "flag", "install or remove completion"),
    ("--experimental-rerun", ("--experimental-rerun",), "store", "run again from a saved configuration"),
    ("--version", ("--version",), "help", "show hydra's version"),
    ("--hydra-help", ("--hydra-help",), "help", "show hydra's help"),
    ("--help", ("--help", "-h"), "help", "show the help and exit"),
)


@dataclass(eq=False, slots=True)
class Main(Foreign):
    """A function below `@hydra.main(...)`."""

    given: Given
    function: Function

    def called(self, walk: Walk, given: Given) -> Any:
        walk.ran.append(self)
        return Unknown()


@dataclass(eq=False, slots=True)
class _Decorator(Foreign):
    given: Given

    def called(self, walk: Walk, given: Given) -> Any:
        target = given.arguments[0] if given.arguments else None
        if not isinstance(target, Function):
            return Unknown()
        made = Main(self.given, target)
        walk.made.append(made)
        return made


@dataclass(eq=False, slots=True)
class Store(Foreign):
    """`ConfigStore.instance()`: the configurations that the program itself brings."""

    def method(self, walk: Walk, name: str, given: Given) -> Any:
        if name == "store":
            walk.made.append(Stored(given))
        return Unknown()


@dataclass(eq=False, slots=True)
class Stored(Foreign):
    given: Given


def _main(walk: Walk, given: Given) -> Any:
    if given.arguments and isinstance(given.arguments[0], Function):
        return _Decorator(Given((), {}, {}, given.source)).called(walk, given)
    return _Decorator(given)


MAKERS: Mapping[str, Maker] = {
    "hydra.main": _main,
    "hydra.core.config_store.ConfigStore.instance": lambda walk, given: Store(),
}


def entry(walk: Walk) -> EntryPoint | None:
    main = next((m for m in walk.ran if isinstance(m, Main)), None)
    if main is None:
        return None
    given, program = main.given, walk.program
    command = Command(given.source, docstring(main.function.node), open_ended=bool(walk.unread), unread=list(walk.unread))
    name = given.get("config_name", 1)
    path = given.get("config_path", 0, ".")
    if name is not None and not isinstance(name, str):
        command.open_ended = True
        command.unread.append(f"the name of the configuration at {given.source}")
    elif isinstance(name, str):
        folder = _folder(main.function.module.path, path)
        if folder is None:
            command.open_ended = True
            command.unread.append(f"the folder of the configuration at {given.source}")
        else:
            composed = Composer(program.sources.files, folder, _stored(walk)).compose(name)
            command.open_ended = command.open_ended or bool(composed.unread)
            command.unread += [f"{note} at {given.source}" for note in composed.unread]
            command.options += _options(composed, given.source)
    for spelled, aliases, action, text in _FLAGS:
        command.options.append(Option(spelled, aliases, given.source, help=text, action=action))  # type: ignore[arg-type]
    return entry_point(program, "hydra", command, "hydra")


def _folder(module: str, path: Any) -> str | None:
    """Where the configurations are, relative to the root."""
    if path is None:
        return posixpath.dirname(module) or "."
    if not isinstance(path, str) or path.startswith(("/", "pkg://")):
        return None
    found = posixpath.normpath(posixpath.join(posixpath.dirname(module), path))
    return None if found.startswith("..") else found


def _stored(walk: Walk) -> dict[str, dict[str, Structured]]:
    found: dict[str, dict[str, Structured]] = {}
    for one in walk.made:
        if not isinstance(one, Stored):
            continue
        group, name, node = one.given.get("group", 2), one.given.get("name", 0), one.given.get("node", 1)
        if isinstance(name, str):
            cls = node if isinstance(node, Class) else node.cls if isinstance(node, Instance) else None
            made = _structured(cls, walk) if cls is not None else Structured(dict_keys(node, one.given.source))
            found.setdefault(group if isinstance(group, str) else "", {})[name.removesuffix(".yaml")] = made
    return found


def _structured(cls: Class, walk: Walk) -> Structured:
    defaults = read_fields(cls, walk).fields.get("defaults")
    if defaults is None or not isinstance(defaults.default, list):
        return Structured(class_keys(cls, walk))
    return Structured([key for key in class_keys(cls, walk) if key.path != ("defaults",)], tuple(defaults.default), defaults.source)


def dict_keys(value: Any, source: str, above: tuple[str, ...] = ()) -> list[Key]:
    """The leaves of a dictionary that the program writes out."""
    if not isinstance(value, dict) or len(above) > 10:
        return []
    found: list[Key] = []
    for name, inner in list(value.items())[:500]:
        path = (*above, str(name))
        if isinstance(inner, dict) and inner:
            found += dict_keys(inner, source, path)
        else:
            kind = "null" if inner is None else "dict" if inner == {} else type(inner).__name__
            found.append(Key(path, source, kind if kind in ("int", "float", "bool", "list", "null", "dict") else "str", str(inner)[:500]))
    return found


def key_options(keys: Mapping[str, Key]) -> list[Option]:
    options = []
    for name, key in keys.items():
        kind = None if key.kind in ("null", "dict") else key.kind
        missing = key.value == "???"
        default = None if missing else repr(key.value) if key.kind == "str" else key.value
        options.append(
            Option(
                name, (name,), key.source, kind, default,
                required=missing, lenient=missing, assigned=True, help=key.help, compared=key.members,
            )
        )  # fmt: skip
    return options


def _options(composed: Composed, source: str) -> list[Option]:
    options = []
    for named, choice in composed.choices.items():
        names = composed.groups.get(choice.group)
        default = choice.chosen and repr(choice.chosen)
        options.append(Option(named, (named,), choice.source, "group", default, names, required=choice.required, assigned=True))
    chosen = {c.group for c in composed.choices.values()}
    for group, names in composed.groups.items():
        if group not in chosen and not group.startswith(("hydra", ".")):
            options.append(Option(f"+{group}", (f"+{group}",), source, "group", None, names, assigned=True))
    return [*options, *(o for o in key_options(composed.keys) if not o.name.startswith("hydra."))]
