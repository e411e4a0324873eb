"""Declared requirements beside what is installed."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import cast

from packaging.markers import InvalidMarker, Marker, UndefinedComparison, UndefinedEnvironmentName, default_environment
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from ml_agent.needs.report import DistributionNeed, State
from ml_agent.repo.dependencies import Declared
from ml_agent.repo.dependencies.pypi import DISTRIBUTIONS, stand_ins
from ml_agent.repo.imported import Imported

_WORST: tuple[State, ...] = ("missing", "other_version", "unknown", "present", "not_here")


def compare(
    declared: Sequence[Declared], installed: Mapping[str, str], version: str, imports: Sequence[Imported]
) -> tuple[DistributionNeed, ...]:
    """One need for each distribution and group. `version` is the Environment's Python, `installed` its `packages()`."""
    limits = _Constraints(declared)
    surroundings = marker_environment(version)
    imported = _imported_by(imports)
    grouped: dict[tuple[str, str], list[Declared]] = defaultdict(list)
    for one in declared:
        if not one.constraint:
            grouped[one.group, one.name or one.text].append(one)
    found = []
    for (group, name), places in grouped.items():
        judged = [(_state(one, limits.of(one), installed, surroundings), one) for one in places]
        (state, provided_by), decisive = min(judged, key=lambda j: _WORST.index(j[0][0]))
        found.append(
            DistributionNeed(
                name,
                decisive.text + limits.written(decisive),
                state,
                installed.get(name),
                provided_by,
                decisive.place,
                tuple(dict.fromkeys(one.place for one in places)),
                group,
                imported[name],
            )
        )
    return tuple(sorted(found, key=lambda n: (n.group != "", n.group, _WORST.index(n.state), -n.imported_by)))


def marker_environment(version: str) -> dict[str, str]:
    """What markers are evaluated in: this machine, with the Environment's Python in the place of ours."""
    surroundings = cast("dict[str, str]", dict(default_environment()))
    return surroundings | {
        "python_version": ".".join(version.split(".")[:2]),
        "python_full_version": version,
        "implementation_version": version,
        "extra": "",
    }


class _Constraints:
    """Versions that constraint files (`-c`) say, for requirements of the same source."""

    def __init__(self, declared: Sequence[Declared]) -> None:
        self._by_name: dict[tuple[str, str], list[Declared]] = defaultdict(list)
        for one in declared:
            if one.constraint and one.specifier:
                self._by_name[one.source.path, one.name].append(one)

    def of(self, one: Declared) -> list[Declared]:
        return self._by_name.get((one.source.path, one.name), [])

    def written(self, one: Declared) -> str:
        found = self.of(one)
        return f" ({found[0].specifier}: {found[0].place})" if found else ""


def _state(one: Declared, limits: list[Declared], installed: Mapping[str, str], surroundings: dict[str, str]) -> tuple[State, str]:
    """And the distribution that stands in for this one, if one does."""
    if not _applies(one.marker, surroundings):
        return "not_here", ""
    if not one.name:
        return "unknown", ""
    version = installed.get(one.name)
    if version is None:
        other = next((name for name in stand_ins(one.name) if name in installed), "")
        if other:
            return "present", other
        return ("missing" if one.python_package else "unknown"), ""
    specifiers = [one.specifier, *(limit.specifier for limit in limits if _applies(limit.marker, surroundings))]
    try:
        fits = all(SpecifierSet(s).contains(Version(version), prereleases=True) for s in specifiers)
    except InvalidVersion:  # metadata of another age, or none
        return ("unknown" if any(specifiers) else "present"), ""
    return ("present" if fits else "other_version"), ""


def _applies(marker: str, surroundings: dict[str, str]) -> bool:
    if not marker:
        return True
    try:
        return Marker(marker).evaluate(surroundings)
    except (InvalidMarker, UndefinedComparison, UndefinedEnvironmentName, InvalidVersion):
        return True  # rather once too often


def _imported_by(imports: Sequence[Imported]) -> Counter[str]:
    """Normalised name of a distribution -> how many files import a module of it."""
    found: Counter[str] = Counter()
    for one in imports:
        names: set[str] = {canonicalize_name(one.module), canonicalize_name(DISTRIBUTIONS.get(one.module, one.module))}
        for name in list(names):
            names.update(stand_ins(name))
        for name in names:
            found[name] = max(found[name], one.files)
    return found


def fits(specifier: str, version: str) -> bool:
    """Whether a version of Python is one that a file asks for."""
    return SpecifierSet(specifier).contains(version, prereleases=True)


def fitting_python(specifiers: Sequence[str]) -> str:
    """`3.8`, the newest Python 3 that all of these allow; empty if none does."""
    micros = {"0", "50", *(m for s in specifiers for m in re.findall(r"3\.\d+\.(\d+)", s))}
    for minor in range(14, 5, -1):
        if any(all(fits(s, f"3.{minor}.{micro}") for s in specifiers) for micro in micros):
            return f"3.{minor}"
    return ""
