"""Scored runs to report on: real solves of the shipped example, one stored in part, and rows as hostile as they can be."""

import hashlib
import json
import shlex
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from ml_agent.agent import PlannerLoop
from ml_agent.benchmarks.base import Attempt, Repository, Sample, Suite, Usage, Verdict
from ml_agent.benchmarks.report.model import Figures, Judged, Rate, Report, ScoredRun
from ml_agent.limits import Limits
from ml_agent.policies import load_policy
from ml_agent.repo.index import RepoIndex
from ml_agent.sandbox.options import Options
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.task import Answer, Task
from ml_agent.tools import default_tools
from ml_agent.trajectory import TrajectoryFile
from ml_agent.workspace import Workspace

EXAMPLE = Path(__file__).parents[3] / "benchmarks" / "smoke"
URL, COMMIT = "https://github.com/example/tinynets", "0123456789abcdef0123456789abcdef01234567"


def example_suite() -> Suite:
    """The tasks of the shipped example as a suite."""
    samples = []
    for line in (EXAMPLE / "tasks.jsonl").read_text(encoding="utf-8").splitlines():
        task = json.loads(line)
        wanted = task["answer"]
        values = {**wanted.get("options", {}), **{f"word {n}": v for n, v in enumerate(wanted.get("arguments", []))}}
        program = Path(wanted["program"]).name if "program" in wanted else ""
        output = shlex.join(["python", program, *(word for pair in wanted["options"].items() for word in pair)]) if program else "..."
        key = f"{1 + task['id'] // 7}/{task['id']}"
        samples.append(Sample(key, "tinynets", task["instruction"], wanted["language"], output, wanted["workdir"], values))
    return Suite("smoke", "1", tuple(samples), {"tinynets": Repository("tinynets", URL, COMMIT)}, runs=True)


def solved(suite: Suite, folder: Path, attempts: int) -> dict[str, list[Judged]]:
    """Answers of `grounded`, with trajectories in `folder`, judged by whether they passed their check."""
    index, tools = RepoIndex(EXAMPLE / "repository"), default_tools()
    del tools["run"]
    judged: dict[str, list[Judged]] = {}
    with Workspace(index.root, Options(sandbox="none"), index=index) as workspace:
        for sample in suite.samples:
            judged[sample.key] = []
            for number in range(attempts):
                path = f"trajectories/{sample.key.replace('/', '-')}-{number}.jsonl"
                loop = PlannerLoop(load_policy("grounded"), trajectory_file=TrajectoryFile(folder / path), attempt=number)
                done = loop.run(Task(sample.instruction, index.root), workspace, tools, Limits(seconds=30))
                assert done.end is not None
                submitted = [o.data for _, o in done.observations("submit") if o.accepted]
                attempt = Attempt(
                    sample.key,
                    number,
                    done.end.outcome,
                    done.end.answer,
                    done.end.verified,
                    tuple(submitted[-1]["findings"]) if submitted else (),
                    ExecutionRecord("completed", 0, 0.7, output_tail="epoch 1  loss 0.41\nepoch 2  loss 0.33\n") if number == 0 else None,
                    usage=Usage(0.2, len(done.steps)),
                    message=done.end.message,
                    trajectory=path,
                )
                judged[sample.key].append(Judged(attempt, _verdict(sample, attempt)))
    return judged


def _verdict(sample: Sample, attempt: Attempt) -> Verdict:
    if attempt.answer is None:
        return Verdict(False, "no_answer")
    for name, value in sample.arguments.items():
        if str(value) not in attempt.answer.code:
            return Verdict(False, "missing_option", f"{name} {value} is not in the command")
    return Verdict(True, "passed")


def guesses(suite: Suite, attempts: int = 5) -> dict[str, list[Judged]]:
    """What a model might have answered: some right, some wrong, one that the surroundings ended."""
    judged: dict[str, list[Judged]] = {}
    for index, sample in enumerate(suite.samples):
        judged[sample.key] = [_guess(sample, index, number) for number in range(attempts)]
    return judged


def _guess(sample: Sample, index: int, number: int) -> Judged:
    usage = Usage(12.5, 3, 4100 + 17 * index, None)
    if index % 5 == 4:
        message = "the model did not answer: 503 Service Unavailable"
        return Judged(Attempt(sample.key, number, "infrastructure", usage=usage, message=message), Verdict(False, "infrastructure"))
    right = (index * 7 + number * 3) % 4 == 0
    code = sample.output if right else f"{sample.output} --learning-rate 0.1"
    finding = {
        "kind": "option", "message": "train.py takes no option --learning-rate", "place": "--learning-rate 0.1",
        "source": "train.py:23", "suggestion": "--lr 0.1", "severity": "error",
    }  # fmt: skip
    trace = 'Traceback (most recent call last):\n  File "train.py", line 9\n\x1b[31merror\x1b[0m: no option --learning-rate 0.1\n'
    record = ExecutionRecord("completed", 0, 1.2) if right else ExecutionRecord("failed", 2, 0.1, output_tail=trace, reason="exit code 2")
    received = ((("train.py", "--epochs", "5")),) if right else None
    answer = Answer(sample.language, code, sample.workdir)
    attempt = Attempt(sample.key, number, "answered", answer, right, () if right else (finding,), record, received, usage)
    verdict = Verdict(True, "passed") if right else Verdict(False, "unknown_option", "--learning-rate is no option of train.py")
    return Judged(attempt, verdict, "" if right else "hallucination")


def figures(suite: Suite, judged: Mapping[str, Sequence[Judged]], *, ranked: bool) -> Figures:
    """Plain shares, without the statistics that a real run gets."""
    repositories, types = defaultdict(list), defaultdict(list)
    for sample in suite.samples:
        share = _share(judged.get(sample.key, ()), 1, ranked=ranked)
        repositories[sample.repository].append(share)
        types[sample.language].append(share)
    every = [one for attempts in judged.values() for one in attempts]
    shares = {k: [_share(judged.get(sample.key, ()), k, ranked=ranked) for sample in suite.samples] for k in (1, 2, 5)}
    score = fmean(shares[1]) if every else None
    low, high = (None, None) if score is None else (max(0.0, score - 0.13), min(1.0, score + 0.13))
    ended = [all(o.verdict.reason == "infrastructure" for o in judged.get(sample.key, ())) for sample in suite.samples]
    left = [share for share, out in zip(shares[1], ended, strict=True) if not out]
    whole = {k: Rate(fmean(of) if every else None, len(of)) for k, of in shares.items()}
    return Figures(
        score=Rate(score, len(suite.samples), None, low, high),
        score_name="hit@1" if ranked else "pass@1",
        rates={"hit" if ranked else "pass": whole, "first": whole},
        infrastructure=sum(one.verdict.reason == "infrastructure" for one in every),
        attempts=len(every),
        without_infrastructure=Rate(fmean(left) if left else None, len(left)),
        by_repository={name: Rate(fmean(of), len(of)) for name, of in repositories.items()},
        by_type={name: Rate(fmean(of), len(of)) for name, of in types.items()},
        by_error=Counter(one.error_class for one in every if one.error_class),
        by_reason=Counter(one.verdict.reason for one in every),
        seconds=sum(one.attempt.usage.seconds for one in every),
        tokens=sum(one.attempt.usage.tokens for one in every),
        money=None if any(one.attempt.usage.money is None for one in every) else 0.0,
    )


def _share(attempts: Sequence[Judged], k: int, *, ranked: bool) -> float:
    if ranked:
        return float(any(one.verdict.passed for one in attempts[:k]))
    return fmean(one.verdict.passed for one in attempts) if attempts else 0.0


def scored(suite: Suite, policy: str, judged: Mapping[str, list[Judged]], *, ranked: bool, **more: Any) -> ScoredRun:
    digest = hashlib.sha256(policy.encode("utf-8", "surrogatepass")).hexdigest()
    return ScoredRun(policy, digest, ranked, figures(suite, judged, ranked=ranked), lambda key: judged.get(key, []), **more)


def example_report(folder: Path) -> Report:
    """Three runs on the example: `grounded`, a made-up model, and one without any attempt."""
    suite = example_suite()
    runs = (
        scored(suite, "nothing", {}, ranked=False),
        scored(suite, "react", guesses(suite), ranked=False, model="some-model-2", setting="oracle"),
        scored(suite, "grounded", solved(suite, folder, 3), ranked=True, folder=folder),
    )
    return Report(suite, "static", "1", runs, suite.samples)
