"""Requests for documented commands with other files, folders and names, as `values` has them for numbers and choices."""

import random
import re
from collections.abc import Iterator

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.echoes.values import drawn
from ml_agent.policies.grounded.kinds import file_kind
from ml_agent.policies.grounded.unfilled import stands_for_something
from ml_agent.repo.entrypoints import Option
from ml_agent.repo.index import RepoIndex

_PATH = re.compile(
    r"(?P<folders>(?:[\w.~-]*/)*)(?P<stem>[\w-]+(?:\.[\w-]+)*?)(?P<ending>(?:\.(?:tar|nii))?\.[A-Za-z]\w{0,9})?(?P<slash>/?)"
)
_NAME = re.compile(r"[A-Za-z][\w-]*[a-z][\w-]*")
_OF_ONES_OWN = re.compile(r"(?:^|[-_])(?:dir|out|output|save|log|name|tag|id|exp|run|prefix|suffix)(?:[-_]|$)")
"""What people name as they like."""
_FOLDERS = ("owls", "nests/lark", "./wood", "/mnt/birds", "../feathers", "songs_2")
_STEMS = ("wren", "owl_v2", "night-heron", "flock_07", "tawny", "ridge_b")


def other_paths(index: RepoIndex, repository: str, count: int, seed: int) -> Iterator[Sample]:
    """Requests for other files, folders and names of one's own, at most `count`."""
    return drawn(index, repository, count, seed, other_path)


def other_path(option: Option, value: str, chance: random.Random) -> str:
    """Another file with the same ending, another folder, or another name of one's own; empty if it is something else."""
    found = _PATH.fullmatch(value)
    if option.choices or option.type in ("int", "float", "bool", "str2bool") or found is None or stands_for_something(value):
        return ""
    if value.lower() in ("true", "false", "none") or re.fullmatch(r"[\d.e-]+", value):
        return ""
    if found["ending"] and not found["folders"] and file_kind(value) is None:
        return ""
    folder, stem = chance.choice(_FOLDERS), chance.choice(_STEMS)
    if found["ending"]:
        return f"{folder}/{stem}{found['ending']}" if found["folders"] or chance.random() < 0.5 else f"{stem}{found['ending']}"
    if found["folders"] or found["slash"]:
        return f"{folder}/{stem}{found['slash']}"
    is_own = _OF_ONES_OWN.search(option.name) is not None and _NAME.fullmatch(value)
    return f"{stem}_{chance.randint(2, 9)}" if is_own else ""
