"""What a repository declares that it needs: read from its files, with the place of each; nothing is run."""

from ml_agent.repo.dependencies.base import Collector, Declarations, Declared, PythonDeclared, Source, SourceKind, Unread
from ml_agent.repo.dependencies.conda import read_conda
from ml_agent.repo.dependencies.groups import Candidate, candidate
from ml_agent.repo.dependencies.pipfile import read_pipfile
from ml_agent.repo.dependencies.pyproject import Pyproject, read_toml
from ml_agent.repo.dependencies.requirements_txt import RequirementsReader
from ml_agent.repo.dependencies.setup_cfg import read_setup_cfg
from ml_agent.repo.dependencies.setup_py import read_setup_py
from ml_agent.repo.files import FileTable

__all__ = ["Declarations", "Declared", "PythonDeclared", "Source", "SourceKind", "Unread", "read_declarations"]

MAX_FILES = 300


def read_declarations(files: FileTable) -> Declarations:
    """All that the repository declares. What cannot be read is in `unread`, with its place and the reason.

    Needed is what stands in the plain files of the shallowest folders that declare something. The rest is of a group: extras, files
    with a qualifier (requirements-dev.txt), parts of the repository with files of their own, documents, tests and examples.
    """
    found = Collector(files)
    candidates = [known for file in files.files if (known := candidate(file.path))]
    candidates.sort(key=lambda c: (c.depth, c.beside, bool(c.qualifier), c.path))
    if len(candidates) > MAX_FILES:
        found.fault(candidates[MAX_FILES].path, f"there are {len(candidates):,} files that declare something; {MAX_FILES} are read")
    depth: int | None = None  # of the shallowest that declares something needed
    for one in candidates[:MAX_FILES]:
        optional = one.beside or (depth is not None and one.depth > depth) or _is_variant(one, candidates)
        _read(found, one, one.path if optional else "")
        if not optional and depth is None and any(d.source.path == one.path for d in found.requirements.values()):
            depth = one.depth
    requirements = tuple(found.requirements.values())
    return Declarations(
        requirements,
        tuple(found.python_versions),
        tuple(dict.fromkeys(d.source for d in requirements)),
        tuple(found.indexes),
        frozenset(found.compiled),
        tuple(found.unread),
    )


def _is_variant(one: Candidate, candidates: list[Candidate]) -> bool:
    """The only file of its folder is the one to use, whatever it is called."""
    return bool(one.qualifier) and any(c.folder == one.folder and c is not one for c in candidates)


def _read(found: Collector, one: Candidate, group: str) -> None:
    if one.kind == "requirements":
        RequirementsReader(found, Source(one.path, "requirements"), group).read(one.path)
    elif one.kind == "conda":
        read_conda(found, one.path, group)
    elif one.kind == "pyproject.toml":
        Pyproject(found, one.path, group).read()
    elif one.kind == "setup.cfg":
        read_setup_cfg(found, one.path, group)
    elif one.kind == "setup.py":
        read_setup_py(found, one.path, group)
    elif loaded := read_toml(found, one.path):
        read_pipfile(found, one.path, group, *loaded)
