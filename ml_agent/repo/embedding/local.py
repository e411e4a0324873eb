"""Embeddings with a model of sentence-transformers that is on this machine (the extra `sentence-transformers`)."""

from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ml_agent.errors import InfrastructureError
from ml_agent.repo.embedding.base import normalised, valid

if TYPE_CHECKING:
    from ml_agent.repo.embedding.base import Vectors

BATCH = 16
TEXT_CHARACTERS = 8_000
"""Of one text; the model cuts it further."""
_SAMPLE = 256
"""Numbers of each tensor that tell its weights from others."""


class SentenceTransformersEmbedder:
    """`st:MODEL`: a folder, or a name in the cache of Hugging Face. Never downloads and never runs code that a model brings."""

    def __init__(self, model: str) -> None:
        self.name = f"st:{model}"
        self._path = model

    @cached_property
    def weights(self) -> str:
        """The hash of the names and shapes of all tensors and of a sample of their numbers."""
        import numpy as np

        digest = sha256()
        for name, tensor in sorted(self._model.state_dict().items()):
            digest.update(f"{name} {tuple(tensor.shape)}".encode())
            digest.update(np.ascontiguousarray(tensor.flatten()[:_SAMPLE].float().cpu().numpy()).tobytes())
        return digest.hexdigest()

    @cached_property
    def dimension(self) -> int:
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Raises InfrastructureError: sentence-transformers is not installed, or has no such model on this machine."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return normalised(
            self._model.encode(
                [valid(text, TEXT_CHARACTERS) for text in texts], batch_size=BATCH, show_progress_bar=False, convert_to_numpy=True
            )
        )

    @cached_property
    def _model(self) -> Any:
        try:
            library: Any = import_module("sentence_transformers")
        except ImportError as error:
            raise InfrastructureError(f"{self.name} needs sentence-transformers: pip install 'ml-agent[sentence-transformers]'") from error
        import_module("transformers.utils.logging").disable_progress_bar()
        try:
            return library.SentenceTransformer(self._path, local_files_only=True, trust_remote_code=False)
        except (OSError, ValueError, RuntimeError) as error:
            reason = " ".join(str(error).split())[:160]
            raise InfrastructureError(f"{self.name} is not on this machine (nothing is downloaded; give a folder): {reason}") from error
