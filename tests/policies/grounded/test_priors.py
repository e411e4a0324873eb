"""What a program's place says of it."""

import pytest

from ml_agent.policies.grounded.priors import is_support
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command
from tests.policies.grounded.test_programs import at, ranked


@pytest.mark.parametrize(
    ("path", "documented", "support"),
    [
        ("tools/brew.py", False, True),
        ("tools/brew.py", True, False),
        ("benchmarks/brew.py", True, False),
        ("tests/brew.py", True, True),
        ("tests/tools/brew.py", True, True),
        ("tea/brew.py", False, False),
    ],
)
def test_a_tool_that_a_document_starts_is_no_support(path: str, *, documented: bool, support: bool) -> None:
    assert is_support(path, read_request("brew some tea"), frozenset(), documented=documented) is support


@pytest.mark.parametrize(("folder", "support"), [("tools", False), ("tests", True)])
def test_a_documented_tool_loses_nothing(folder: str, *, support: bool) -> None:
    found = ranked("brew some tea", at(f"{folder}/brew.py"), command(f"python {folder}/brew.py --lr 1", target=f"{folder}/brew.py"))
    assert (found[0].features["support"] < 0) is support
