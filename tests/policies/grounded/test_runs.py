import pytest

from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.runs import is_list, number_runs, takes_texts
from ml_agent.repo.callables import Taken


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("sizes 16, 32 and 64", ["16 32 64"]),
        ("two hidden layers of 64", ["64 64"]),
        ("five groups of 3 cakes each", ["3 3 3 3 3"]),
        ("20 groups of 3 cakes", []),
        ("two batches of cake with 3 plums", []),
        ("slices of one to three plums", ["1 3"]),
        ("slices of 2 to 4 plums", ["2 4"]),
        ("slices of 4 to 2 plums", []),
        ("width 64, 3 layers", []),  # each has its own noun
        ("sizes 64, 3", ["64 3"]),
    ],
)
def test_numbers_that_belong_together(text: str, runs: list[str]) -> None:
    assert [" ".join(m.value for m in run) for run in number_runs(read_request(text))] == runs


@pytest.mark.parametrize(
    ("taken", "texts", "numbers"),
    [
        (Taken("words", "positional", "None", "list[str] | None"), True, False),
        (Taken("words", "positional", None, "Optional[List[str]]"), True, False),
        (Taken("words", "positional", "('a',)", "Sequence[str]"), True, False),
        (Taken("file_list", "positional", "None"), True, False),
        (Taken("size_list", "positional", "None"), False, False),
        (Taken("file_list", "positional", "(1, 2)"), False, True),
        (Taken("words", "positional", "None", "str | list[str]"), False, False),
        (Taken("sizes", "positional", "(1, 2)"), False, True),
        (Taken("sizes", "positional", None, "List[int]"), False, True),
    ],
)
def test_what_takes_several(taken: Taken, *, texts: bool, numbers: bool) -> None:
    assert (takes_texts(taken), is_list(taken)) == (texts, numbers)
