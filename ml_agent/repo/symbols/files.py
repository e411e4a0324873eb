"""The symbols of many files, unpacked as they are asked for.

Most questions are about a few files. A file's packed form says its language and the names that it defines; all else is one string of
bytes, in which a name that the file refers to can be found without unpacking it.
"""

import marshal
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ml_agent.repo.symbols.model import FileSymbols

Packed = tuple[str, list[str], bytes]
"""Language, the names of the definitions in their order, and `FileSymbols.as_data()` in marshal's form."""


def packed(symbols: FileSymbols) -> Packed:
    """The form to keep; what marshal takes."""
    return symbols.language, [definition.name for definition in symbols.definitions], marshal.dumps(symbols.as_data())


class SymbolFiles(Mapping[str, FileSymbols]):
    """Path -> symbols, in the order of the paths. What is not needed stays packed."""

    def __init__(self, files: Mapping[str, Packed | FileSymbols]) -> None:
        """What is packed must be what `packed` gave, unharmed."""
        self._files: dict[str, Any] = {path: files[path] for path in sorted(files)}

    def __getitem__(self, path: str) -> FileSymbols:
        found = self._files[path]
        if isinstance(found, FileSymbols):
            return found
        symbols = self._files[path] = FileSymbols.from_data(marshal.loads(found[2]))  # noqa: S302 - what `packed` gave
        return symbols

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __contains__(self, path: object) -> bool:
        return path in self._files

    def language(self, path: str) -> str:
        found = self._files[path]
        return found.language if isinstance(found, FileSymbols) else str(found[0])

    def names(self) -> Iterator[tuple[str, Iterable[str]]]:
        """For each file the names of its definitions, in their order."""
        for path, found in self._files.items():
            yield path, [definition.name for definition in found.definitions] if isinstance(found, FileSymbols) else found[1]

    def referring(self, name: str) -> Iterator[tuple[str, FileSymbols]]:
        """The files that may call or use the name: all that do, and some others."""
        needle = name.encode("utf-8", "surrogatepass")
        for path, found in self._files.items():
            if isinstance(found, FileSymbols):
                if name in found.calls or name in found.uses:
                    yield path, found
            elif needle in found[2]:
                yield path, self[path]
