"""Imported modules beside what is installed and what is declared."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from packaging.utils import canonicalize_name

from ml_agent.needs.report import ModuleNeed
from ml_agent.repo.dependencies import Declared
from ml_agent.repo.dependencies.pypi import DISTRIBUTIONS, PYTHON_2, stand_ins
from ml_agent.repo.imported import Imported
from ml_agent.repo.modules import PythonModules
from ml_agent.repo.standard import removed_in


def judge_modules(
    imports: Sequence[Imported], installed: Mapping[str, str], declared: Sequence[Declared], modules: PythonModules
) -> tuple[ModuleNeed, ...]:
    """What is neither installed nor surely from elsewhere, and that the repository may have itself, is taken for its own."""
    by_name: dict[str, list[Declared]] = defaultdict(list)
    for requirement in declared:
        if requirement.name:
            by_name[requirement.name].append(requirement)
    found = [judged for one in imports if (judged := _judge(one, installed, by_name, modules))]
    return tuple(sorted(found, key=lambda m: m.installed))


def _judge(
    one: Imported, installed: Mapping[str, str], declared: Mapping[str, Sequence[Declared]], modules: PythonModules
) -> ModuleNeed | None:
    requirements = [requirement for name in _names(one.module) for requirement in declared.get(name, ())]
    declared_as = _declared_as(one, requirements)
    if one.module in installed:
        return ModuleNeed(one, True, installed[one.module], bool(installed[one.module]), declared_as)
    named = requirements[0].name if requirements else ""
    known = DISTRIBUTIONS.get(one.module, "")
    if not named and not known and (one.perhaps_own or modules.may_be_generated(one.module)):
        return None
    if one.module in PYTHON_2:  # where the program goes on without it, it is for both versions of Python
        return ModuleNeed(one, False, "", True, "", "a module of Python 2") if one.need == "needed" else None
    removed = removed_in(one.module)
    remark = f"no longer in Python since {removed}" if removed else ""
    if removed and not known:
        return ModuleNeed(one, False, "", True, "", remark)
    return ModuleNeed(one, False, known or named or one.module.replace("_", "-"), bool(known or named), declared_as, remark)


def _declared_as(one: Imported, requirements: Sequence[Declared]) -> str:
    """A part's own file speaks for the part alone."""
    if any(not requirement.group for requirement in requirements):
        return "needed"
    return next((r.group for r in requirements if r.source.folder == "." or one.path.startswith(f"{r.source.folder}/")), "")


def _names(module: str) -> Iterator[str]:
    """Normalised names under which a distribution with this module may be declared."""
    for name in (canonicalize_name(DISTRIBUTIONS.get(module, module)), canonicalize_name(module)):
        yield name
        yield from stand_ins(name)
