"""Embedders by name: `minilm` (the default; its weights come with a package), `openai:MODEL`, `st:MODEL`."""

from ml_agent.errors import UsageError
from ml_agent.repo.embedding.base import Embedder

__all__ = ["DEFAULT", "Embedder", "load_embedder"]

DEFAULT = "minilm"


def load_embedder(name: str = DEFAULT) -> Embedder:
    """The embedder of that name. Weights are read when it is first used, so this is quick and loads no library.

    `openai:MODEL` asks an OpenAI-compatible endpoint ($OPENAI_BASE_URL, $OPENAI_API_KEY); `st:MODEL` is a model of
    sentence-transformers: a folder, or a name that is in its cache. Raises UsageError for any other name.
    """
    kind, _, model = name.partition(":")
    if name == DEFAULT:
        from ml_agent.repo.embedding.minilm import MiniLM

        return MiniLM()
    if kind == "openai" and model:
        from ml_agent.repo.embedding.endpoint import EndpointEmbedder

        return EndpointEmbedder(model)
    if kind == "st" and model:
        from ml_agent.repo.embedding.local import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(model)
    raise UsageError(f"unknown embedder {name!r}: take {DEFAULT}, openai:MODEL or st:MODEL")
