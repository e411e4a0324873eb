"""What came of comparing a repository's needs with an Environment, as plain data."""

from dataclasses import asdict, dataclass
from typing import Any, Literal

from ml_agent.repo.dependencies import Unread
from ml_agent.repo.imported import Imported

State = Literal["present", "missing", "other_version", "not_here", "unknown"]
"""`not_here`: its marker says that this Environment does not need it. `unknown`: it cannot be told without installing."""
UNMET = frozenset({"missing", "other_version"})


@dataclass(frozen=True, slots=True)
class DistributionNeed:
    """A distribution that is declared, once for all that is needed and once for each optional group."""

    name: str
    """Normalised; the requirement itself where that does not tell."""
    requirement: str
    """As declared: where several places differ, the one that is not met."""
    state: State
    installed: str | None
    """The version that is there; None if none is."""
    provided_by: str
    """Another distribution that gives the same modules, if that is why it counts as present."""
    place: str
    """file:line of `requirement`."""
    places: tuple[str, ...]
    """Every place that declares it."""
    group: str
    """Empty for what using the repository needs; else the extra, file or part that needs it."""
    imported_by: int
    """How many files import a module of it, as far as that is known."""


@dataclass(frozen=True, slots=True)
class PythonNeed:
    specifier: str
    place: str
    group: str
    fits: bool


@dataclass(frozen=True, slots=True)
class ModuleNeed:
    """A module that the repository's code imports and that is not its own."""

    imported: Imported
    installed: bool
    distribution: str
    """That it is of, or would come from; an address where PyPI has something else under the name; empty if there is none."""
    certain: bool
    """Whether metadata, a declaration or a well-known fact says so; else the module's own name is a guess."""
    declared_as: str
    """`needed`, or the group that declares it for where it is imported; empty if nothing does."""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Remedy:
    """Commands that would provide what is missing."""

    setup: str
    """For `--setup`, run in the repository's root."""
    solve: str
    """The whole command line with it."""
    own: tuple[str, ...]
    """The same with an environment of one's own."""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EnvironmentReport:
    repository: str
    python: str
    version: str
    packages: int
    """How many distributions are installed."""
    notes: tuple[str, ...]
    """What is not as one might expect of the Environment or of the files."""
    python_needs: tuple[PythonNeed, ...]
    distributions: tuple[DistributionNeed, ...]
    """Needed ones first; what is missing before what is there."""
    modules: tuple[ModuleNeed, ...]
    """Missing ones first, then most imported first."""
    indexes: tuple[str, ...]
    unread: tuple[Unread, ...]
    remedy: Remedy | None
    """None if nothing is missing that could be named."""

    @property
    def ok(self) -> bool:
        """Nothing declared and needed is missing, or there in a version that does not fit."""
        unmet = any(not d.group and d.state in UNMET for d in self.distributions)
        return not unmet and all(p.fits for p in self.python_needs if not p.group)

    @property
    def undeclared(self) -> tuple[ModuleNeed, ...]:
        """Modules that are imported, not there, and of no distribution that is declared."""
        return tuple(m for m in self.modules if not m.installed and not m.declared_as)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of `ml-agent env --json`."""
        modules = []
        for module in self.modules:
            fields = asdict(module)
            imported = fields.pop("imported")
            modules.append({**{k: imported[k] for k in ("module", "need", "files")}, "place": module.imported.place, **fields})
        return {
            "ok": self.ok,
            "repository": self.repository,
            "environment": {"python": self.python, "version": self.version, "packages": self.packages},
            "python_needs": [asdict(p) for p in self.python_needs],
            "distributions": [asdict(d) for d in self.distributions],
            "modules": modules,
            "indexes": list(self.indexes),
            "unread": [asdict(u) for u in self.unread],
            "notes": list(self.notes),
            "remedy": asdict(self.remedy) if self.remedy else None,
        }
