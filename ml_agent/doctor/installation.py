"""Whether ml-agent itself is whole: its version, the packages it needs, the grammars."""

import importlib
import platform
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution, requires
from typing import TYPE_CHECKING

import ml_agent
from ml_agent.config import switch_off_telemetry
from ml_agent.doctor.check import Found, Given

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_PROJECT = "ml-agent"
_PIP = f"{sys.executable} -m pip install"
_GRAMMAR = "tree-sitter-"
_SHOWN = ("docker", "numpy", "scipy", "pydantic", "tree-sitter", "langchain-core", "chromadb")
# What some distributions install beside their package.
_BESIDE = frozenset({"test", "tests", "doc", "docs", "example", "examples", "benchmark", "benchmarks", "scripts", "tools"})


def look_at_itself(given: Given) -> Found:
    return Found(
        "ok",
        f"{ml_agent.__version__} on {platform.python_implementation()} {platform.python_version()} ({sys.executable}), "
        f"{platform.system()} {platform.release()} {platform.machine()}",
    )


def look_at_packages(given: Given) -> Found:
    """Each package that the project needs is there, of a version that it takes, and can be imported."""
    switch_off_telemetry()
    wrong: list[str] = []
    versions: dict[str, str] = {}
    again: list[str] = []
    try:
        needed = _needed()
    except PackageNotFoundError:
        return Found("error", f"{_PROJECT} is not installed, so what it needs is not known", f"run `{_PIP} .` in its checkout")
    except ModuleNotFoundError as error:
        return Found("error", f"{error.name} is missing", f"run `{_PIP} {error.name}`")
    for requirement in needed:
        given.say(f"importing {requirement.name}")
        try:
            installed = distribution(requirement.name)
        except PackageNotFoundError:
            wrong.append(f"{requirement.name} is missing")
            again.append(str(requirement))
            continue
        versions[requirement.name] = installed.version
        fault = None
        if not requirement.specifier.contains(installed.version, prereleases=True):
            fault = f"{requirement.name} is {installed.version}, but {requirement.specifier} is needed"
        else:
            fault = _import_fault(installed)
        if fault is not None:
            wrong.append(fault)
            again.append(str(requirement))
    if wrong:
        words = " ".join(f"'{requirement}'" for requirement in again)
        return Found("error", "; ".join(wrong), f"run `{_PIP} --force-reinstall {words}`")
    shown = ", ".join(f"{name} {versions[name]}" for name in _SHOWN if name in versions)
    return Found("ok", f"all {len(needed)} can be imported: {shown}")


def look_at_grammars(given: Given) -> Found:
    """Each grammar's version is one that the core of tree-sitter takes, and it parses."""
    from tree_sitter import LANGUAGE_VERSION, MIN_COMPATIBLE_LANGUAGE_VERSION, Language, Parser

    names = [requirement.name for requirement in _needed() if requirement.name.startswith(_GRAMMAR)]
    loaded, wrong = [], []
    for name in names:
        given.say(f"loading {name}")
        try:
            module = importlib.import_module(name.replace("-", "_"))
            makers = [value for key, value in vars(module).items() if key.startswith("language") and callable(value)]
            for make in makers:
                Parser(Language(make())).parse(b"x = 1\n")
        except (ImportError, ValueError, OSError) as error:
            wrong.append(f"{name}: {_line(error)}")
        else:
            loaded.append(name.removeprefix(_GRAMMAR))
    core = (
        f"tree-sitter {distribution('tree-sitter').version} takes grammars of ABI {MIN_COMPATIBLE_LANGUAGE_VERSION} to {LANGUAGE_VERSION}"
    )
    if wrong:
        again = " ".join(name.partition(":")[0] for name in wrong)
        return Found("error", f"{core}; {'; '.join(wrong)}", f"run `{_PIP} --force-reinstall tree-sitter {again}`")
    return Found("ok", f"{core}; loaded: {', '.join(loaded)}")


def _needed() -> list["Requirement"]:
    """What the project's own metadata asks for here, extras left out."""
    lines = requires(_PROJECT) or ()
    from packaging.requirements import Requirement

    found = [Requirement(line) for line in lines]
    return [one for one in found if one.marker is None or one.marker.evaluate({"extra": ""})]


def _import_fault(installed: Distribution) -> str | None:
    for module in _modules(installed):
        try:
            importlib.import_module(module)
        except Exception as error:  # noqa: BLE001 - an import can raise anything
            return f"{installed.name} cannot be imported ({type(error).__name__}: {_line(error)})"
    return None


def _modules(installed: Distribution) -> Iterator[str]:
    """The top-level modules of a distribution: that of its own name, else all."""
    names = {
        file.parts[0].partition(".")[0]
        for file in installed.files or ()
        if file.suffix in (".py", ".so") and not (len(file.parts) > 1 and "." in file.parts[0])
    }
    own = {name for name in names if name.lower() == installed.name.replace("-", "_").lower()}
    yield from sorted(own or {name for name in names - _BESIDE if name.isidentifier()})


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]
