"""Commands of make, tox, nox and papermill: is there such a target, environment, session or parameter?"""

import re
from collections.abc import Sequence

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.entrypoints.makefile import NAMES
from ml_agent.repo.entrypoints.tasks import read_task
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.modules import nearest_names
from ml_agent.repo.modules.roots import join
from ml_agent.repo.shell import ShellCommand, command_word
from ml_agent.verify.findings import Finding
from ml_agent.verify.made import Made
from ml_agent.verify.reading import finding

_MAKE_VALUED = frozenset("-f --file --makefile -C --directory -I --include-dir -o --old-file -W --what-if".split())
_FILES = {
    "make": NAMES,
    "gmake": NAMES,
    "tox": ("tox.ini", "tox.toml", "pyproject.toml", "setup.cfg"),
    "nox": ("noxfile.py",),
    "papermill": (),
}


def check_task(command: ShellCommand, here: str, index: RepoIndex, made: Made) -> tuple[list[Finding], bool]:
    """Findings about a command of such a tool that runs in `here`, and whether it is one that uses the repository."""
    start = command_word(command.words)
    if start is None or command.words[start].text not in _FILES:
        return [], False
    name = command.words[start].text
    words = [w.text for w in command.words[start + 1 :]]
    if any(w.dynamic for w in command.words[start + 1 :]):
        return [], True
    folder = _value(words, "-C", "--directory") if name.endswith("make") else None
    place = join(here, folder) if folder is not None else here
    if place is None:
        return [], True
    if name == "papermill":
        return _papermill(words, place, index), True
    named = _value(words, "-f", "--file", "--makefile", "--noxfile", "-c", "--conf")
    entry = next((e for f in ([named] if named else _FILES[name]) if (p := join(place, f)) and (e := read_task(index.files, p))), None)
    if entry is None or (name.endswith("make") and made.may_hold(join(place, "Makefile") or "")):
        return [], False
    check = {"tox": _tox, "nox": _nox}.get(name, _make)
    return check(entry, words, place, index), True


def _value(words: Sequence[str], *names: str) -> str | None:
    """The value of an option, given behind it or with `=`."""
    for index, word in enumerate(words):
        if word in names:
            return words[index + 1] if index + 1 < len(words) else None
        if word.partition("=")[0] in names and "=" in word:
            return word.partition("=")[2]
    return None


def _make(entry: EntryPoint, words: Sequence[str], place: str, index: RepoIndex) -> list[Finding]:
    option = entry.options[0]
    targets = option.choices or ()
    findings = []
    skip = False
    for word, following in zip(words, [*words[1:], ""], strict=False):
        if skip or word.startswith("-"):
            skip = not skip and (word in _MAKE_VALUED or (word in ("-j", "-l") and following.isdecimal()))
            continue
        name, equals, _ = word.partition("=")
        if equals and re.fullmatch(r"[\w.-]+:?", name):
            if entry.option(name) is None:
                near = nearest_names(name, [o.name for o in entry.options[1:]], 1)
                if near:
                    message = f"`{entry.path}` has no variable `{name}` at its top level"
                    findings.append(finding(entry, "option", message, word, None, word.replace(name, near[0], 1), sure=False))
            continue
        path = join(place, word)
        if word not in targets and not (path is not None and (index.files.is_file(path) or index.files.is_folder(path))):
            findings.append(_no(entry, option, word, "target"))
    return findings


def _no(entry: EntryPoint, option: Option, word: str, what: str, *, sure: bool | None = None) -> Finding:
    near = nearest_names(word, option.choices or (), 1)
    certain = not entry.open_ended if sure is None else sure
    return finding(entry, "value", f"`{entry.path}` has no {what} `{word}`", word, option.source, near[0] if near else None, sure=certain)


def _tox(entry: EntryPoint, words: Sequence[str], place: str, index: RepoIndex) -> list[Finding]:
    option = entry.options[0]
    given = [n for n in (_value(words, "-e") or "").split(",") if n and n != "ALL"]
    known = {f for name in option.choices or () for f in (name, *name.split("-"))}
    return [
        _no(entry, option, name, "environment", sure=False)
        for name in given
        if name not in known and not all(f in known or re.fullmatch(r"py\d*|python", f) for f in name.split("-"))
    ]  # fmt: skip


def _nox(entry: EntryPoint, words: Sequence[str], place: str, index: RepoIndex) -> list[Finding]:
    option = entry.options[0]
    given: list[str] = []
    for number, word in enumerate(words):
        if word == "--":
            break
        if word in option.aliases:
            for name in words[number + 1 :]:
                if name.startswith("-"):
                    break
                given.append(name)
    known = _roots(option)
    unknown = [n for n in given if n not in known and re.split(r"[-(]", n)[0] not in known]
    return [_no(entry, option, n, "session", sure=not entry.unread) for n in unknown]


def _roots(option: Option) -> set[str]:
    """Names of sessions, also without the Python version and parameters that a command line may add: `tests-3.11(a)`."""
    return {*(option.choices or ()), *(re.split(r"[-(]", c)[0] for c in option.choices or ())}


def _papermill(words: Sequence[str], place: str, index: RepoIndex) -> list[Finding]:
    path = next((w for w in words if w.endswith(".ipynb")), None)
    where = join(place, path) if path is not None else None
    entry = read_task(index.files, where) if where is not None and index.files.is_file(where) else None
    if path is None or where is None:
        return []
    if entry is None:
        near = index.files.nearest(where) if not index.files.is_file(where) else None
        missing = Finding("program", f"there is no `{where}` in the repository", path, None, near)
        return [missing] if not index.files.is_file(where) else []
    known = {o.name.removeprefix("-p "): o for o in entry.options}
    names = [words[i + 1] for i, w in enumerate(words[:-1]) if w in ("-p", "--parameters", "-r", "--parameters_raw")]
    findings = []
    for name in names:
        if name not in known:
            near_names = nearest_names(name, known, 1)
            message = f"`{entry.path}` has no parameter `{name}`"
            findings.append(finding(entry, "option", message, name, None, near_names[0] if near_names else None, sure=False))
    return findings
