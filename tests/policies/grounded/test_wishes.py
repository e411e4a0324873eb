import pytest

from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.wishes import Wishes, read_wishes


def wishes(text: str) -> Wishes:
    return read_wishes(read_request(text))


@pytest.mark.parametrize(
    "text", ["print the output's shape", "see the shape of what comes out", "I want the output size", "the logits' shape"]
)
def test_the_shape(text: str) -> None:
    assert wishes(text).shape


def test_what_is_not_wished_for() -> None:
    assert wishes("train a net for 5 epochs on the shapes data set") == Wishes()


def test_counting_and_evaluation() -> None:
    assert wishes("How many parameters has it?").count
    assert wishes("switch it to inference mode").evaluation
    assert wishes("put it on the GPU").device == "cuda"


def test_weights_that_are_saved_and_loaded() -> None:
    both = wishes("load old.pth into it and save the weights to new.pth")
    assert (both.load and both.load.value, both.save and both.save.value) == ("old.pth", "new.pth")
    assert (wishes("load old.pth").save, wishes("save it as new.pth").load) == (None, None)


def test_an_optimiser_and_a_schedule() -> None:
    found = wishes("an SGD optimizer with a rate of 0.1 and a cosine schedule")
    assert found.optimiser
    assert found.schedule
    assert (found.optimiser.name, found.schedule.name) == ("SGD", "CosineAnnealingLR")
    assert wishes("Adam was here").optimiser is None
    assert wishes("a cosine curve").schedule is None
