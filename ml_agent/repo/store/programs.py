"""Entry points, kept by all that they were read from: a program is read anew if its file has changed, or one that it imports.

Which files those are is told by the import statements, found by a glance at the text: an import counts for every file that its name may
mean, so rather too many than too few. What reaches further (a hydra program's YAML files) is the hash of all such files together.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import blake2b
from typing import Any

from ml_agent.repo.entrypoints import EntryPoint, read_programs
from ml_agent.repo.entrypoints.base import Option
from ml_agent.repo.entrypoints.glance import Glance
from ml_agent.repo.entrypoints.shell_reader import SUFFIXES as SHELL
from ml_agent.repo.entrypoints.sources import PYTHON, Sources
from ml_agent.repo.store.database import Store
from ml_agent.repo.store.tree import HASH_BYTES, Tree

_SETTINGS = (".yaml", ".yml", ".toml", ".cfg", ".ini", ".json")
_NOTHING = b""


def kept_entry_points(tree: Tree, store: Store) -> tuple[EntryPoint, ...]:
    """What `read_entry_points` gives for these files, of which only those are read that have changed."""
    paths = [file.path for file in tree.files.files if file.path.endswith((*PYTHON, *SHELL)) and file.path in tree.hashes]
    sources = Sources(tree.files)
    keys = _keys(paths, tree, _glances([path for path in paths if path.endswith(PYTHON)], tree, store, sources))
    known = store.load("program", keys.values())
    new = dict(read_programs(sources, [path for path in paths if keys[path] not in known]))
    store.save("program", {keys[path]: _as_data(entry) for path, entry in new.items()})
    found = (new[path] if path in new else _from_data(known[keys[path]]) for path in paths)
    return tuple(entry for entry in found if entry is not None)


def _glances(paths: Sequence[str], tree: Tree, store: Store, sources: Sources) -> dict[str, Glance]:
    """What a glance at each file tells; `sources` then need none of their own."""
    known = store.load("glance", (tree.hashes[path] for path in paths))
    new: dict[bytes, Any] = {}
    for path in paths:
        key = tree.hashes[path]
        if key in known:
            sources.know(path, Glance.from_data(known[key]))
        else:
            new[key] = sources.glance(path).as_data()
    store.save("glance", new)
    return {path: sources.glance(path) for path in paths}


def _keys(paths: Sequence[str], tree: Tree, glances: Mapping[str, Glance]) -> dict[str, bytes]:
    """For each path the hash of all that a program there is read from."""
    settings = blake2b(digest_size=HASH_BYTES)
    for path in sorted(tree.hashes):
        if path.endswith(_SETTINGS):
            settings.update(path.encode("utf-8", "surrogatepass") + b"\0" + tree.hashes[path])
    edges = _edges(glances)
    deep = _deep_hashes(edges, tree.hashes)
    keys = {}
    for path in paths:
        digest = blake2b(path.encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES)
        digest.update(b"\0" + tree.hashes[path] + deep.get(path, _NOTHING) + settings.digest())
        keys[path] = digest.digest()
    return keys


def _edges(glances: Mapping[str, Glance]) -> dict[str, set[str]]:
    """File -> the files that its imports may mean."""
    by_last: dict[str, list[tuple[str, str]]] = {}
    in_folder: dict[str, list[str]] = {}
    for path in glances:
        folder, _, file = path.rpartition("/")
        in_folder.setdefault(folder, []).append(path)
        dotted = (folder if file == "__init__.py" else path.rpartition(".")[0]).replace("/", ".")
        by_last.setdefault(dotted.rpartition(".")[2], []).append((f".{dotted}", path))
    meant: dict[str, tuple[str, ...]] = {}

    def may_mean(name: str) -> tuple[str, ...]:
        if name not in meant:
            ending = f".{name}"
            meant[name] = tuple(path for dotted, path in by_last.get(name.rpartition(".")[2], ()) if dotted.endswith(ending))
        return meant[name]

    edges: dict[str, set[str]] = {}
    for path, glance in glances.items():
        found: set[str] = set()
        for target in glance.imports:
            whole = ".".join(part for part in (target.module, target.name) if part)
            while whole:  # the packages around a module are imported before it
                found.update(may_mean(whole))
                whole = whole.rpartition(".")[0]
        if glance.may_run:  # it may execute a file that stands beside it
            found.update(in_folder[path.rpartition("/")[0]])
        edges[path] = found - {path}
    return edges


def _deep_hashes(edges: Mapping[str, Iterable[str]], hashes: Mapping[str, bytes]) -> dict[str, bytes]:
    """File -> hash of its content and of all that can be reached from it; files that import one another in a circle have one together."""
    deep: dict[str, bytes] = {}
    for circle in _circles(edges):
        digest = blake2b(digest_size=HASH_BYTES)
        for path in sorted(circle):
            digest.update(path.encode("utf-8", "surrogatepass") + b"\0" + hashes.get(path, _NOTHING))
        beyond = {target for path in circle for target in edges[path]} - set(circle)
        for target in sorted(beyond):
            digest.update(deep[target])
        for path in circle:
            deep[path] = digest.digest()
    return deep


def _circles(edges: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
    """The strongly connected components, each after those that it leads to."""
    import numpy as np
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    names = list(edges)
    number = {name: i for i, name in enumerate(names)}
    pairs = [(number[a], number[b]) for a in names for b in edges[a]]
    rows, columns = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    graph = csr_array((np.ones(len(pairs)), (rows, columns)), shape=(len(names), len(names)))
    count, labels = connected_components(graph, directed=True, connection="strong")
    members: list[list[str]] = [[] for _ in range(count)]
    for name, label in zip(names, labels.tolist(), strict=True):
        members[label].append(name)
    below: list[set[int]] = [set() for _ in range(count)]
    for a, b in pairs:
        if labels[a] != labels[b]:
            below[labels[a]].add(int(labels[b]))
    from graphlib import TopologicalSorter

    for label in TopologicalSorter(dict(enumerate(below))).static_order():
        yield members[label]


def _as_data(entry: EntryPoint | None) -> Any:
    return None if entry is None else asdict(entry)


def _from_data(data: Any) -> EntryPoint | None:
    if data is None:
        return None
    return EntryPoint(**{**data, "options": tuple(Option(**option) for option in data["options"])})
