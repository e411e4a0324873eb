"""A value that either of two options may take: the model is asked, and its word counts beside what grounded goes by."""

import json
import re
from pathlib import Path

import pytest
from langchain_core.messages import BaseMessage

from ml_agent.models.scripted import scripted_model
from ml_agent.policies.grounded import Grounded
from ml_agent.policies.grounded_plus import GroundedPlus
from ml_agent.policies.grounded_plus.policy import GroundedPlusSettings
from tests.models.parts import model_at
from tests.models.server import refused, serving
from tests.policies.with_model import answer_of, run

PROGRAM = """
import argparse
p = argparse.ArgumentParser()
p.add_argument("--source", help="text file to read")
p.add_argument("--target", help="text file to write")
p.add_argument("--rounds", type=int, default=3)
p.parse_args()
"""
TASK = "convert sentences with convert.py: text files a.txt, b.txt, 7 rounds"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "convert.py").write_text(PROGRAM)
    return tmp_path


def plus(**settings: object) -> GroundedPlus:
    return GroundedPlus(GroundedPlusSettings(close=0, correct=False, **settings))  # type: ignore[arg-type]


def says(**options: str) -> list[object]:
    """A model that names these options of values: `a.txt` is `a_txt`."""

    def reply(messages: list[BaseMessage]) -> str:
        (value,) = re.findall(r"^option: the option that `(.*)` in", str(messages[-1].content), re.MULTILINE)
        return json.dumps({"option": options[value.replace(".", "_")]})

    return [reply] * 4


def test_the_model_says_which_of_two_options(repository: Path) -> None:
    for said in ({"a_txt": "--source", "b_txt": "--target"}, {"a_txt": "--target", "b_txt": "--source"}):
        model = scripted_model(*says(**said))
        code = answer_of(run(plus(), model, TASK, repository)).code
        assert f"{said['a_txt']} a.txt" in code
        assert "--rounds 7" in code
        asked = [str(messages[-1].content) for messages in model.chat.asked]  # type: ignore[attr-defined]
        assert len(asked) == 1  # the rest is clear
        assert all("- --source: text file to read" in question and TASK in question for question in asked)


def test_what_was_first_comes_next(repository: Path) -> None:
    alone = answer_of(run(Grounded(), None, TASK, repository)).code
    swapped = {"a_txt": "--target", "b_txt": "--source"}
    if "--target a.txt" in alone:
        swapped = {"a_txt": "--source", "b_txt": "--target"}
    first, second = (answer_of(run(plus(), scripted_model(*says(**swapped)), TASK, repository, attempt=n)).code for n in range(2))
    assert first != alone
    assert second == alone


def test_what_is_clear_is_not_asked(repository: Path) -> None:
    task = "convert with --source a.txt --target b.txt --rounds 7"
    assert answer_of(run(plus(), scripted_model(), task, repository)) == answer_of(run(Grounded(), None, task, repository))
    assert answer_of(run(plus(place=False), scripted_model(), TASK, repository)) == answer_of(run(Grounded(), None, TASK, repository))


def test_an_option_that_was_not_offered_is_no_word(repository: Path) -> None:
    alone = answer_of(run(Grounded(), None, TASK, repository))
    model = scripted_model(*[json.dumps({"option": "--rounds"})] * 4)
    assert answer_of(run(plus(), model, TASK, repository)) == alone


def test_a_service_that_fails_leaves_it_to_grounded(repository: Path) -> None:
    with serving(*[refused(401, "no")] * 3) as server:
        answer = answer_of(run(plus(), model_at(server.url), TASK, repository))
    assert answer == answer_of(run(Grounded(), None, TASK, repository))
