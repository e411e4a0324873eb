"""What a repository holds itself, so that a run's complaint about it is the answer's fault and nothing that is missing here."""

from collections.abc import Iterable
from pathlib import Path, PurePosixPath


class Holdings:
    """`files`: paths relative to the repository; `places`: where a run may have seen it, absolute."""

    def __init__(self, files: Iterable[str], places: Iterable[Path]) -> None:
        self._files = tuple(files)
        self._places = tuple(f"{place}/" for place in places)
        self._modules = _importable(self._files)

    def holds_module(self, name: str) -> bool:
        """Whether some folder of it has a module of that dotted name's first part."""
        return name.partition(".")[0] in self._modules

    def holds_file(self, path: str) -> bool:
        """Whether it has a file of that path below some folder: then the folder was wrong."""
        for place in self._places:
            path = path.removeprefix(place)
        clean = "/".join(part for part in path.split("/") if part not in ("", ".", ".."))
        return any(known == clean or known.endswith("/" + clean) for known in self._files)


def _importable(files: Iterable[str]) -> frozenset[str]:
    """Top-level names that can be imported from some folder of the repository that is no package itself."""
    paths = [path for path in map(PurePosixPath, files) if path.suffix == ".py"]
    packages = {path.parent for path in paths if path.name == "__init__.py"}
    names = set()
    for path in paths:
        name, folder = (path.parent.name, path.parent.parent) if path.name == "__init__.py" else (path.stem, path.parent)
        if folder not in packages:
            names.add(name)
        if len(path.parts) == 2:
            names.add(path.parts[0])  # a package without __init__.py
    return frozenset(names)
