import json

import pytest

from ml_agent.repo.symbols import FileSymbols, parse_symbols


def test_data_and_back() -> None:
    symbols = parse_symbols("a.py", '__all__ = ["f"]\nfrom m import *\ndef f(x):\n    """Doc."""\n    return g(x)\n')
    assert FileSymbols.from_data(json.loads(json.dumps(symbols.as_data()))) == symbols


@pytest.mark.parametrize(
    "data",
    [[], None, 3, [0, "python", [], {}, {}, [], None, []], [1, "python", [[1]], {}, {}, [], None, []], [1, "", [], [], {}, [], 0, 0]],
)
def test_other_data_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"symbols|not"):
        FileSymbols.from_data(data)
