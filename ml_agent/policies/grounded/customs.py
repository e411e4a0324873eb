"""What people leave unsaid of a value: `on X` is the data or the device, `into X` the output, a name with digits in it the model."""

import re

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.letters import words_of
from ml_agent.policies.grounded.request import Mention
from ml_agent.policies.grounded.vocabulary import DATA_WORDS, MODEL_WORDS, OUTPUT_WORDS, WEAK
from ml_agent.repo.entrypoints import Option

MEASURES = frozenset("strategy steps step freq frequency interval every limit total only best epoch epochs mode type format size".split())
"""Words in the names of options that say when, how much or how, and take no path."""
_TEXTS = frozenset("prompt text sentence caption question query instruction message".split())
"""Words of the names of options that take what is written in several words."""
_OF_A_MODEL = frozenset("id or path type base pretrained hf name".split())
_WORLDS, _WORLD = frozenset({"env", "environment", "game"}), re.compile(r"(?:\w+/)?[A-Z]\w*(?:-\w+)*-v\d+")
"""Options that take an environment to act in, and how those are called: `Maze-v2`."""
_DONE_ON = DATA_WORDS | {"env", "environment", "game", "scenario", "level", "task", "tasks"}
_ON_WHAT = frozenset("top localhost disk screen board time average purpose line average own it all both each".split())
"""What stands behind `on` in idioms: no data."""
_WRITES = frozenset(
    "checkpoints snapshots everything kept placed land save saved saving write writing written store stored put dump keep results result "
    "output outputs predictions go going goes end ends belong belongs lands landing lay lays laid outcome outcomes rest rests gather "
    "gathered collect collected deposit deposited drop dropped come appear fruits".split()
)
_TO_WRITE = re.compile(
    r"(?:the |a )?(?:(?:path|file|folder|directory|dir|location|name)\w* )?(?:where |in which |that |of the |for the |for )?(?:to )?"
    r"(?:be )?(?:sav|writ|stor|output|dump|export)\w* ",
    re.IGNORECASE,
)
"""What the help of an option says that takes a place to write to: `save results to ...`, `folder to store ...`."""
_NAMED = frozenset({"named", "called", "name"})
_AT = frozenset({"on", "in", "upon", "to", "into"})
"""What stands behind them is data or a place, and no model."""
_TO = frozenset("into to as in under at below beneath within inside".split())
_OF_A_RUN = frozenset("exp experiment run work workdir".split())
"""Words in the names of options that take the folder of what is run, by their other words or their help."""
_FOLDERS = frozenset({"folder", "dir", "directory", "path"})
_LEARNS = frozenset("train learn build fit create make estimate".split())
_LOADED = frozenset("load resume restore checkpoint ckpt pretrained weights".split())
_LOADS = frozenset("load loads loading resume resuming restore restoring read reads reading start starts from evaluate test".split())
_LOGS = frozenset("log logs logging tensorboard events".split())


def is_written(mention: Mention, around: Surroundings) -> bool:
    """Whether the request says of a value that something is to be put there: `checkpoints go to X`, `keep the results under X`."""
    before = _words_before(mention, around)
    return before[-1:] != [] and before[-1] in _TO and _LOADS.isdisjoint(before) and not _WRITES.isdisjoint(before)


def is_kept(mention: Mention, around: Surroundings) -> bool:
    """Whether the request says of a place that something is there already: `it was saved in X`, `the model that lies in X`."""
    before = _words_before(mention, around)
    past = {"was", "were", "been", "already", "earlier"}.intersection(before) and _WRITES.intersection(before)
    return before[-1:] != [] and before[-1] in _TO and bool(past or {"lies", "lie", "lying", "sits"}.intersection(before))


def is_learnt_from(mention: Mention, around: Surroundings) -> bool:
    """Whether the value is what something is made of: `train a model from X`, `on X`."""
    before = _words_before(mention, around)
    return before[-1:] in (["from"], ["on"]) and not _LEARNS.isdisjoint(before)


def by_custom(option: Option, mention: Mention, around: Surroundings) -> float:
    """What people leave unsaid: `on X` is the data or the device, `into X` the output, a name with digits in it the model."""
    words = set(words_of(option))
    before = _words_before(mention, around)
    last = before[-1] if before and before[-2:] not in (["turn", "on"], ["switch", "on"]) else ""
    of_run = words & _OF_A_RUN and (words & _FOLDERS or re.search(r"\b(?:folder|dir|directory|path)\b", option.help))
    writes = bool(words & OUTPUT_WORDS or _TO_WRITE.match(option.help) or of_run) and not is_kept(mention, around)
    if words & _LOADED and is_kept(mention, around):
        return 0.75
    if mention.kind in ("path", "quoted", "identifier", "word") and writes and not words & MEASURES:
        said = bool(_LOGS.intersection(before))
        logs = bool(words & _LOGS) or (said and re.search(r"\blogs?\b", option.help) is not None)
        if last in ("into", "to", "as", "->", "=>", "\u2192") and logs == said:
            return 0.8
        if last in _TO and logs == said and (said or _WRITES.intersection(before)):
            return 0.75
    named = (last in _NAMED and mention.kind != "path") or before[-2:] in (["call", "it"], ["call", "this"], ["call", "them"])
    if named and mention.kind != "number" and (words & OUTPUT_WORDS or "name" in words) and not words & MODEL_WORDS:
        return 0.6
    if words & _WORLDS and _WORLD.fullmatch(mention.value):
        return 0.7
    if mention.kind in ("word", "name", "identifier", "quoted") and last == "on" and words & _DONE_ON and mention.value not in _ON_WHAT:
        return 0.55
    if mention.kind == "quoted" and " " in mention.value and words & _TEXTS:
        return 0.5
    if words & DATA_WORDS and mention.kind in ("path", "quoted") and is_learnt_from(mention, around):
        return 0.6
    if mention.may_be_hub_name and _is_model(words) and not is_learnt_from(mention, around):
        return 0.65
    if mention.kind == "path" and words & (DATA_WORDS | {"input", "source", "path", "root"}) and not words & OUTPUT_WORDS:
        return 0.42 if last not in _TO - {"in", "at"} else 0.3
    if (
        mention.kind == "number"
        and re.search(r"\d[eE]-\d", mention.words)
        and ("lr" in words or {"learning", "rate"} <= words)
        and len(words) <= 2
    ):
        return 0.45  # what is written so is the learning rate, if nothing else is said
    return 0.5 if mention.kind in ("identifier", "quoted") and _is_model(words) and last not in _AT and not named else 0.0


def _is_model(words: set[str]) -> bool:
    """Whether an option with these words in its name takes a model, and nothing else of one."""
    return bool(words & MODEL_WORDS) and words <= MODEL_WORDS | WEAK | _OF_A_MODEL


def _words_before(mention: Mention, around: Surroundings) -> list[str]:
    """Up to four words in front of a value, of its own clause, without articles."""
    found: list[str] = []
    start = _behind_its_kind(mention.position, around)
    for token in reversed(around.request.tokens[max(0, start - 6) : start]):
        if token.kind in ("stop", "comma", "path", "quoted") or len(found) == 4:
            break
        if token.kind != "number" and token.text.lower() not in ("the", "a", "an", "my", "our", "folder", "directory", "file"):
            found.append(token.text.lower())
    return found[::-1]


def _behind_its_kind(position: int, around: Surroundings) -> int:
    """Where a file's kind begins that is said in front of it, `to a ZIP archive, nests/owl.zip`; else the position itself."""
    tokens = around.request.tokens
    if position < 2 or tokens[position - 1].text != ",":
        return position
    for at in range(position - 2, max(-1, position - 6), -1):
        if tokens[at].kind != "word":
            return position
        if tokens[at].text.lower() in ("to", "into"):
            return at + 1
    return position
