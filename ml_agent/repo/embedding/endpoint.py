"""Embeddings from an OpenAI-compatible endpoint. The only embedder that uses the network, and only if it is named."""

import math
import os
import random
import time
from collections.abc import Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ml_agent.errors import InfrastructureError
from ml_agent.repo.embedding.base import normalised, valid

if TYPE_CHECKING:
    import httpx

    from ml_agent.repo.embedding.base import Vectors

DEFAULT_URL = "https://api.openai.com/v1"
BATCH_TEXTS = 64
BATCH_CHARACTERS = 100_000
TEXT_CHARACTERS = 8_000
"""Of one text; the rest is cut."""
ANSWER_BYTES = 32 * 1024 * 1024
TRIES = 4
SECONDS = 30.0
"""For one request."""
LONGEST_WAIT = 20.0
"""Seconds between two tries, whatever the endpoint asks for."""
_TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class EndpointEmbedder:
    """`openai:MODEL` at $OPENAI_BASE_URL with $OPENAI_API_KEY. Another address is another model: its weights cannot be read."""

    def __init__(self, model: str) -> None:
        self.name = f"openai:{model}"
        self._model = model
        self._url = (os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL).rstrip("/")
        self._key = os.environ.get("OPENAI_API_KEY", "")
        self.weights = sha256(f"{self._url} {model}".encode()).hexdigest()

    @cached_property
    def dimension(self) -> int:
        """As the endpoint's vectors have it; the first question costs a request."""
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """Raises InfrastructureError: the endpoint cannot be reached, refuses, or answers with something else than vectors."""
        import httpx
        import numpy as np

        rows: list[list[float]] = []
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        with httpx.Client(headers=headers, timeout=SECONDS) as client:
            for batch in _batches(texts):
                rows += self._ask(client, batch)
        if len({len(row) for row in rows}) > 1:
            raise InfrastructureError(f"{self._where}: vectors of different lengths")
        return normalised(np.array(rows, np.float64).reshape(len(rows), -1 if rows else self.dimension))

    @property
    def _where(self) -> str:
        return f"embeddings of {self._model!r} at {self._url}"

    def _ask(self, client: "httpx.Client", batch: Sequence[str]) -> list[list[float]]:
        import httpx

        for tried in range(1, TRIES + 1):
            last = tried == TRIES
            try:
                status, answer, after = _post(client, f"{self._url}/embeddings", {"model": self._model, "input": list(batch)})
            except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError) as error:
                raise InfrastructureError(f"{self._where}: {_line(error)}") from error
            except httpx.HTTPError as error:
                if last:
                    raise InfrastructureError(f"{self._where}: no answer in {TRIES} tries: {_line(error)}") from error
                after = None
            else:
                if status == 200:
                    return self._vectors(answer, len(batch))
                if status not in _TRANSIENT or _error(answer).get("code") == "insufficient_quota" or last:
                    raise InfrastructureError(f"{self._where}: HTTP {status}: {_line(_error(answer).get('message') or '')}")
            time.sleep(min(LONGEST_WAIT, after if after is not None else 0.5 * 2**tried * random.uniform(0.5, 1)))  # noqa: S311 - spreads retries
        raise AssertionError

    def _vectors(self, answer: Any, count: int) -> list[list[float]]:
        try:
            found = {one["index"]: one["embedding"] for one in answer["data"]}
            rows = [[float(number) for number in found[i]] for i in range(count) if isinstance(found[i], list)]
        except (KeyError, TypeError, ValueError) as error:
            raise InfrastructureError(f"{self._where}: the answer holds no vector for each text") from error
        if len(rows) < count or not all(row and all(map(math.isfinite, row)) for row in rows):
            raise InfrastructureError(f"{self._where}: vectors that are none, empty or not finite")
        return rows


def _post(client: "httpx.Client", url: str, body: object) -> tuple[int, Any, float | None]:
    """The status, the answer (None if it is no JSON or too long), and the seconds after which one may ask again."""
    import json

    content = bytearray()
    with client.stream("POST", url, json=body) as response:
        for part in response.iter_bytes():
            content += part
            if len(content) > ANSWER_BYTES:
                return response.status_code, None, None
        try:
            after = max(0.0, float(response.headers.get("retry-after", "")))
        except ValueError:
            after = None
        try:
            return response.status_code, json.loads(content), after
        except (ValueError, RecursionError):
            return response.status_code, None, after


def _error(answer: Any) -> dict[str, Any]:
    error = answer.get("error") if isinstance(answer, dict) else None
    return error if isinstance(error, dict) else {"message": error}


def _line(what: object) -> str:
    text = str(what) or type(what).__name__
    return "".join(c if c.isprintable() else " " for c in " ".join(text.split()))[:200]


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    used = 0
    for whole in texts:
        text = valid(whole, TEXT_CHARACTERS) or " "  # an empty text is refused
        if batch and (len(batch) == BATCH_TEXTS or used + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, used = [], 0
        batch.append(text)
        used += len(text)
    if batch:
        yield batch
