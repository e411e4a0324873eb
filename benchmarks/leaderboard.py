"""A leaderboard: a JSON file of entries, each linked to the run or the answers file that it can be computed from again.

    {"schema": 1, "entries": [{"source": {"kind", "path", "digest", "settings"}, "suite", "policy", "scorer", "score", ..., "verdicts"}]}

`path` is relative to the leaderboard's folder, `digest` of the source's content, `verdicts` a SHA-256 over each verdict.

Nobody's word is taken: what enters is what comes of scoring the stored answers and records again. Entries are ranked among those with the
same suite hash and the same scorer, and nowhere else.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.base import Scorer, Suite
from ml_agent.benchmarks.codec import attempt_to_json
from ml_agent.benchmarks.files import write_whole
from ml_agent.benchmarks.places import Place, places
from ml_agent.benchmarks.runs import Run
from ml_agent.benchmarks.scoring import Scored, score_answers, score_run, scores_object
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.inputs import read_regular

SCHEMA = 1
SCORES = "scores.json"
"""In a run's folder: the score that is claimed for it, as `bench score --json` prints it."""
_BYTES = 100_000_000

Entry = Mapping[str, Any]
Rescore = Callable[[Entry, Path], Scored]
"""Scores again what an entry is linked to; the path is that of its source."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Entries that can be ranked against one another."""

    suite: Mapping[str, Any]
    scorer: Mapping[str, Any]
    entries: tuple[tuple[Place, Entry], ...]
    """Best first; without a score last."""


def submit(board: Path, run: Run, scorer: Scorer) -> Entry:
    """Score a finished run over the whole suite again and enter it; it replaces what was entered of the same answers or the same folder.

    Raises UsageError, naming the difference, if the score that is claimed for the run (`scores.json` in its folder, or its entry on the
    board) is another than the one that comes of its answers and records; also for a run that is not whole.
    """
    scored = score_run(run, scorer)
    claimed = _read_object(run.folder / SCORES) if (run.folder / SCORES).exists() else None
    if claimed is not None and (claimed.get("scorer") == _plain(scores_object(scored, verdicts=False)["scorer"])):
        _refuse_difference(run.folder / SCORES, claimed, _plain(scores_object(scored)))
    return _enter(board, scored, "run", run.folder)


def submit_answers(board: Path, path: Path, suite: Suite, scorer: Scorer, *, ranked: bool = False) -> Entry:
    """Score a file of published answers and enter it. Raises UsageError as `submit` does."""
    scored = score_answers(path, suite, scorer, ranked=ranked)
    return _enter(board, scored, "answers", path)


def read_board(board: Path) -> list[Entry]:
    """The entries in the order of the file; none if it is not there yet. Raises UsageError if it is no leaderboard."""
    if not board.exists():
        return []
    told = _read_object(board)
    entries = told.get("entries")
    if told.get("schema") != SCHEMA or not isinstance(entries, list) or not all(map(_whole, entries)):
        raise UsageError(f"{board} is no leaderboard that this version reads (schema {SCHEMA})")
    return entries


def standings(entries: list[Entry]) -> list[Standing]:
    """The rankings, one for each suite hash and scorer, those of one suite together."""
    groups: dict[tuple[str, ...], list[Entry]] = {}
    for entry in entries:
        groups.setdefault(_rank_key(entry), []).append(entry)
    found = []
    for _, group in sorted(groups.items()):
        ranked = tuple((place, group[place.index]) for place in places([entry["score"]["value"] for entry in group]))
        found.append(Standing(group[0]["suite"], group[0]["scorer"], ranked))
    return found


def check_board(board: Path, rescore: Rescore) -> list[str]:
    """Compute each entry again from what it is linked to: what differs, or cannot be had any more, in a line each."""
    wrong = []
    for entry in read_board(board):
        name = f"{entry['policy']['name']} ({entry['source']['path']})"
        path = board.absolute().parent / entry["source"]["path"]
        try:
            found = _difference(_stated(entry), _computed(rescore(entry, path)))
            if found is None and _digest(entry["source"]["kind"], path) != entry["source"]["digest"]:
                found = "the answers are others than those that were entered"
        except UsageError as error:
            found = str(error)
        if found is not None:
            wrong.append(f"{name}: {found}")
    return wrong


def run_digest(run: Run) -> str:
    """SHA-256 over a run's stored attempts, 64 hexadecimal digits: the same for the same content, wherever it lies."""
    total = hashlib.sha256()
    for key in sorted(sample.key for sample in run.samples):
        for attempt in run.attempts_at(key):
            total.update(json.dumps(attempt_to_json(attempt), sort_keys=True).encode() + b"\n")
    return total.hexdigest()


def _digest(kind: str, path: Path) -> str:
    return run_digest(Run(path)) if kind == "run" else hashlib.sha256(read_regular(path, _BYTES)).hexdigest()


def _enter(board: Path, scored: Scored, kind: str, source: Path) -> Entry:
    _check_whole(scored)
    digest = _digest(kind, source)
    settings = {name: _plain(value) for name, value in scored.run.settings.items() if isinstance(value, str | int | float | bool | None)}
    path = Path(os.path.relpath(source.absolute(), board.absolute().parent)).as_posix()
    entry = {"source": {"kind": kind, "path": path, "digest": digest, "settings": settings}, **_computed(scored)}
    with _locked(board):
        entries = read_board(board)
        kept = []
        for other in entries:
            if (_rank_key(other), other["policy"]) != (_rank_key(entry), entry["policy"]):
                kept.append(other)
            elif other["source"]["digest"] == digest:
                if (found := _difference(_stated(other), _computed(scored))) is not None:
                    raise UsageError(f"{board} has another score for the same answers: {found}")
            elif other["source"]["path"] != path:
                kept.append(other)
        told = {
            "schema": SCHEMA,
            "entries": sorted([*kept, entry], key=lambda one: (_rank_key(one), one["policy"]["name"], one["source"]["path"])),
        }
        write_whole(board, [json.dumps(told, indent=1) + "\n"])
    return entry


def _check_whole(scored: Scored) -> None:
    whose = scored.run.policy
    if len(scored.samples) < len(scored.suite.samples):
        of = f"{len(scored.samples)} of {len(scored.suite.samples)}"
        raise UsageError(f"{whose} ran over {of} samples of {scored.suite.name}: a leaderboard takes whole suites; run it without --only")
    if scored.missing:
        raise UsageError(
            f"{whose} is not finished, {scored.missing} attempts are missing: `ml-agent bench run` with the same --out goes on"
        )
    if scored.raised:
        raise UsageError(f"the scorer failed on {scored.raised} attempts of {whose}: there is no score to enter")


def _computed(scored: Scored) -> dict[str, Any]:
    """The score as it stands in an entry; of the verdicts their digest."""
    value: dict[str, Any] = _plain(scores_object(scored))
    verdicts = json.dumps(value.pop("verdicts"), sort_keys=True)
    return {**value, "verdicts": hashlib.sha256(verdicts.encode()).hexdigest()}


def _stated(entry: Entry) -> dict[str, Any]:
    return {name: value for name, value in entry.items() if name != "source"}


def _refuse_difference(path: Path, claimed: Mapping[str, Any], computed: Mapping[str, Any]) -> None:
    if (found := _difference(claimed, {name: computed[name] for name in computed if name in claimed or name != "verdicts"})) is not None:
        raise UsageError(f"{path} claims another score than its answers and records give: {found}")


def _difference(stated: Any, computed: Any, place: str = "") -> str | None:
    """The first place where two JSON values differ, in words; None if they are the same."""
    if isinstance(stated, dict) and isinstance(computed, dict):
        for name in sorted({*stated, *computed}):
            if (found := _difference(stated.get(name), computed.get(name), f"{place}.{name}" if place else name)) is not None:
                return found
        return None
    if isinstance(stated, list) and isinstance(computed, list) and len(stated) == len(computed):
        found_in = (_difference(one, other, f"{place}[{n}]") for n, (one, other) in enumerate(zip(stated, computed, strict=True)))
        return next((found for found in found_in if found is not None), None)
    # 1 and true are equal in Python, and are not the same claim.
    same = stated == computed and isinstance(stated, bool) == isinstance(computed, bool)
    return None if same else f"{place} is stated as {json.dumps(stated):.60} and computed as {json.dumps(computed):.60}"


def _rank_key(entry: Entry) -> tuple[str, ...]:
    suite, scorer = entry["suite"], entry["scorer"]
    return (suite["name"], suite["version"], suite["hash"], scorer["name"], scorer["version"])


def _whole(entry: Any) -> bool:
    """Whether all is there that is read of an entry."""
    try:
        texts = [*_rank_key(entry), entry["policy"]["name"], *(entry["source"][name] for name in ("kind", "path", "digest"))]
        value = entry["score"]["value"]
    except (KeyError, TypeError):
        return False
    return all(isinstance(text, str) for text in texts) and (value is None or type(value) in (int, float))


def _plain(value: Any) -> Any:
    """As JSON gives it back."""
    return json.loads(json.dumps(value))


def _read_object(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_regular(path, _BYTES))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{path} holds no JSON object")
    return value


@contextmanager
def _locked(board: Path) -> Iterator[None]:
    """Two submissions at one time come one after the other; the lock is gone with the process that has it."""
    lock = board.with_name(f".{board.name}.lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise InfrastructureError(f"cannot write beside {board}: {error.strerror}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
