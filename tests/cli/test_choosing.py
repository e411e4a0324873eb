import argparse
from pathlib import Path
from typing import Any

import pytest

from ml_agent.cli.choosing import add_options, options_of
from ml_agent.config import GITHUB_URL


@pytest.mark.parametrize(
    ("words", "catalogue", "url"),
    [
        ([], None, GITHUB_URL),
        (["--github"], None, GITHUB_URL),
        (["--github-url", "https://x/api/v3"], None, "https://x/api/v3"),
        (["--catalogue", "c.jsonl"], Path("c.jsonl"), None),
        (["--catalogue", "c.jsonl", "--github"], Path("c.jsonl"), GITHUB_URL),
        (["--catalogue", "c.jsonl", "--github-url", "https://x"], Path("c.jsonl"), "https://x"),
    ],
)
def test_github_is_asked_unless_there_is_a_file(words: list[str], catalogue: Any, url: Any) -> None:
    parser = argparse.ArgumentParser()
    add_options(parser)
    assert options_of(parser.parse_args(words)) == {"catalogue": catalogue, "github_url": url}
