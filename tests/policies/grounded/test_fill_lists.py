"""What is no value of an option: what a list takes along, a little word, the program itself."""

import pytest

from tests.policies.grounded.support import command, given, option

DOCUMENTED = command("python score.py --references ref1.txt ref2.txt --hypothesis example/hyp.txt")
OPTIONS = (option("--references", nargs="+"), option("--hypothesis"), option("--baseline_path"))


@pytest.mark.parametrize(
    "text",
    [
        "score out/night.txt with the references gold1.txt and gold2.txt",
        "with the references gold1.txt and gold2.txt, score out/night.txt",
    ],
)
def test_the_option_that_a_member_of_a_list_would_have_had_is_free(text: str) -> None:
    found = given(text, *OPTIONS, commands=[DOCUMENTED])
    assert found == {"--references": "gold1.txt gold2.txt", "--hypothesis": "out/night.txt"}


def test_a_little_word_is_no_code_of_a_language() -> None:
    language, model = option("--language", choices=("de", "it", "is", "en")), option("--model", default="'medium'")
    said = "sing with the small model, it is meant for me, the language is de"
    assert given(said, language, model) == {"--language": "de", "--model": "small"}


def test_a_programs_own_file_is_no_value_of_it() -> None:
    assert given("run train.py on birds.py", option("--source", help="a file of source code")) == {"--source": "birds.py"}
