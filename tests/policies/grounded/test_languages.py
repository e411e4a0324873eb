"""Codes of languages that a request itself gives."""

import pytest

from ml_agent.policies.grounded.languages import code_beside
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import given, option

SOURCE, TARGET = option("--src-lang"), option("--trg-lang")


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [
        ("sing it, source de, target en", "de", "en"),
        ("sing from fr", "fr", None),
        ("sing from deu into fin or fra", "deu", None),  # `fin` is a word as well
        ("sing from de to en", "de", "en"),
        ("bring the tea to it", None, None),
        ("bring tea from no nest to id 3", None, None),
        ("sing de en", None, None),
    ],
)
def test_a_code_behind_the_word_for_its_side(text: str, source: str | None, target: str | None) -> None:
    request = read_request(text)
    for made, code in ((SOURCE, source), (TARGET, target)):
        found = code_beside(made, request)
        assert (found[0] if found else None) == code
        assert found is None or request.tokens[found[1]].text == code
    said = {o.name: code for o, code in ((SOURCE, source), (TARGET, target)) if code}
    assert given(text, SOURCE, TARGET) == said


def test_a_side_that_takes_no_language_has_no_code() -> None:
    assert code_beside(option("--src-nest"), read_request("source de")) is None
    assert code_beside(option("--lang"), read_request("source de")) is None


def test_sides_of_which_no_language_is_known() -> None:
    src, tgt = option("--src-lang"), option("--tgt-lang")
    assert given("translate from German to English", src, tgt) == {"--src-lang": "de", "--tgt-lang": "en"}
    assert given("source language de, target language en", src, tgt) == {"--src-lang": "de", "--tgt-lang": "en"}
    assert given("sing it in German", option("--owl")) == {}
