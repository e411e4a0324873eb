"""Names that stand in several places of a snippet, and texts of the document beside the request's own."""

import pytest

from ml_agent.policies.grounded.adapting import adapt
from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.flows import read_snippets
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import block


def adapted(code: str, text: str) -> str:
    request = read_request(text)
    (snippet,) = read_snippets([block(f"import owls\n{code}")])
    return adapt(snippet, request, Surroundings(request), frozenset(), closely=True).answer.code.partition("\n")[2]


@pytest.mark.parametrize("name", ["Owl-L-14", "RN50", "owl-h16"])
def test_a_name_changes_wherever_it_stands(name: str) -> None:
    code = "model = owls.create_model('Owl-B-32')\nwords = owls.tokenizer_of('Owl-B-32')"
    assert adapted(code, f"use the {name} model") == code.replace("Owl-B-32", name)


def test_a_file_that_is_read_twice_may_be_two() -> None:
    assert adapted("owls.compare('a.png', 'a.png')", "compare x.png with y.png") == "owls.compare('x.png', 'y.png')"


def test_the_documents_own_sentences_are_left_out() -> None:
    code = "owls.classify(['a barn owl', 'a snowy owl', 'an eagle owl'])"
    assert adapted(code, 'is it "a little owl"?') == "owls.classify(['a little owl'])"
    assert adapted(code, "is it one?") == code


def test_names_of_a_dictionary_are_no_texts() -> None:
    code = "owls.classify(['a barn owl', 'a snowy owl'])"
    assert adapted(code, "the labels {'x': 'the first bird'} and {'y': 'the second bird'}") == (
        "owls.classify(['the first bird', 'the second bird'])"
    )


def test_a_file_that_is_named_twice_is_one() -> None:
    code = "found = owls.find('a.png')\nowls.draw('a.png', found, out_file='b.png')"
    assert adapted(code, "find owls in x/y.png, write to z.png") == code.replace("a.png", "x/y.png").replace("b.png", "z.png")
