"""The commands that would provide what is missing."""

import shlex
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ml_agent.needs.report import UNMET, DistributionNeed, ModuleNeed, Remedy
from ml_agent.repo.dependencies import Declarations, Declared, Source

_SOURCES = 4
"""More files than these belong to parts that one uses one at a time."""
_MODULES = 8
"""Undeclared distributions that are installed by name, at most."""
_SHARE = 10
"""Where a repository declares something, what it forgot is added if a tenth as many files import it as the most imported module:
a distribution that only one program of many needs, and that cannot be installed here, would spoil it for all."""
_ORDER = ("requirements", "project", "pipfile", "conda")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the commands are typed, and for what."""

    repository: str
    name: str
    """Of its folder."""
    python: str
    """The Environment's interpreter."""
    asked: str | None
    """What the user gave as --python."""
    wanted: str = ""
    """`3.8`: another Python that the repository asks for; empty if this one fits."""


def remedy(needs: Sequence[DistributionNeed], modules: Sequence[ModuleNeed], declarations: Declarations, place: Place) -> Remedy | None:
    """None if nothing is missing that could be named. Modules of no known distribution are not installed by guesswork."""
    added = _plan(needs, modules, declarations, fresh=bool(place.wanted))
    if not added.words and not place.wanted:
        return None
    setup = f"pip install {shlex.join(added.words)}" if added.words else ""
    remarks = (*added.remarks, f"it asks for another Python: {place.wanted} fits") if place.wanted else added.remarks
    whole = _plan(needs, modules, declarations, fresh=True)
    return Remedy(setup, _solve(setup, place), _own(whole, place), remarks)


@dataclass(frozen=True, slots=True)
class _Plan:
    words: tuple[str, ...]
    """For `pip install`."""
    remarks: tuple[str, ...]
    conda: str
    """The file of a conda environment that could be made in their place."""


def _plan(needs: Sequence[DistributionNeed], modules: Sequence[ModuleNeed], declarations: Declarations, *, fresh: bool) -> _Plan:
    """What to install; `fresh`: into an environment that has nothing yet."""
    chosen, of_a_part = _sources(needs, declarations, {*UNMET, "present"} if fresh else UNMET)
    words, remarks = _words(chosen, declarations)
    if of_a_part:
        remarks.append(f"{of_a_part} parts declare their own; these commands are for {chosen[0][0].path}: put the part that you use there")
    else:
        undeclared = [m for m in modules if not m.declared_as and (fresh or not m.installed)]
        most = max((m.imported.files for m in modules), default=0)
        extra, remark = _from_modules(undeclared, words, least=most / _SHARE if any(not need.group for need in needs) else 0)
        words += extra
        remarks += remark
    conda = chosen[0][0].path if chosen and all(source.kind == "conda" for source, _ in chosen) else ""
    return _Plan(tuple(words), tuple(remarks), conda)


def _sources(
    needs: Sequence[DistributionNeed], declarations: Declarations, states: Collection[str]
) -> tuple[list[tuple[Source, list[Declared]]], int]:
    """The files to install from, each with what only it has of the needs in such a state; and, if it is one of many parts, of how many."""
    unmet = {need.name for need in needs if not need.group and need.state in states}
    by_source: dict[Source, list[Declared]] = {}
    for one in declarations.requirements:
        if not one.group and not one.constraint and one.name in unmet:
            by_source.setdefault(one.source, []).append(one)
    ordered = sorted(by_source, key=lambda s: (_ORDER.index(s.kind), s.path.count("/"), s.path))
    covered: set[str] = set()
    chosen: list[tuple[Source, list[Declared]]] = []
    for source in ordered:
        new = [one for one in by_source[source] if one.name not in covered]
        if new:
            chosen.append((source, new))
            covered.update(one.name for one in new)
    if len(by_source) > _SOURCES and len({source.folder for source in by_source}) > _SOURCES:
        return [(ordered[0], by_source[ordered[0]])], len(by_source)
    return chosen, 0


def _words(chosen: Sequence[tuple[Source, list[Declared]]], declarations: Declarations) -> tuple[list[str], list[str]]:
    """Words for pip, and remarks."""
    words: list[str] = []
    for source, new in chosen:
        if source.kind == "requirements":
            words += ["-r", source.path]
        elif source.kind == "project" and source.folder not in declarations.compiled:
            words += ["-e", "." if source.folder == "." else f"./{source.folder}"]
        else:
            words += [one.text for one in new if one.text not in words]
    compiled = [s.folder for s, _ in chosen if s.kind == "project" and s.folder in declarations.compiled]
    what = [f"{folder}/ compiles" if folder != "." else "the repository compiles" for folder in compiled]
    return words, [f"{one} parts of its own when it is installed: its documents say how" for one in what]


def _from_modules(undeclared: Sequence[ModuleNeed], words: list[str], *, least: float) -> tuple[list[str], list[str]]:
    """Those that a run meets at once and whose distribution is well known, the most imported first; imported by `least` files or more."""
    met = sorted((m for m in undeclared if m.imported.need == "needed"), key=lambda m: -m.imported.files)
    known = [m for m in met if m.certain and m.distribution and "+" not in m.distribution and m.distribution not in words]
    names = list(dict.fromkeys(m.distribution for m in known if m.imported.files >= least))
    left = len({m.distribution for m in known}) - min(len(names), _MODULES)
    remarks = (
        [f"{left} undeclared distribution{'s are' if left > 1 else ' is'} not in these commands: add those of the program that you run"]
        if left > 0
        else []
    )
    return names[:_MODULES], remarks


def _solve(setup: str, place: Place) -> str:
    python = f"python{place.wanted}" if place.wanted else place.asked
    words = ["ml-agent", "solve", "--repo", shlex.quote(place.repository)]
    words += ["--python", shlex.quote(python)] if python else []
    words += ["--task", '"..."']
    words += ["--setup", _quoted(setup), "--network", "setup"] if setup else []
    return " ".join(words)


def _own(plan: _Plan, place: Place) -> tuple[str, ...]:
    folder = f"~/envs/{shlex.quote(place.name)}"
    python = f"python{place.wanted}" if place.wanted else shlex.quote(place.python)
    make = f"{python} -m venv {folder}" + (f" && {folder}/bin/pip install {shlex.join(plan.words)}" if plan.words else "")
    if plan.conda:
        make = f"conda env create -p {folder} -f {shlex.quote(plan.conda)}"
    return (
        f"(cd {shlex.quote(place.repository)} && {make})",
        f'ml-agent solve --repo {shlex.quote(place.repository)} --python {folder} --task "..."',
    )


def _quoted(command: str) -> str:
    """In double quotes where single ones would have to be broken up."""
    if "'" in command and not set(command) & set('"$`\\!'):
        return f'"{command}"'
    return shlex.quote(command)
