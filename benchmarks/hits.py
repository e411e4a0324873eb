"""hit@k of a policy that ranks its answers, over several suites side by side, without executing anything.

python -m ml_agent.benchmarks.hits ml-bench:DIR wide:DIR --data ROWS.jsonl

Each argument is a suite, or a split of one (`wide/seen:DIR`), with the folder of its checkouts; a suite of your own is given as it is
elsewhere (`path/to/file.py:load/SPLIT:DIR`). The policy is given the instruction and the repository, nothing else; its attempt k is the
k-th best answer, and answers that repeat an earlier one are left out. The scorer is `static`, with the repositories and from the root.
Of the repositories that nobody looks at, no answer is shown or written, only the score.
"""

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ml_agent import config, inputs
from ml_agent.benchmarks.base import Attempt, Sample, Verdict
from ml_agent.benchmarks.checkouts import find_checkouts
from ml_agent.benchmarks.files import write_whole
from ml_agent.benchmarks.ranked_answers import Answered, Asked, answer_all
from ml_agent.benchmarks.report.texts import shown
from ml_agent.benchmarks.scorers.programs import ProgramsOf
from ml_agent.benchmarks.scorers.static import StaticScorer
from ml_agent.benchmarks.statistics import first_k
from ml_agent.benchmarks.suites import KIND, SUITES, load_suite
from ml_agent.benchmarks.suites.wide import is_unseen
from ml_agent.errors import Cancelled, InfrastructureError, UsageError
from ml_agent.interrupts import cancellable
from ml_agent.plugins import origins
from ml_agent.policies import load_policy

_NAMED = re.compile(r"(?P<suite>[^:/]+)(?:/(?P<split>[^:]*))?:(?P<folder>.+)")
_OWN = re.compile(r"(?P<suite>(?:.+?\.py|[\w.]+):[A-Za-z_]\w*)(?:/(?P<split>[^:]*))?:(?P<folder>.+)")
"""A suite that is given as a file or a module, with the function in it."""
HALVED = ("wide", "documented", "reserve", "kindred", "fresh")
"""Suites of which half of the repositories are not looked at."""
_OWN_ROWS = SUITES.keys() - {"ml-bench"}
"""Suites that refuse --data."""

_CAUSES = {
    "wrong_value": "another value, or at another option",
    "missing_option": "an option or argument is left out",
    "missing_argument": "an option or argument is left out",
    "unknown_option": "more than the program takes",
    "extra_argument": "more than the program takes",
    "wrong_program": "another program, or nothing of the right module",
    "nothing_run": "another program, or nothing of the right module",
    "wrong_language": "shell instead of Python, or the other way round",
}
"""By the scorer's reason, which is the first that it finds."""


@dataclass(frozen=True, slots=True)
class Part:
    """A suite's samples with the checkouts of their repositories."""

    suite: str
    samples: tuple[Sample, ...]
    checkouts: dict[str, Path]


@dataclass(frozen=True, slots=True)
class Scored:
    """One sample with the verdicts on its answers, best first."""

    suite: str
    sample: Sample
    answered: Answered
    verdicts: tuple[Verdict, ...]

    @property
    def unseen(self) -> bool:
        return self.suite in HALVED and is_unseen(self.sample.repository)

    def hit(self, k: int) -> float:
        return first_k([verdict.passed for verdict in self.verdicts], k)


def read_part(text: str, data: str | None, *, clone: bool = False) -> Part:
    """`SUITE:DIR` or `SUITE/SPLIT:DIR`, where SUITE may be `path/to/file.py:function` or `module:function`. Raises UsageError.

    `data`: rows, for a suite that does not bring its own. `clone`: what is not in DIR, once, at its pinned commit.
    """
    named, own = _NAMED.fullmatch(text), _OWN.fullmatch(text)
    known = named is not None and named["suite"] in {origin.name for origin in origins(KIND)}
    found = named if known or (own is None and ".py:" not in text) else own
    if found is None:
        raise UsageError(f"{text}: give a suite with the folder of its checkouts, as in wide:checkouts or my/suite.py:load:checkouts")
    suite = load_suite(found["suite"], None if found["suite"] in _OWN_ROWS else data, found["split"] or "full")
    checkouts = find_checkouts(suite, Path(found["folder"]), clone=clone)
    for note in checkouts.notes:
        print(f"note: {note}", file=sys.stderr)
    return Part(suite.name, suite.samples, checkouts)


def score(part: Part, answered: dict[str, Answered]) -> Iterator[Scored]:
    """`answered`: by `suite sample`."""
    scorer = StaticScorer(ProgramsOf(part.checkouts))
    for sample in part.samples:
        of = answered[f"{part.suite} {sample.key}"]
        verdicts = (scorer.score(sample, Attempt(sample.key, n, "answered", answer)) for n, answer in enumerate(of.answers))
        yield Scored(part.suite, sample, of, tuple(verdicts))


def table(scored: Sequence[Scored], attempts: int) -> Iterator[str]:
    """Lines of Markdown: each suite, its two halves where there are, and the repositories that may be looked at."""
    at = sorted({1, attempts})
    yield f"| | tasks | {' | '.join(f'{kind}@{k}' for kind in ('', 'bash ', 'Python ') for k in at)} |"
    yield "|---|---:|" + "---:|" * (3 * len(at))
    groups: dict[str, list[Scored]] = {}
    for one in scored:
        groups.setdefault(one.suite, []).append(one)
    for suite in HALVED:
        for name, half in ((f"{suite}, seen", False), (f"{suite}, unseen", True)):
            if ones := [one for one in groups.get(suite, ()) if one.unseen == half]:
                groups[name] = ones
    for one in sorted(scored, key=lambda one: (one.suite, one.sample.repository.lower())):
        if not one.unseen:
            groups.setdefault(f"{one.suite}: {one.sample.repository}", []).append(one)
    for name, ones in groups.items():
        kinds = [ones, *([one for one in ones if one.sample.language == language] for language in ("bash", "python"))]
        cells = [_share(kind, k) for kind in kinds for k in at]
        yield f"| {name} | {len(ones)} | {' | '.join(cells)} |"


def _share(scored: Sequence[Scored], k: int) -> str:
    return f"{100 * sum(one.hit(k) for one in scored) / len(scored):.1f}" if scored else "-"


def causes(scored: Sequence[Scored]) -> Iterator[str]:
    """Lines of Markdown: how many first answers miss, of the repositories that may be looked at, by what is wrong first."""
    missed = [one for one in scored if not one.unseen and not one.hit(1)]
    if not missed:
        return
    columns = list(dict.fromkeys((one.suite, one.sample.language) for one in missed))
    count = Counter((_cause(one), one.suite, one.sample.language) for one in missed)
    by_cause = Counter(map(_cause, missed))
    yield ""
    yield f"| missed at the first answer | {' | '.join(f'{suite}, {language}' for suite, language in columns)} |"
    yield "|---|" + "---:|" * len(columns)
    for cause in sorted(by_cause, key=lambda cause: (-by_cause[cause], cause)):
        yield f"| {cause} | {' | '.join(str(count[cause, *column]) for column in columns)} |"


def _cause(one: Scored) -> str:
    reason = one.verdicts[0].reason if one.verdicts else "no_answer"
    return _CAUSES.get(reason, reason)


def _as_json(one: Scored) -> dict[str, Any]:
    first, slash, second = one.sample.key.partition("/")
    ids = {"github_id": int(first), "id": int(second)} if one.suite == "ml-bench" and slash else {}
    output = [answer.as_text() for answer in one.answered.answers]
    return {"suite": one.suite, "sample": one.sample.key, **ids, "output": output}


def miss(one: Scored) -> str:
    """What was asked for, answered and needed, on lines of their own."""
    verdict = one.verdicts[0] if one.verdicts else Verdict(False, "no_answer")
    have = one.answered.answers[0].as_text() if one.answered.answers else ""
    at = next((n for n, verdict in enumerate(one.verdicts, 1) if verdict.passed), None)
    lines = [f"{one.suite} {one.sample.key}: {verdict.reason} {verdict.detail}" + (f" (right at {at})" if at else "")]
    return "\n    ".join([*lines, one.sample.instruction, "HAVE " + have, f"NEED ({one.sample.workdir}) " + one.sample.output])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", metavar="SUITE:DIR", help="a suite and the folder of its checkouts")
    parser.add_argument("--data", metavar="FILE", help="the rows of ml-bench, or of a suite of your own that does not bring them")
    parser.add_argument("--clone", action="store_true", help="clone, once, what is not there at its pinned commit (needs the network)")
    parser.add_argument("--policy", default=config.POLICY)
    parser.add_argument("--attempts", type=int, default=5, help="answers a sample, at most (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="processes (default: %(default)s)")
    parser.add_argument("--time-limit", type=float, default=60, metavar="S", help="seconds a sample (default: %(default)s)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the answers, a JSON line a sample; ml-bench's as graders take them")
    parser.add_argument("-v", "--verbose", action="store_true", help="show each sample that is missed at the first answer")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Returns the exit code: 0, or 1 if a sample was an exception."""
    args = _parser().parse_args(argv)
    return exit_code(lambda: _run(args))


def exit_code(run: Callable[[], int]) -> int:
    """What a measurement returns; 2 for bad input, 3 if the surroundings fail, 130 if it is interrupted, each with a line that says so."""
    try:
        with cancellable():
            return run()
    except (UsageError, InfrastructureError) as error:
        print(error, file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 3
    except (Cancelled, KeyboardInterrupt):
        print("interrupted; nothing written", file=sys.stderr)
        return 130


def _run(args: argparse.Namespace) -> int:
    if args.attempts < 1 or args.workers < 1:
        raise UsageError("--attempts and --workers must be at least 1")
    limit = inputs.check_time_limit(args.time_limit)
    load_policy(args.policy)
    parts = [read_part(text, args.data, clone=args.clone) for text in args.parts]
    asked = [Asked(f"{p.suite} {s.key}", s.instruction, p.checkouts[s.repository]) for p in parts for s in p.samples]
    if not asked:
        raise UsageError("there is no sample to answer")
    if twice := [key for key, times in Counter(one.key for one in asked).items() if times > 1]:
        raise UsageError(f"{twice[0]} is asked for twice: give each suite, or each of its splits, once")
    start = time.monotonic()
    answers = answer_all(asked, policy=args.policy, attempts=args.attempts, workers=args.workers, time_limit=limit)
    done = {one.key: one for one in answers}
    seconds = time.monotonic() - start
    scored = [one for part in parts for one in score(part, done)]
    if args.out is not None:
        write_whole(args.out, (json.dumps(_as_json(one)) + "\n" for one in scored if not one.unseen))
    _say(miss(one) for one in scored if args.verbose and not one.unseen and not one.hit(1))
    _say(table(scored, args.attempts))
    _say(causes(scored))
    _say(f"{one.answered.key}: {'not shown' if one.unseen else one.answered.error}" for one in scored if one.answered.error)
    slowest = max(done.values(), key=lambda one: one.seconds)
    errors, without = sum(bool(one.error) for one in done.values()), sum(not one.answers for one in done.values())
    print(
        f"{len(done)} samples x {args.attempts} in {seconds:.1f} s, {without} without an answer, {errors} exceptions; "
        f"slowest {shown(slowest.key)} with {slowest.seconds:.1f} s"
    )
    return 1 if errors else 0


def _say(texts: Iterable[str]) -> None:
    for text in texts:
        print(shown(text))


if __name__ == "__main__":
    sys.exit(main())
