"""A suite goes through inspect_ai itself and its own stand-in for a model."""

from pathlib import Path
from typing import Any

import pytest

from ml_agent.benchmarks.adapters.inspect_task import answer_of, suite_task
from ml_agent.benchmarks.base import Attempt, Repository, Sample, Suite, Verdict
from ml_agent.errors import UsageError
from ml_agent.task import Answer

SAMPLES = (
    Sample("1/1", "nets", "Train for 5 epochs.", "bash", "python train.py --epochs 5", arguments={"epochs": "5"}, oracle="SECRET-ORACLE"),
    Sample("1/2", "nets", "Make a net of 3 layers.", "python", "Net(layers=3)  # SECRET-OUTPUT"),
    Sample("2/1", "trees", "Grow {braces} 7.", "bash", "python grow.py 7"),
)
SUITE = Suite("smoke", "1", SAMPLES, {"nets": Repository("nets"), "trees": Repository("trees")})


class Equal:
    """The answer has to be the ground truth, in its language."""

    name, version = "equal", "1"

    def score(self, sample: Sample, attempt: Attempt) -> Verdict:
        if attempt.answer is None:
            return Verdict(False, "no_answer")
        right = (attempt.answer.language, attempt.answer.code) == (sample.language, sample.output)
        return Verdict(True, "passed") if right else Verdict(False, "different", f"{attempt.answer.code} in attempt {attempt.attempt}")


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("```bash\npython train.py\n```", Answer("bash", "python train.py")),
        ("First:\n```sh\nls\n```\nthen\n```python\nimport nets\nnets.go()\n```\ndone", Answer("python", "import nets\nnets.go()")),
        ("python train.py --epochs 5", Answer("bash", "python train.py --epochs 5")),
        ("```\nimport nets\n```", Answer("python", "import nets")),
        ("~~~~bash\necho '```'\n~~~~", Answer("bash", "echo '```'")),
        ("```bash\npython cut_off.py", Answer("bash", "python cut_off.py")),
        ("```bash\n\n```", None),
        ("  \n", None),
    ],
)
def test_answer_of_a_reply(reply: str, answer: Answer | None) -> None:
    assert answer_of(reply) == answer


def test_without_inspect_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "inspect_ai", None)
    with pytest.raises(UsageError, match=r"pip install 'ml-agent\[inspect\]'"):
        suite_task(SUITE, Equal())


def test_inspect_evaluates_a_suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inspect_ai = pytest.importorskip("inspect_ai", reason="the extra [inspect] is not installed")
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    replies = {"5 epochs": "```bash\npython train.py --epochs 5\n```", "3 layers": "```python\nNet(layers=4)\n```", "Grow": ""}
    seen: list[str] = []

    def reply(messages: list[Any], *rest: object) -> Any:
        text = messages[-1].text
        seen.append(text)
        output = ModelOutput.from_content("mockllm/model", next(answer for word, answer in replies.items() if word in text))
        output.usage = ModelUsage()  # else it counts tokens, and fetches a vocabulary for that
        return output

    task = suite_task(SUITE, Equal(), contexts={"1/2": "Net has layers."})
    [log] = inspect_ai.eval(task, model=get_model("mockllm/model", custom_outputs=reply), log_dir=str(tmp_path), display="none", epochs=2)
    assert log.status == "success", log.error
    found = {(str(one.id), one.epoch): next(iter((one.scores or {}).values())) for one in log.samples or []}
    assert {key: score.value for key, score in found.items()} == {
        (key, epoch): value for key, value in (("1/1", "C"), ("1/2", "I"), ("2/1", "I")) for epoch in (1, 2)
    }
    assert found["1/2", 2].explanation == "different: Net(layers=4) in attempt 1"
    assert found["2/1", 1].explanation == "no_answer"
    assert (log.eval.metadata or {})["suite_hash"] == SUITE.hash
    assert log.results
    metrics = log.results.scores[0].metrics
    assert metrics["accuracy"].value == pytest.approx(1 / 3)
    assert len(seen) == 6
    assert not any("SECRET" in text for text in seen)
    assert sum("Net has layers." in text for text in seen) == 2
    assert any("Grow {braces} 7." in text for text in seen)
