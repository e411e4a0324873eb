"""What a repository needs and what the Environment has of it. Nothing of the repository is run."""

import os

from ml_agent import inputs
from ml_agent.needs.commands import Place, remedy
from ml_agent.needs.compare import compare, fits, fitting_python
from ml_agent.needs.modules import judge_modules
from ml_agent.needs.report import UNMET, DistributionNeed, EnvironmentReport, ModuleNeed, PythonNeed, Remedy, State
from ml_agent.repo.dependencies import read_declarations
from ml_agent.repo.files import walk
from ml_agent.repo.imported import Imports, read_imports
from ml_agent.repo.modules import PythonModules
from ml_agent.repo.standard import standard_modules
from ml_agent.sandbox.environment import Environment, find_environment
from ml_agent.sandbox.installed import installed_modules

__all__ = ["UNMET", "DistributionNeed", "EnvironmentReport", "ModuleNeed", "PythonNeed", "Remedy", "State", "environment_report"]


def environment_report(repository: "str | os.PathLike[str]", python: str | None = None) -> EnvironmentReport:
    """What the repository declares and imports, what of it the Environment has, and the commands that would provide the rest.

    `python` is an interpreter or a virtual environment; else the one that a run would get. Raises UsageError for bad input.
    """
    root = inputs.check_repository(repository)
    if python is not None:
        inputs.check_text(python, "the interpreter")
    environment = find_environment(root, python)
    files = walk(root)
    modules = PythonModules(files)
    declared = read_declarations(files)
    imports = read_imports(modules, standard_modules(environment.version))
    installed = environment.packages()
    needs = compare(declared.requirements, installed, environment.version, imports.modules)
    judged = judge_modules(imports.modules, installed_modules(environment), declared.requirements, modules)
    pythons = tuple(PythonNeed(p.specifier, p.place, p.group, fits(p.specifier, environment.version)) for p in declared.python)
    wanted = [p.specifier for p in pythons if not p.group]
    unfit = any(not p.fits for p in pythons if not p.group)
    shown = os.fspath(repository)
    place = Place(shown, root.name, environment.python, python, fitting_python(wanted) if unfit else "")
    return EnvironmentReport(
        shown,
        environment.python,
        environment.version,
        len(installed),
        _notes(environment, imports),
        tuple(sorted(pythons, key=lambda p: (p.group != "", p.fits))),
        needs,
        judged,
        declared.indexes,
        declared.unread,
        remedy(needs, judged, declared, place),
    )


def _notes(environment: Environment, imports: Imports) -> tuple[str, ...]:
    notes = list(environment.notes)
    for paths, what in (
        (imports.by_line, "no Python 3: imports were read line by line"),
        (imports.unread, "not read for imports"),
    ):
        if paths:
            others = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
            notes.append(f"{paths[0]}{others}: {what}")
    return tuple(notes)
