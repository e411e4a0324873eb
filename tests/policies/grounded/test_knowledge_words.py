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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hatch on the larkwood dataset", {"--data": "larkwood"}),
        ("the dataset should be larkwood", {"--data": "larkwood"}),
        ("the call function should be hoot", {"--call": "hoot"}),
        ("soft initialization", {"--init": "soft"}),
        ("8 data loading workers", {}),
        ("a nest dimension of 4", {"--nest": "4"}),
        ("layer normalization", {"--norm": "layer"}),
    ],
)
def test_a_word_beside_what_an_option_is_called_by(text: str, expected: dict[str, str]) -> None:
    data, call, init = option("--data", default="'oakwood'"), option("--call", default="'sing'"), option("--init", default="'hard'")
    nest, norm = option("--nest", default="8", type="int"), option("--norm", default="'batch'", help="batch, layer or none")
    assert given(text, data, call, init, nest, norm) == expected


@pytest.mark.parametrize(("text", "expected"), [("in half precision", "fp16"), ("with bfloat16 precision", "bf16")])
def test_second_names_of_values(text: str, expected: str) -> None:
    assert given(text, option("--precision", choices=["fp16", "bf16", "fp32"])) == {"--precision": expected}


def test_a_letter_is_a_choice_behind_the_name() -> None:
    kinds = option("--features", choices=["M", "S", "MS"])
    assert given("sing it with features S", kinds) == {"--features": "S"}
    assert given("sing the owl's song", kinds) == {}
