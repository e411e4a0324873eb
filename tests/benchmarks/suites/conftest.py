from typing import Any

import pytest


@pytest.fixture
def row() -> dict[str, Any]:
    """A row as the data set has them, of no repository that there is."""
    return {
        "github_id": 40,
        "github": "https://example.org/some/TinyNets",
        "repo_id": 3,
        "path": "./examples/names/",
        "arguments": "{'order': '2', 'seed': 11}",
        "instruction": "invent names with order 2 and seed 11",
        "oracle": "python train.py --order 1",
        "type": "Bash Script",
        "id": 7,
        "prefix_code": "pip install x",
        "output": "python train.py --order 2 --seed 11",
    }
