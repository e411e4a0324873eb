"""What is one token of a request."""

import pytest

from ml_agent.policies.grounded.request import read_request


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
