"""What nobody asked for: variants of a program, flags that one documented command sets and another does not; and how a program is
started that no document shows, beside others.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from ml_agent.policies.grounded.arguments import parse_arguments
from ml_agent.policies.grounded.compose import Line
from ml_agent.policies.grounded.evidence import verbs_in
from ml_agent.policies.grounded.option_names import name_words
from ml_agent.policies.grounded.request import Request, squeeze
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.lexical import split_identifier, stem

_OPPOSITES = ("un", "non", "in")
_SPREAD = frozenset("distributed ddp dist multigpu multinode dataparallel horovod".split())
_FRAMEWORKS = {"pytorch": "torch", "torch": "torch", "tensorflow": "tensorflow", "tf": "tensorflow", "tf2": "tensorflow", "jax": "jax",
               "flax": "jax", "mxnet": "mxnet", "paddle": "paddle", "keras": "tensorflow"}  # fmt: skip
_FRAMEWORK = re.compile(rf"(?i)(?<![a-z])(?:{'|'.join(_FRAMEWORKS)})(?![a-z])")
_LETTERS = 3
"""Of a word that is said shortened in a name: `distrib` is `distributed`."""


def unasked_variants(programs: Sequence[EntryPoint], request: Request, wanted: frozenset[str], several: bool) -> dict[str, float]:
    """-1 for each program whose file is called as another one beside it and by more words, none of which the request says:
    `train_big.py` beside `train.py`; or by the opposite of what it says (`unpaired`, where it asks for `paired`).
    """
    words = {p.path: frozenset(split_identifier(_stem_of(p.path))) for p in programs}
    folders: dict[tuple[str, str], list[frozenset[str]]] = {}
    for path, own in words.items():
        folders.setdefault(_folder_of(path), []).append(own)

    initials = _initials(request)

    def unsaid(path: str) -> bool:
        own = words[path]
        if any(_opposite(word, request) for word in own):
            return True
        bases = [other for other in folders[_folder_of(path)] if other and other < own]
        return bool(bases) and not any(word in initials or _said(word, request, wanted, several) for word in own - max(bases, key=len))

    return {path: -1.0 if unsaid(path) else 0.0 for path in words}


def of_another_framework(path: str, request: Request) -> bool:
    """Whether the path names another framework than the request does: `pytorch_train.py`, for `the TensorFlow version`."""
    own, said = ({_FRAMEWORKS[m.lower()] for m in _FRAMEWORK.findall(text)} for text in (path, request.text))
    return bool(own and said) and own.isdisjoint(said)


def spread(path: str, several: bool) -> float:
    """+1 if the file says that it runs on several devices, and that is asked for; -1 if it is not; else 0."""
    words = split_identifier(_stem_of(path))
    if _SPREAD.isdisjoint(words) and not any(a + b in _SPREAD for a, b in pairwise(words)):
        return 0.0
    return 1.0 if several else -1.0


def started_as_others(program: EntryPoint, commands: Iterable[Command]) -> Command | None:
    """How a Python program that no document shows is started: as documents start the others of its folder, without their arguments."""
    folder, _, file = program.path.rpartition("/")
    starts: Counter[tuple[tuple[str, ...], str]] = Counter()
    if not folder or not file.endswith(".py") or program.run != ("python", program.path):
        return None
    for command in commands:
        beside, _, other = command.target.rpartition("/")
        start = command.words[: command.target_index + 1]
        if beside != folder or other == file or len(start) != 2 or not re.fullmatch(r"python[0-9.]*", start[0]):
            continue
        if start[1].endswith(other):
            starts[(start[0], start[1].removesuffix(other) + file), command.workdir] += 1
    if not starts:
        return None
    (words, workdir), _ = starts.most_common(1)[0]
    return Command(words, program.path, 1, workdir, f"{program.path}:{program.line}")


def unasked_flags(line: Line, documented: Sequence[Command], request: Request) -> int:
    """How many flags of the documented command set what another command of the program does without, and the request does not say."""
    given = [{i.name for i in parse_arguments(line.program, c.arguments, c.source)} for c in documented]
    flags = [i for i in line.items if i.option and i.option.action == "flag" and not i.evidence.words]
    return sum(
        any(i.name not in names for names in given) and not any(stem(w) in request.stems for w in name_words(i.name) if len(w) > 2)
        for i in flags
    )


def _stem_of(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _folder_of(path: str) -> tuple[str, str]:
    """Files of one kind in one folder are beside one another."""
    return path.rpartition("/")[0], path.rpartition(".")[2]


def _opposite(word: str, request: Request) -> bool:
    """The request says the opposite of the word, and nowhere the word itself."""
    bare = next((word.removeprefix(p) for p in _OPPOSITES if word.startswith(p)), "")
    return len(bare) > _LETTERS + 1 and any(t.text.lower() == bare for t in request.tokens) and stem(word) not in request.stems


def _said(word: str, request: Request, wanted: frozenset[str], several: bool) -> bool:
    if stem(word) in request.stems or word in request.places or squeeze(word) in request.grams or verbs_in([word]) & wanted:
        return True
    if several and word in _SPREAD:
        return True
    return len(word) > _LETTERS and any(s.startswith(stem(word)) for s in request.stems)


def _initials(request: Request) -> frozenset[str]:
    """Of each two neighbouring words: `multi-speaker` is `ms`."""
    words = [w for t in request.tokens if t.kind == "word" for w in split_identifier(t.text)]
    return frozenset(a[0] + b[0] for a, b in pairwise(words))
