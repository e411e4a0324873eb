"""How values are written for an option."""

import pytest

from tests.policies.grounded.support import command, given, option

TRAITS = option("--traits", nargs="+", compared=("depth", "plumage", "clutch_size", "song"))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("traits: the depth, the plumage and the clutch size shall be searched", "depth plumage clutch_size"),
        ("search the trait song", "song"),
        ("judge the traits plumage and song. The depth is known", "plumage song"),
    ],
)
def test_all_the_known_values_of_one_list(text: str, values: str) -> None:
    assert given(text, TRAITS) == {"--traits": values}


def test_known_values_in_one_word_where_documents_write_them_so() -> None:
    traits = option("--traits", compared=("plumage", "song", "depth"))
    documented = command("python train.py --traits depth,song")
    assert given("judge the traits plumage and song", traits, commands=[documented]) == {"--traits": "plumage,song"}


@pytest.mark.parametrize(
    ("default", "written"), [("'640,640'", "416,208"), ("'64x64'", "416x208"), ("'[64,64]'", "[416,208]"), ("'wide'", "416x208")]
)
def test_a_shape_is_written_as_the_documented_ones(default: str, written: str) -> None:
    assert given("with an input shape of 416 x 208", option("--input_shape", type="str", default=default)) == {"--input_shape": written}


def test_one_side_of_a_square_where_one_number_is_taken() -> None:
    size = option("--size", default="'64'", type="str")
    assert given("with a size of 32x32", size) == {"--size": "32"}
    assert given("with a size of 32x16", size) == {"--size": "32x16"}


def test_what_is_set_against_others_is_no_list_with_them() -> None:
    birds, judges = option("--birds", nargs="+"), option("--judges", nargs="*")
    assert given("compare the birds owl.txt and lark.txt against judges hen.txt", birds, judges) == {
        "--birds": "owl.txt lark.txt",
        "--judges": "hen.txt",
    }


@pytest.mark.parametrize(
    ("said", "kind", "written"),
    [("1e6", "int", "1000000"), ("2.5e3", "int", "2500"), ("1e6", "float", "1e6"), ("1e-3", "float", "1e-3"), ("40k", "int", "40000")],
)
def test_a_whole_number_with_an_exponent_for_an_option_of_whole_numbers(said: str, kind: str, written: str) -> None:
    assert given(f"for {said} steps", option("--steps", type=kind, default="10")) == {"--steps": written}


def test_a_fraction_is_no_whole_number() -> None:
    assert given("for 1e-3 steps", option("--steps", type="int")) == {}


def test_a_unit_is_kept_where_its_values_have_it() -> None:
    assert given("a bitrate of 320k", option("--bitrate", default="'128k'")) == {"--bitrate": "320k"}
    assert given("a bitrate of 320k", option("--bitrate", default="128000", type="int")) == {"--bitrate": "320000"}


def test_all_from_one_to_the_other() -> None:
    documented = command("python train.py --seeds=600-605")
    assert given("with seeds 3 to 7", option("--seeds"), commands=[documented]) == {"--seeds": "3-7"}
    assert given("with seeds 0 through 23", option("--seeds"), commands=[documented]) == {"--seeds": "0-23"}
    assert given("on folds 0 to 3", option("--folds", nargs="+", type="int")) == {"--folds": "0 1 2 3"}
    assert given("on folds 0 and 3", option("--folds", nargs="+", type="int")) == {"--folds": "0 3"}


@pytest.mark.parametrize(("said", "written"), [("0-35", "0-35"), ("1,5,9", "1,5,9"), ("1, 5 and 9", "1,5,9")])
def test_a_range_of_seeds_is_no_sign_of_a_list(said: str, written: str) -> None:
    assert given(f"with the seeds {said}", option("--seeds"), commands=[command("python train.py --seeds=600-605")]) == {"--seeds": written}


def test_a_percentage_is_given_as_it_is_where_the_help_counts_in_hundredths() -> None:
    assert given("with 0.5 % of moult", option("--moult", type="float", default="0.25", help="share of birds (%)")) == {"--moult": "0.5"}
    assert given("with 0.5 % of moult", option("--moult", type="float", default="0.25")) == {"--moult": "0.005"}


def test_a_word_is_no_code_of_a_language() -> None:
    assert given("in whatever language it is", option("--language")) == {}
    assert given("the language is no problem", option("--language")) == {}
    assert given("the language code is it", option("--language")) == {"--language": "it"}
    assert given("language fr", option("--language")) == {"--language": "fr"}


WARMUP = option(
    "--warmup-proportion", type="float", default="0.1", help="Proportion of training to warm up for. E.g., 0.1 = 10%% of training."
)


def test_a_percentage_that_explains_a_share_does_not_make_it_one_of_hundredths() -> None:
    whole = option("--train-batch-size", type="int", default="32"), option("--num-epochs", type="int", default="3")
    text = "train with a warmup over 20% of the training"
    assert given(text, WARMUP, *whole) == {"--warmup-proportion": "0.2"}
    assert given(text, *whole) == {}
    assert given("a share of 20%", option("--share", type="float", default="0.1", help="in %, of all birds")) == {"--share": "20"}
