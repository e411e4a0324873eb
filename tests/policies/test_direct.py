"""One completion, handed in as it is."""

from pathlib import Path
from typing import Any

import pytest

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.suites.smoke import REPOSITORY
from ml_agent.errors import NoAnswer
from ml_agent.limits import Limits
from ml_agent.models.failures import ContextOverflow
from ml_agent.models.messages import Options
from ml_agent.models.scripted import scripted_model
from ml_agent.policies.direct import Direct, DirectSettings
from ml_agent.task import CONTEXT, Task
from ml_agent.trajectory import Observation, Step, Trajectory
from tests.models.parts import Fixed, said
from tests.policies.with_model import SMOKE, answer_of, end_of, fenced, run, solved

TASK = "train the MLP on the moons for 20 epochs"
GOOD = "```bash\npython train.py --epochs 20\n```"
WRONG = "```bash\npython train.py --epoch-number 20\n```"


def direct(**settings: Any) -> Direct:
    return Direct(DirectSettings(**settings))


def asked(model: Any, request: int = 0) -> str:
    """What the user's message of a request says."""
    return str(model.chat.asked[request][1].content)


@pytest.mark.parametrize("sample", SMOKE, ids=lambda sample: sample.key)
def test_the_tasks_of_the_example(sample: Sample) -> None:
    assert solved(sample, run(direct(), scripted_model(fenced(sample)), sample.instruction))


@pytest.mark.parametrize(
    ("context", "tools", "words"),
    [
        ("bm25", ["search_docs", "submit"], "--dataset moons"),
        ("readme", ["read_readme", "submit"], "# tinynets"),
        ("none", ["submit"], None),
    ],
)
def test_text_of_the_repository(context: str, tools: list[str], words: str | None) -> None:
    model = scripted_model(GOOD)
    trajectory = run(direct(context=context), model, TASK)
    assert [call.tool for step in trajectory.steps for call in step.decision.calls] == tools
    assert answer_of(trajectory).code == "python train.py --epochs 20"
    text = asked(model)
    assert TASK in text
    if words is None:
        assert "<repository>" not in text
    else:
        assert words.lower() in text.lower()


def test_the_benchmark_gives_the_context() -> None:
    model = scripted_model(GOOD)
    trajectory = run(direct(document_tokens=100), model, f"{TASK}{CONTEXT}python train.py --epochs N\n" + "x " * 5_000, tools=["submit"])
    assert end_of(trajectory).outcome == "answered"
    text = asked(model)
    assert text.endswith(f"Request: {TASK}")
    assert "--epochs N" in text
    assert "is left out]" in text
    assert len(text) < 1_500


def test_nothing_that_fits_is_no_context(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print(1)\n")
    for context in ("bm25", "readme"):
        model = scripted_model("```bash\npython train.py\n```")
        assert answer_of(run(direct(context=context), model, TASK, tmp_path)).code == "python train.py"
        assert asked(model) == f"Request: {TASK}"


def test_what_cannot_be_handed_in_ends_it() -> None:
    trajectory = Trajectory(Task(TASK, REPOSITORY))
    policy = direct(context="none")
    policy.model = scripted_model(GOOD)
    policy.start(trajectory.task, {})
    left = Limits().remaining()
    trajectory.steps.append(Step(policy.decide(trajectory, left), (Observation("no", error="ToolError"),)))
    with pytest.raises(NoAnswer, match="cannot be handed in: no"):
        policy.decide(trajectory, left)


def test_there_is_no_repair() -> None:
    """It is one completion: the same is handed in until it is accepted as unverified."""
    model = scripted_model(WRONG)
    trajectory = run(direct(), model, TASK)
    assert (end_of(trajectory).outcome, end_of(trajectory).verified) == ("answered", False)
    assert len(list(trajectory.observations("submit"))) == 3
    assert len(model.chat.asked) == 1  # type: ignore[attr-defined]


def test_without_code_it_is_asked_once_more() -> None:
    model = scripted_model("I would train it.", GOOD)
    assert answer_of(run(direct(), model, TASK)).code == "python train.py --epochs 20"
    assert "That holds no code" in str(model.chat.asked[1][-1].content)  # type: ignore[attr-defined]
    end = end_of(run(direct(), scripted_model("I would train it.", "Really."), TASK))
    assert (end.outcome, end.message) == ("no_answer", "the model gave no code: Really.")


def test_samples_are_independent() -> None:
    model = scripted_model(GOOD, GOOD)
    for attempt in range(2):
        run(direct(temperature=0.5, max_tokens=300), model, TASK, attempt=attempt, seed=7)
    options = model.chat.options  # type: ignore[attr-defined]
    assert [(o["temperature"], o["max_tokens"]) for o in options] == [(0.5, 300)] * 2


def test_each_attempt_has_a_seed_of_its_own() -> None:
    settings = DirectSettings(temperature=0)  # type: ignore[call-arg]
    assert settings.options(2, 7) == Options(temperature=0, seed=7_002)


def test_a_context_that_is_too_long_is_cut_to_half() -> None:
    model = Fixed(ContextOverflow("too long"), said(GOOD))
    assert end_of(run(direct(), model, TASK)).outcome == "answered"
    model = Fixed(*[ContextOverflow("too long")] * 4)
    end = end_of(run(direct(), model, TASK))
    assert (model.asked, end.outcome) == (4, "no_answer")
    assert "does not fit into the model" in end.message
