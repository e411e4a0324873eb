"""Which word of a command names the program that is really run, behind interpreters, launchers and wrappers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ml_agent.repo.shell.launcher_table import (
    INTERPRETERS,
    MODULE_WRAPPERS,
    OPENERS,
    OTHERS,
    PROGRAM,
    PYTHON,
    PYTHON_VALUED,
    SHELL_VALUED,
    SHELLS,
    WRAPPERS,
    Wrapper,
)
from ml_agent.repo.shell.words import Word


@dataclass(frozen=True, slots=True)
class Target:
    """The program of a command."""

    kind: Literal["file", "module"]
    value: str
    """The path as written without a `./` or `$PWD/` in front, or the module's dotted name."""
    index: int
    """Which word names it; its own arguments come after."""
    launcher: tuple[str, ...]
    """The words before it."""
    direct: bool = False
    """It is started itself, by no interpreter: a shell must find it and be allowed to run it."""

    @property
    def interpreter(self) -> str | None:
        """What starts a file of this kind: `python` for `x.py`, `bash` for `x.sh`; None if the name does not say."""
        return INTERPRETERS.get(self.value.rpartition(".")[2]) if "." in self.value else None


def command_word(words: Sequence[Word] | Sequence[str]) -> int | None:
    """The index of the word that names the command itself, behind `env`, `nohup`, `mpirun -np 2`, ...; None if there is none."""
    index = _skip_wrappers(tuple(w if isinstance(w, str) else w.text for w in words), 0)
    return index if index < len(words) else None


def run_target(words: Sequence[Word] | Sequence[str]) -> Target | None:
    """The program that a command runs, if it is a file or a module; None for commands such as `pip install x`."""
    texts = tuple(w if isinstance(w, str) else w.text for w in words)
    found = _any(texts, 0)
    if found is None:
        return None
    kind, index = found
    value = texts[index] if kind == "module" else _plain(texts[index])
    direct = kind == "file" and index == _skip_wrappers(texts, 0) and OPENERS.isdisjoint(map(_base, texts[:index]))
    return Target(kind, value, index, texts[:index], direct) if value else None


def gives_rank(launcher: Sequence[str]) -> bool:
    """Whether a launcher hands `--local_rank` to the program that it starts; the others set a variable of the environment."""
    words = {word.partition("=")[0] for word in launcher}
    if "torch.distributed.launch" in words:
        return not words & {"--use_env", "--use-env"}
    return "deepspeed" in map(_base, words) and not words & {"--no_local_rank", "--no-local-rank"}


def inline_script(words: Sequence[Word]) -> int | None:
    """The index of the word that is a script itself: behind `bash -c` or `eval`."""
    texts = tuple(w.text for w in words)
    start = _skip_wrappers(texts, 0)
    if start >= len(texts) - 1:
        return None
    if texts[start] == "eval" and start + 2 == len(texts):
        return start + 1
    if _base(texts[start]) in SHELLS:
        for index in range(start + 1, len(texts) - 1):
            if re.fullmatch(r"-[a-z]*c", texts[index]):
                return index + 1
            if not texts[index].startswith("-"):
                break
    return None


_Found = tuple[Literal["file", "module"], int]


def _any(texts: tuple[str, ...], index: int) -> _Found | None:
    """The program of any command that starts at `index`."""
    index = _skip_wrappers(texts, index)
    if index >= len(texts):
        return None
    name = _base(texts[index])
    if PYTHON.fullmatch(texts[index]):
        return _python(texts, index + 1)
    if name in SHELLS:
        return _interpreter(texts, index + 1, SHELL_VALUED, "c")
    if texts[index] in ("source", "."):
        return _file(texts, index + 1)
    if name in OTHERS:
        return _interpreter(texts, index + 1, OTHERS[name], "e")
    if (wrapper := _wrapper(texts, index)) and wrapper[0].python:
        return _launched(texts, wrapper[1], wrapper[0])
    return _file(texts, index) if "/" in texts[index] or PROGRAM.fullmatch(texts[index]) else None


def _skip_wrappers(texts: tuple[str, ...], index: int) -> int:
    """Where the command behind `env`, `nohup`, `mpirun -np 2`, ... starts."""
    for _ in range(len(texts)):
        while index < len(texts) and re.match(r"[A-Za-z_]\w*=", texts[index]):
            index += 1
        found = _wrapper(texts, index)
        if found is None or found[0].python:
            return index
        wrapper, index = found
        index = _skip_options(texts, index, wrapper)
        while index < len(texts) and re.match(r"[A-Za-z_]\w*=", texts[index]):
            index += 1
        index += wrapper.positionals
    return len(texts)


def _wrapper(texts: tuple[str, ...], index: int) -> tuple[Wrapper, int] | None:
    if index >= len(texts):
        return None
    name = _base(texts[index])
    if index + 1 < len(texts) and (pair := WRAPPERS.get(f"{name} {texts[index + 1]}")):
        return pair, index + 2
    return (single, index + 1) if (single := WRAPPERS.get(name)) else None


def _skip_options(texts: tuple[str, ...], index: int, wrapper: Wrapper) -> int:
    while index < len(texts) and texts[index].startswith("-") and len(texts[index]) > 1:
        option = texts[index]
        if option == "--":
            return index + 1
        if option in wrapper.module or option in wrapper.command_flags:
            return index
        index += 1
        following = texts[index] if index < len(texts) else ""
        takes = option in wrapper.valued or (
            wrapper.unknown_valued
            and option not in wrapper.flags
            and "=" not in option
            and not following.startswith("-")
            and not PROGRAM.fullmatch(following)
            and not PYTHON.fullmatch(following)
        )
        index += takes
        if option == "-genv":  # a name and a value
            index += 1
    return index


def _launched(texts: tuple[str, ...], index: int, wrapper: Wrapper) -> _Found | None:
    """The program of a launcher that starts Python scripts."""
    module = command = False
    while True:
        index = _skip_options(texts, index, wrapper)
        if index < len(texts) and texts[index] in wrapper.module:
            module, index = True, index + 1
        elif index < len(texts) and texts[index] in wrapper.command_flags:
            command, index = True, index + 1
        else:
            break
    if index >= len(texts):
        return None
    if command:
        return _any(texts, index)
    if module:
        return "module", index
    if PYTHON.fullmatch(texts[index]):
        return _python(texts, index + 1)
    return _file(texts, index)


def _python(texts: tuple[str, ...], index: int) -> _Found | None:
    while index < len(texts) and texts[index].startswith("-"):
        option = texts[index]
        if option == "-":
            return None
        if not option.startswith("--"):
            cluster = re.match(r"-[bBdEhiIOPqRsSuvVx?\d.]*(?:([cm])(.*))?", option, re.DOTALL)
            if cluster and cluster[1] == "c":
                return None
            if cluster and cluster[1] == "m" and not cluster[2]:
                return _module(texts, index + 1)
        index += 2 if option in PYTHON_VALUED else 1
    return _file(texts, index)


def _module(texts: tuple[str, ...], index: int) -> _Found | None:
    if index >= len(texts):
        return None
    wrapper = MODULE_WRAPPERS.get(texts[index])
    start = index + 1
    if wrapper is None and index + 1 < len(texts):
        wrapper, start = MODULE_WRAPPERS.get(f"{texts[index]} {texts[index + 1]}"), index + 2
    return _launched(texts, start, wrapper) if wrapper else ("module", index)


def _interpreter(texts: tuple[str, ...], index: int, valued: frozenset[str], code: str) -> _Found | None:
    """The script of an interpreter; `code` is the option behind which the program itself stands as a word."""
    while index < len(texts) and texts[index][:1] in "-+" and len(texts[index]) > 1:
        if re.fullmatch(rf"-[a-z]*{code}", texts[index]):
            return None
        index += 2 if texts[index] in valued else 1
    return _file(texts, index)


def _file(texts: tuple[str, ...], index: int) -> _Found | None:
    return ("file", index) if index < len(texts) and texts[index] not in ("", "-") else None


def _base(text: str) -> str:
    return text.rpartition("/")[2]


def _plain(path: str) -> str:
    for here in ("$PWD/", "${PWD}/", "$(pwd)/", "`pwd`/"):
        path = path.removeprefix(here)
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path
