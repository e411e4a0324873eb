from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.repo.embedding.local import SentenceTransformersEmbedder

INSTALLED = find_spec("sentence_transformers") is not None


@pytest.mark.skipif(INSTALLED, reason="sentence-transformers is installed")
def test_the_extra_that_is_needed_is_named() -> None:
    uses: list[Callable[[SentenceTransformersEmbedder], object]] = [lambda e: e.embed(["x"]), lambda e: e.dimension, lambda e: e.weights]
    for use in uses:
        with pytest.raises(
            InfrastructureError, match=r"^st:model needs sentence-transformers: pip install 'ml-agent\[sentence-transformers\]'$"
        ):
            use(SentenceTransformersEmbedder("model"))


@pytest.mark.skipif(not INSTALLED, reason="sentence-transformers is not installed")
def test_nothing_is_downloaded(tmp_path: Path) -> None:
    for model in (str(tmp_path), "nobody/has-such-a-model"):
        with pytest.raises(InfrastructureError, match=r"is not on this machine \(nothing is downloaded; give a folder\)"):
            SentenceTransformersEmbedder(model).embed(["x"])
