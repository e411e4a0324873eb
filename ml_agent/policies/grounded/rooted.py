"""Files that a program looks for in a folder of its own: `--root nests/ --file owl.csv`, where the request says `nests/owl.csv`."""

import posixpath
from collections.abc import Mapping, Sequence

from ml_agent.policies.grounded.arguments import Item
from ml_agent.policies.grounded.kinds import extension
from ml_agent.task import Evidence


def below_root(items: Sequence[Item], before: Mapping[str, str]) -> None:
    """Take the folder off a file for which a bare name is documented, and give it to the one option for which a folder is.

    `before`: what the command gave each option, by its name.
    """
    for item in items:
        value = item.values[0] if len(item.values) == 1 else ""
        shown = before.get(item.option.name, "") if item.option else ""
        folder, _, name = value.rpartition("/")
        if not (folder and extension(name) and extension(shown) == extension(name) and "/" not in shown):
            continue
        roots = [i for i in items if i.option and i is not item and before.get(i.option.name, "").endswith("/")]
        same = [i for i in roots if posixpath.normpath(i.values[0]) == posixpath.normpath(folder)]
        if same or (len(roots) == 1 and not roots[0].evidence.words):
            if not same:
                _put(roots[0], folder + "/", item.evidence.words)
            _put(item, name, item.evidence.words)


def _put(item: Item, value: str, words: str | None) -> None:
    item.values = [value]
    item.evidence = Evidence(" ".join(item.words()), words, item.evidence.source)
