"""Texts that a request says without quotes."""

import ast

import pytest

from ml_agent.policies.grounded.literals import literals_of
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.spoken_texts import place_spoken_texts

ASKS = "picture = open('owl.jpg')\nquestion = 'What colour is the owl?'\nanswer(picture, question)"
PAINTS = "paint(prompt='an owl on a tree', steps=5, note='not so fast')"


def placed(code: str, text: str) -> list[str]:
    found = list(place_spoken_texts(literals_of(ast.parse(code), code), read_request(text)))
    assert all(mention.words in text for _, _, mention in found)
    return [ast.literal_eval(new) for _, new, _ in found]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ask the owl_vqa model how many birds are in the picture birds.jpg", ["How many birds are in the picture?"]),
        ("ask it what stands in front of the house in house.jpg", ["What stands in front of the house?"]),
        ("I want to know who lives in the third house, please", ["Who lives in the third house?"]),
        ("about nest.png: where was this taken?", ["Where was this taken?"]),
        ("the question is: Is it an owl?", ["Is it an owl?"]),
        ("tell me what command asks it", []),
        ("I want to know how to ask it", []),
        ('ask it "Is it an owl?", I want to know what it says', []),  # there is a text in quotes
        ("show the owl", []),
    ],
)
def test_questions(text: str, said: list[str]) -> None:
    assert placed(ASKS, text) == said
    assert placed(PAINTS, text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("paint me a picture of a red fox in the snow with 30 steps", ["a red fox in the snow"]),
        ("generate an image showing two owls, 9 steps", ["two owls"]),
        ("prompt: a red fox in the snow, using 4 steps", ["a red fox in the snow"]),
        ("The prompt is: A fox. Take 4 steps.", ["A fox"]),
        ("paint 4 pictures", []),
    ],
)
def test_prompts(text: str, said: list[str]) -> None:
    assert placed(PAINTS, text) == said
