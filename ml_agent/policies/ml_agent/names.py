"""Files and folders as a model names them, and those of the repository that it means."""

import posixpath
import re
from collections.abc import Collection, Sequence

_README = re.compile(r"readme(?:\.(?:md|markdown|mdown|rst|txt|org))?", re.IGNORECASE)
_NEAR = 5


def readmes_of(paths: Sequence[str], *, md_only: bool) -> list[str]:
    """Those of the paths that are READMEs, the shortest path first."""
    found = [path for path in paths if (name := posixpath.basename(path)) == "README.md" or (not md_only and _README.fullmatch(name))]
    return sorted(found, key=lambda path: (len(path), path))


def nearest_first(paths: Sequence[str], readme: str) -> list[str]:
    """All paths, those in the README's folder first, then those with few folders: the end of the list may be cut."""
    folder = posixpath.dirname(readme)
    return sorted(paths, key=lambda path: (bool(folder) and not path.startswith(f"{folder}/"), path.count("/"), path))


def resolve(named: str, known: Collection[str], *, beside: str = "", repository: str = "") -> str | None:
    """The known path that is named: from the root, from the folder `beside`, below the repository's own name, or by its end if one has it.

    None if there is none. The root is ".".
    """
    plain = named.strip().strip("`'\"").replace("\\", "/").lstrip("/")
    plain = posixpath.normpath(plain or ".")
    below = posixpath.normpath(plain.removeprefix(repository).lstrip("/") or ".") if _is_below(plain, repository) else plain
    for path in (plain, posixpath.normpath(posixpath.join(beside, plain)), below):
        if path in known:
            return path
    ends = [path for path in known if path.endswith(f"/{plain}")]
    return ends[0] if len(ends) == 1 else None


def _is_below(path: str, folder: str) -> bool:
    return bool(folder) and (path == folder or path.startswith(f"{folder}/"))


def nearest(named: str, known: Collection[str]) -> list[str]:
    """The known paths that are most like it: those of the same name first."""
    from rapidfuzz import fuzz, process

    name = posixpath.basename(named.strip().strip("`'\"").rstrip("/"))
    same = sorted((path for path in known if posixpath.basename(path) == name), key=lambda path: (len(path), path))
    like = [str(path) for path, _, _ in process.extract(named, sorted(known), scorer=fuzz.ratio, limit=_NEAR)]
    return list(dict.fromkeys([*same, *like]))[:_NEAR]
