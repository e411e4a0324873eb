"""What turns text into vectors."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """Shape (n, dimension), each row of length 1."""


class Embedder(Protocol):
    """A model for embeddings. Vectors of two embedders can be compared if name, weights and dimension are the same."""

    @property
    def name(self) -> str:
        """As `load_embedder` takes it."""
        ...

    @property
    def weights(self) -> str:
        """Hexadecimal digits that differ between models; the hash of the weights where they can be read."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One vector for each text, in their order; what is too long for the model is cut. Raises InfrastructureError."""
        ...


def normalised(vectors: "NDArray[np.floating]") -> "Vectors":
    """Rows of length 1; a row of zeros stays."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = (vectors / np.where(lengths == 0, 1, lengths)).astype(np.float32)
    return scaled


def valid(text: str, limit: int) -> str:
    """The first `limit` characters, with `?` for lone surrogates (file names that do not decode hold them), which no model takes."""
    return text[:limit].encode("utf-8", "replace").decode("utf-8")
