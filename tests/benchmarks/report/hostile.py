"""A report in which every foreign text tries to break out of its place."""

from pathlib import Path

from ml_agent.benchmarks.base import Attempt, Repository, Sample, Suite, Usage, Verdict
from ml_agent.benchmarks.report.model import Judged, Report
from ml_agent.sandbox.outcome import ExecutionRecord
from ml_agent.task import Answer, Evidence, Task
from ml_agent.trajectory import Decision, End, Observation, ToolCall, Trajectory, TrajectoryFile
from tests.benchmarks.report.scored_runs import scored

RUN = "window.hacked=1"
ATTACKS = (
    f"<script>{RUN}</script>",
    f"</code></pre></style></title></textarea><img src=x onerror={RUN}>",
    f"\" onmouseover={RUN} autofocus onfocus={RUN} x='",
    f"' onload={RUN} x=\"",
    f"]]>--><svg onload={RUN}>",
    "{{ 7 * 191 }}{% raw %}{# not a template #}",
    f"javascript:{RUN}",
    "&lt;already&gt; &amp;amp; &#60;b&#62;",
    "\u202eright to left\u2066 hidden\u200b\u00ad\ufeff\x00\x07\x1b[31m\x9b\ud800",
    "long" * 800,
    "Z" + "\u0300\u0351\u0489" * 300,
    "many\n" * 300,
    "   \t<!-- ",
)
EVERYTHING = "\n".join(ATTACKS)


def hostile_report(folder: Path) -> Report:
    """A sample for each attack, and one with all; each attack stands in every text that is not the program's own."""
    samples, judged = [], {}
    repositories = {attack: Repository(attack, f"javascript:{RUN}//{attack}", attack) for attack in (*ATTACKS, EVERYTHING)}
    for number, attack in enumerate((*ATTACKS, EVERYTHING)):
        key = f"{attack}/{number}"
        sample = Sample(
            key, attack, attack, "bash", attack, attack, {attack: attack}, oracle=attack, prefix_code=attack, unreachable=attack
        )  # fmt: skip
        samples.append(sample)
        path = f"{number}.jsonl"
        _trajectory(folder / path, attack)
        finding = {"kind": attack, "message": attack, "source": f"{attack}:3", "suggestion": attack, "severity": attack, attack: attack}
        attempt = Attempt(
            key,
            0,
            "limit",
            Answer("bash", attack, attack, (Evidence(attack, attack, f"{attack}:7"),), (attack,)),
            findings=(finding,),
            record=ExecutionRecord("environment", 1, 0.1, attack, attack, (attack,), attack),
            received=((attack, attack),),
            usage=Usage(1, 1, 1, None),
            message=attack,
            trajectory=path,
        )
        outside = Attempt(key, 1, "answered", Answer("python", attack), trajectory=f"../../{attack}"[:200])
        judged[key] = [Judged(attempt, Verdict(False, attack, attack), attack), Judged(outside, Verdict(True, attack, attack))]
    suite = Suite(EVERYTHING, EVERYTHING, tuple(samples), repositories)
    runs = tuple(
        scored(suite, attack, judged, ranked=bool(number % 2), model=attack, setting=attack, folder=folder, notes=(attack,))
        for number, attack in enumerate(ATTACKS[:3] + ATTACKS[8:11])
    )
    return Report(suite, EVERYTHING, EVERYTHING, runs, suite.samples)


def _trajectory(path: Path, attack: str) -> None:
    call = ToolCall("1", attack, {"code": attack, attack: attack})
    trajectory = Trajectory(Task(attack, Path("/nowhere")), attack)
    file = TrajectoryFile(path)
    file.header(trajectory)
    file.decision(Decision(attack, (call,)), None)
    file.observation(call, Observation(attack, error=attack))
    file.end(End("limit", message=attack))
    file.close()
