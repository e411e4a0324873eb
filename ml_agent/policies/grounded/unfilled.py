"""What a documented command leaves open: placeholders, and variables that only its reader, or the script around it, can set."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ml_agent.policies.grounded.arguments import Item
from ml_agent.policies.grounded.request import Mention
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.lexical import split_identifier, squeeze, stem
from ml_agent.verify.placeholders import is_placeholder

_STANDS_IN = re.compile(
    r"(?i:<[^<>]*>|/?path/to/|\byour[_ -]|YOUR_)|\b[Yy]our[A-Z]|\b[Mm]y[A-Z]|[a-z]/or/[a-z]"
    r"|^(?:the |a )?(?:path|dir|directory|folder|file|name)(?: [a-z]+){3,}$"
)
_NOUNS = (
    "PATH DIR DIRECTORY FOLDER FILE FILENAME NAME SIZE DIM KEY TOKEN ID URL LIST SET DATA DATASET MODEL REPO CONFIG CHECKPOINT CKPT".split()
)
_IN_CAPITALS = re.compile(
    rf"(?:[A-Z]+_)+(?:{'|'.join(_NOUNS)})S?(?:\.[a-z]+)?|(?:PATH_TO|NUM|NUMBER)(?:_[A-Z]+)+|(?!README)[A-Z][A-Z_]*\.[A-Z]{{3,}}"
    r"|(?:CONFIG|CONFIGURATION|MODEL|DATASET|DATA|INPUT|OUTPUT|IMAGE|VIDEO|AUDIO|FILE|FILENAME|FOLDER|DIRECTORY|PATH|NUMBER|CHECKPOINT)(?:\.[a-z]+)?"
)
"""`MODEL_PATH`, `CROP_SIZE`, `SRC.EMB`, `CONFIG.yaml`: as a manual writes what is to be put in. Names of classes are written otherwise."""
_IN_WORDS = re.compile(r"""(?:\[["']?\{|[\[{])([A-Za-z][^\[\]{}:"]*)(?:\}["']?\]|[\]}])\S*""")
_ALTERNATIVES = re.compile(r"\[([A-Za-z][\w-]*(?:[/|][A-Za-z][\w-]*)+)\]|[{<(]([A-Za-z][\w-]*(?:\|[A-Za-z][\w-]*)+)[}>)]")
_VARIABLE = re.compile(r"\$\{?([A-Za-z][A-Za-z_]*)\}?|<([a-z][a-z_]*)>")
_COUNTED = frozenset(stem(w) for w in "gpu gpus device devices port rank seed num number nproc workers epochs".split())
"""Words in the names of variables that take numbers."""
_EVERYWHERE = frozenset(stem(w) for w in "dir path folder file root home data output out work save model name".split())
"""Words in the names of variables that say nothing of what is in the folder."""


def stands_for_something(value: str) -> bool:
    """It is no value: `<path>`, `/path/to/x`, `[folder]`, `{path to the file}`, `[cpu/gpu]`."""
    if alternatives(value):
        return True
    said = _IN_WORDS.fullmatch(value)
    if _IN_CAPITALS.fullmatch(value.rpartition("/")[2]):
        return True
    return is_placeholder(value) or bool(_STANDS_IN.search(value) or (said and any(" " in part.strip() for part in said[1].split(","))))


def alternatives(value: str) -> tuple[str, ...]:
    """The values of which one is to be put in: `[cpu/gpu]`, `{adam|sgd}`; none if it is no such list."""
    listed = _ALTERNATIVES.fullmatch(value)
    return tuple(re.split(r"[/|]", listed[1] or listed[2])) if listed else ()


def is_open(value: str, command: Command) -> bool:
    """A placeholder, or a variable that the script sets while it runs."""
    within = command.source.rpartition(":")[0].endswith((".sh", ".bash"))
    return stands_for_something(value) or (within and re.search(r"\$\{?\w", value) is not None)


def without_open(items: Sequence[Item], command: Command) -> list[Item]:
    """Without the arguments that a program can do without and that are nothing but open."""
    return [i for i in items if i.evidence.words or not i.values or not _optional(i) or not all(is_open(v, command) for v in i.values)]


def _optional(item: Item) -> bool:
    return bool(item.name) and (item.equals if item.option is None else not item.option.required)


def with_variables(option: Option, documented: Iterable[str]) -> Option:
    """The option with the names of the variables that it is documented with: `--checknest $NEST` is called a nest, too."""
    names = {(m[1] or m[2]).lower() for v in documented if (m := _VARIABLE.fullmatch(v))}
    more = tuple(f"--{name}" for name in sorted(names) if len(name) > 1 and name not in _EVERYWHERE)
    return replace(option, aliases=(*option.aliases, *more)) if more else option


def variables_to_set(items: Sequence[Item], command: Command, left: Sequence[Mention]) -> list[tuple[str, Mention]]:
    """`$NAME`s that stand in the line, each with the path or name of the request that it is for.

    One that shares a word with a variable's name (`$LARGE_DIR`, `lamps_large/`) is for that one, or for none: `Lamps-Large` is no
    folder, but what lies in it. Else there must be only one.
    """
    standing = [v for v in command.variables if not _COUNTED & _words(v) and any(_is_folder(v, value) for i in items for value in i.values)]
    own = {squeeze(part) for word in command.arguments for part in re.split("[/=]", word)} | {squeeze(v) for v in command.variables}
    free = [m for m in left if m.kind in ("path", "identifier", "quoted") and " " not in m.value and squeeze(m.value) not in own]
    found: dict[str, Mention] = {}
    alone: list[Mention] = []
    for mention in free:
        said = {stem(w) for w in split_identifier(mention.value)}
        alike = [v for v in command.variables if not said.isdisjoint(_words(v))]
        if not alike:
            alone.append(mention)
        for name in alike[:1] if len(alike) == 1 else ():
            if name in standing and re.search("[/_]", mention.value):
                found.setdefault(name, mention)
    rest = [v for v in standing if v not in found]
    if len(alone) == len(free) == 1 and rest:
        found[rest[0]] = alone[0]
    return list(found.items())


def _words(variable: str) -> frozenset[str]:
    return frozenset(stem(w) for w in split_identifier(variable)) - _EVERYWHERE


def _is_folder(variable: str, value: str) -> bool:
    return value.startswith((f"${variable}/", f"${{{variable}}}/")) or value in (f"${variable}", f"${{{variable}}}")
