"""What is one token of a request."""

import pytest

from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, given, option


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("run me/OwlNet_LAMP!_day now", ["run", "me/OwlNet_LAMP!_day", "now"]),
        ("run me/OwlNet! Now", ["run", "me/OwlNet", "!", "Now"]),
        ("brew COc(cc1)ccc1C#N now", ["brew", "COc(cc1)ccc1C#N", "now"]),
        ("brew CC(=O)Oc1ccccc1, then stop", ["brew", "CC(=O)Oc1ccccc1", ",", "then", "stop"]),
        ("the owl(s) of the nest (old)", ["the", "owl", "(", "s", ")", "of", "the", "nest", "(", "old", ")"]),
    ],
)
def test_names_with_signs_in_them(text: str, tokens: list[str]) -> None:
    assert [t.text for t in read_request(text).tokens] == tokens


@pytest.mark.parametrize(("text", "file"), [("dock owl.sdf", "owl.sdf"), ("sing owl.midi", "owl.midi"), ("lamp.glb", "lamp.glb")])
def test_files_by_their_endings(text: str, file: str) -> None:
    assert [(m.kind, m.value) for m in read_request(text).mentions] == [("path", file)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sing of every 500th image", ("number", "500")),
        ("Every 2nd owl sings", ("number", "2")),
        ("sing of the 3rd owl", ("identifier", "3rd")),
    ],
)
def test_a_count_behind_every(text: str, said: tuple[str, str]) -> None:
    assert [(m.kind, m.value) for m in read_request(text).mentions] == [said]


def test_every_so_many_is_what_is_skipped() -> None:
    skip, images = option("--skip", type="int"), option("--n-images", type="int")
    assert given("sing of every 500th image", images, skip, commands=[command("python train.py --skip 8")]) == {"--skip": "500"}
