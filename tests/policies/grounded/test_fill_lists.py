"""What a list takes along is no value of another option."""

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


def test_a_programs_own_file_is_no_value_of_it() -> None:
    assert given("run train.py on birds.py", option("--source", help="a file of source code")) == {"--source": "birds.py"}
