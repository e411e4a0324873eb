"""An embedder for tests of what is done with vectors: quick, the same everywhere, and it counts what it is asked."""

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from ml_agent.repo.embedding.base import normalised

if TYPE_CHECKING:
    from ml_agent.repo.embedding.base import Vectors


class CountingEmbedder:
    """A text is the sum of its words, each a direction of its own: texts that share words are near."""

    def __init__(self, name: str = "words", dimension: int = 64) -> None:
        self.name = name
        self.dimension = dimension
        self.weights = sha256(name.encode()).hexdigest()
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> "Vectors":
        import numpy as np

        self.asked += texts
        rows = np.full((len(texts), self.dimension), 1e-6)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                seed = int.from_bytes(sha256(f"{self.name} {word}".encode("utf-8", "replace")).digest()[:8])
                row += np.random.default_rng(seed).standard_normal(self.dimension)
        return normalised(rows)
