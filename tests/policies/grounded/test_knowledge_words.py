"""Words that programs have of their own, and words that are no values."""

import pytest

from ml_agent.policies.grounded.knowledge import file_stems, word_beside
from ml_agent.policies.grounded.request import read_request
from ml_agent.repo.entrypoints import Option
from tests.policies.grounded.support import command, given, option


@pytest.mark.parametrize(
    ("of", "documented", "expected"),
    [
        (option("--split", default="'valid'"), "", "valid"),
        (option("--split", default="'train'"), "--split valid", "valid"),
        (option("--split", compared=("train", "dev")), "", "dev"),
        (option("--split"), "", "validation"),
    ],
)
def test_the_programs_own_word_for_validation(of: Option, documented: str, expected: str) -> None:
    commands = [command(f"python train.py {documented}")] if documented else []
    assert given("sing on the validation split", of, commands=commands) == {"--split": expected}


def test_modules_that_serve_others_are_no_names() -> None:
    helpers = ("owl_utils.py", "lark_eval.py", "factory.py", "nest_helpers.py", "common.py", "owl_tests.py", "__init__.py")
    found = file_stems(tuple(f"nests/{name}" for name in ("owl_base.py", "wren_large.py", "utility_owl.py", *helpers)))
    assert set(found) == {"/nest", "owlbase", "wrenlarge", "utilityowl"}
    assert set(found.values()) == {("owl_base", "wren_large", "utility_owl")}


@pytest.mark.parametrize("behind", ["that can see", "which sees", "who could sing"])
def test_what_a_thing_can_do_is_no_kind_of_it(behind: str) -> None:
    kind = option("--model-type", default="'owl'")
    assert word_beside(kind, ("owl",), read_request(f"hatch a model {behind}")) is None
    assert given(f"hatch a model {behind}", kind) == {}
    assert given("hatch a model type lark", kind) == {"--model-type": "lark"}
