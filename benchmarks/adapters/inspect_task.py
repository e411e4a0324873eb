"""A suite as a task of inspect_ai (extra `[inspect]`), scored by a scorer of ours.

The model sees what a policy without tools sees: the instruction, the repository's name, and the context that a setting gives. Ground
truth and arguments stay with the scorer. A file for `inspect eval`:

    from inspect_ai import task
    from ml_agent.benchmarks.adapters.inspect_task import suite_task

    @task
    def smoke():
        return suite_task(load_suite("smoke"), scorer)
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ml_agent.benchmarks.base import Attempt, Sample, Scorer, Suite
from ml_agent.errors import UsageError
from ml_agent.inputs import guess_language
from ml_agent.task import Answer, Language

if TYPE_CHECKING:
    import inspect_ai
    import inspect_ai.scorer
    import inspect_ai.solver

_PROMPT = """\
The repository {repository} is checked out, and you are in its root folder.

{instruction}

Answer with one fenced code block and nothing else: a command line (```bash), which starts in the root folder, or a Python program
(```python)."""
_CONTEXT = "\n\nFrom the repository:\n\n{context}"
_BLOCK = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n]*\n(.*?)(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_LANGUAGES: Mapping[str, Language] = {
    "bash": "bash", "sh": "bash", "shell": "bash", "console": "bash", "zsh": "bash",
    "python": "python", "python3": "python", "py": "python",
}  # fmt: skip


def suite_task(
    suite: Suite, scorer: Scorer, *, contexts: Mapping[str, str] | None = None, solver: "inspect_ai.solver.Solver | None" = None
) -> "inspect_ai.Task":
    """The task, its samples in the order of the suite.

    `contexts`: sample key -> the text that a setting adds to the prompt. `solver`: what answers, its last message being the answer; the
    model itself if none. Raises UsageError if inspect_ai is not installed.
    """
    try:
        from inspect_ai import Task
        from inspect_ai.dataset import MemoryDataset
        from inspect_ai.dataset import Sample as InspectSample
        from inspect_ai.solver import generate
    except ImportError as error:
        raise UsageError(f"inspect_ai cannot be imported ({error}): pip install 'ml-agent[inspect]'") from error
    samples = [
        InspectSample(
            id=sample.key,
            input=_prompt(sample, (contexts or {}).get(sample.key, "")),
            target=sample.output,
            metadata={"repository": sample.repository, "language": sample.language},
        )
        for sample in suite.samples
    ]
    name = f"{suite.name}-{suite.version}" if suite.version else suite.name
    return Task(
        dataset=MemoryDataset(samples, name=name, shuffled=False),
        solver=solver or generate(),
        scorer=_inspect_scorer(suite, scorer),
        name=re.sub(r"[^\w.-]+", "_", name),
        version=suite.version or 0,
        metadata={"suite_hash": suite.hash, "scorer": scorer.name, "scorer_version": scorer.version},
    )


def answer_of(reply: str) -> Answer | None:
    """The answer in a model's reply: its last fenced block, or all of it if there is none. None if there is nothing in it."""
    blocks = _BLOCK.findall(reply)
    _, tag, code = blocks[-1] if blocks else ("", "", reply)
    if not code.strip():
        return None
    return Answer(_LANGUAGES.get(tag.lower()) or guess_language(code), code.strip("\n"))


def _prompt(sample: Sample, context: str) -> str:
    asked = _PROMPT.format(repository=sample.repository, instruction=sample.instruction)
    return asked + _CONTEXT.format(context=context) if context else asked


def _inspect_scorer(suite: Suite, ours: Scorer) -> "inspect_ai.scorer.Scorer":
    from inspect_ai.scorer import CORRECT, INCORRECT, Score, Target, accuracy, scorer, stderr
    from inspect_ai.solver import TaskState

    by_key = {sample.key: sample for sample in suite.samples}

    def judged() -> "inspect_ai.scorer.Scorer":
        async def score(state: TaskState, target: Target) -> Score:
            sample = by_key[str(state.sample_id)]
            answer = answer_of(state.output.completion)
            # An epoch is an independent attempt, counted from 1.
            verdict = ours.score(sample, Attempt(sample.key, state.epoch - 1, "answered" if answer else "no_answer", answer))
            return Score(
                value=CORRECT if verdict.passed else INCORRECT,
                answer=answer.code if answer else "",
                explanation=f"{verdict.reason}: {verdict.detail}" if verdict.detail else verdict.reason,
                metadata={"reason": verdict.reason},
            )

        return score

    registered = scorer(metrics=[accuracy(), stderr(cluster="repository")], name=f"{ours.name}_{ours.version}")
    return registered(judged)()
