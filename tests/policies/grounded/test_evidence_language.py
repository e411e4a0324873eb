import pytest

from ml_agent.policies.grounded.evidence import language_asked, leaning_to_python, leans_to_python
from ml_agent.policies.grounded.request import read_request


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Python please: three jars of jam", 1.0),
        ("I'm in a notebook, fill a jar", 1.0),
        ("From a script, not the command line: fill a jar", 1.0),
        ("no shell here, fill a jar", 1.0),
        ("Which command fills the jar?", -1.0),
        ("Write a script with JarGrid that fills three jars", 1.0),
        ("Could you write the Python?", 1.0),
        ("Write the Python code that fills a jar", 1.0),
        ("Could you write the script?", 0.0),
        ("Write the program for three jars", 1.0),
        ("three jars of jam. code only", 1.0),
        ("Help me write some code for three jars", 0.0),
        ("three jars of jam, as a script", 1.0),
        ("run the example script on three jars", -1.0),
        ("run three jars as the script does", 0.0),
        ("run the Python evaluation of the jars", 0.0),
        ("fill it with python fill.py", 0.0),
        ("I have python 3.8, fill the jar", 0.0),
        ("fill the jar", 0.0),
    ],
)
def test_the_language_that_is_asked_for(text: str, asked: float) -> None:
    assert language_asked(read_request(text)) == asked


@pytest.mark.parametrize(
    "text",
    [
        "Build the Jar class and run a random input of 3x32x32 through it",
        "push two pictures through the net and print the shape",
        "give me a snippet that labels pot.jpg",
        "sort these images with the pre-trained model",
    ],
)
def test_use_of_the_library(text: str) -> None:
    assert leans_to_python(read_request(text)) > 0


@pytest.mark.parametrize("text", ["train it for 10 epochs with a batch of 32", "evaluate the checkpoint on 2 gpus, seed 3"])
def test_a_program_with_settings(text: str) -> None:
    assert leans_to_python(read_request(text)) < 0


def test_many_numbers_count_no_more_than_two() -> None:
    few, many = ("jam with 1, 2", "jam with 1, 2, 3, 4, 5, 6")
    assert leans_to_python(read_request(few)) == leans_to_python(read_request(many)) == -0.5


def test_a_language_that_is_asked_for_outweighs_all_signs() -> None:
    assert leans_to_python(read_request("In Python, train it for 10 epochs with a batch of 32")) == 1.0
    assert leans_to_python(read_request("Write a program that fills 10 jars with a seed of 3")) == 1.0
    assert leans_to_python(read_request("Which command pushes a random input of 3x32x32 through the Jar class?")) == -1.0


def test_an_answer_in_the_language_that_is_not_asked_for_comes_last() -> None:
    asked, other = (leaning_to_python(read_request(t)) for t in ("in Python, fill a jar", "which command fills a jar?"))
    assert asked > 3.0
    assert other < -3.0


def test_two_pictures_say_no_more_than_one() -> None:
    one, two = "bring pot.jpg to life", "bring pot.jpg to life with lid.mp4"
    assert leans_to_python(read_request(one)) == leans_to_python(read_request(two)) == 0.6
