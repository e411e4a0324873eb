"""Which files the repository's documents and scripts use: what a text shows how to run or import is what the text is about."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from ml_agent.repo.commands import Command
from ml_agent.repo.documents import CodeBlock, Document
from ml_agent.repo.modules import PythonModules

References = Mapping[str, list[tuple[int, str]]]
"""Path of a text -> (line, path of a file that is used there), in the order of the lines."""

MAX_NAMES = 20
"""Of one import statement."""
MAX_IMPORTS = 1_000
"""Of one document."""
_IMPORT = re.compile(
    r"^[ \t]*(?:>>>[ \t]*)?(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]{0,2000}\)|[^\n#;]*)|import[ \t]+([\w.]+))", re.MULTILINE
)


def read_references(documents: Iterable[Document], commands: Iterable[Command], modules: PythonModules) -> References:
    """The programs that commands run, in documents and scripts, and the files that imports in documents lead to."""
    found: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for command in commands:
        path, _, number = command.source.rpartition(":")
        found[path].append((int(number), command.target))
    for document in documents:
        imports = (used for block in document.blocks for used in _imports(block, modules))
        found[document.path] += islice(imports, MAX_IMPORTS)
    return {path: sorted(set(lines)) for path, lines in found.items() if lines}


def _imports(block: CodeBlock, modules: PythonModules) -> Iterator[tuple[int, str]]:
    """The files of the modules, and those that define the names that are taken from them."""
    if "import" not in block.code:
        return
    for match in _IMPORT.finditer(block.code):
        module = modules.find(match[1] or match[3])
        if module is None or not module.place.readable:
            continue
        line = block.line + block.code.count("\n", 0, match.start())
        if not module.namespace:
            yield line, module.path
        for name in re.findall(r"\w+", match[2] or "")[:MAX_NAMES]:
            definition = module.get(name)
            if definition is not None and definition.path != module.path:
                yield line, definition.path
