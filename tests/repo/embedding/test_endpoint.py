"""Against a real HTTP server on this machine, which answers as the test says."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.repo.embedding import endpoint
from ml_agent.repo.embedding.endpoint import BATCH_CHARACTERS, BATCH_TEXTS, TEXT_CHARACTERS, TRIES, EndpointEmbedder

Answer = tuple[int, Any, dict[str, str]]


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, Any], str | None]] = []
        self.answer: Callable[[int, dict[str, Any]], Answer] = lambda n, body: (200, vectors_of(body), {})


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.path, body, self.headers["Authorization"]))
        status, answer, headers = self.server.answer(len(self.server.asked), body)
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        pass


def vectors_of(body: dict[str, Any]) -> dict[str, Any]:
    """In the wrong order, as an endpoint may answer."""
    data = [{"index": i, "embedding": [float(len(text)), 1.0, 0.0]} for i, text in enumerate(body["input"])]
    return {"data": data[::-1]}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{made.server_port}/v1/")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


def test_each_text_gets_its_vector(server: Server) -> None:
    texts = ["a", "bb" * 2, "c" * 9]
    vectors = EndpointEmbedder("m").embed(texts)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], [1, 4, 9], rtol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert server.asked == [("/v1/embeddings", {"model": "m", "input": texts}, "Bearer sk-test")]
    assert EndpointEmbedder("m").dimension == 3
    assert EndpointEmbedder("m").embed([]).shape == (0, 3)


def test_without_a_key_none_is_sent(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    EndpointEmbedder("m").embed(["x"])
    assert server.asked[0][2] is None


def test_requests_are_of_a_bounded_size(server: Server) -> None:
    vectors = EndpointEmbedder("m").embed(["x"] * (2 * BATCH_TEXTS + 1) + ["y" * 50_000] * 20 + [""])
    assert len(vectors) == 2 * BATCH_TEXTS + 22
    inputs = [body["input"] for _, body, _ in server.asked]
    assert sum(map(len, inputs)) == len(vectors)
    assert all(len(i) <= BATCH_TEXTS and sum(map(len, i)) <= BATCH_CHARACTERS for i in inputs)
    assert max(len(text) for i in inputs for text in i) == TEXT_CHARACTERS
    assert all(text for i in inputs for text in i)


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_a_passing_fault_is_tried_again(server: Server, status: int) -> None:
    server.answer = lambda n, body: (status, {"error": {"message": "soon"}}, {}) if n < TRIES else (200, vectors_of(body), {})
    assert EndpointEmbedder("m").embed(["x"]).shape == (1, 3)
    assert len(server.asked) == TRIES


def test_the_wait_is_what_the_endpoint_asks_for_but_bounded(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    asks = {1: "3", 2: "86400", 3: "soon"}
    server.answer = lambda n, body: (429, {}, {"Retry-After": asks[n]}) if n in asks else (200, vectors_of(body), {})
    EndpointEmbedder("m").embed(["x"])
    assert waits[:2] == [3, endpoint.LONGEST_WAIT]
    assert 0 < waits[2] < 10


def test_a_lasting_fault_ends_in_one_line(server: Server) -> None:
    server.answer = lambda n, body: (500, {"error": {"message": "out\nof \x1b[31mmemory"}}, {})
    with pytest.raises(InfrastructureError, match=r"^embeddings of 'm' at http://127.*: HTTP 500: out of +\[31mmemory$"):
        EndpointEmbedder("m").embed(["x"])
    assert len(server.asked) == TRIES


@pytest.mark.parametrize(("status", "error"), [(401, {"message": "bad key"}), (404, "no model"), (429, {"code": "insufficient_quota"})])
def test_what_trying_again_cannot_mend_is_not_tried_again(server: Server, status: int, error: Any) -> None:
    server.answer = lambda n, body: (status, {"error": error}, {})
    with pytest.raises(InfrastructureError, match=f"HTTP {status}"):
        EndpointEmbedder("m").embed(["x"])
    assert len(server.asked) == 1


NO_VECTORS: list[Any] = [b"<html>", b"", b"[" * 100_000, [], {"data": []}, {"data": [{"index": 1, "embedding": [1]}]}]
NO_NUMBERS = [b'{"data": [{"index": 0, "embedding": %s}]}' % e for e in (b"[NaN]", b"[1e999]", b"[]", b'"AAAA"', b'"1"', b"null", b"[[1]]")]


@pytest.mark.parametrize("answer", NO_VECTORS + NO_NUMBERS)
def test_an_answer_that_holds_no_vectors_is_refused(server: Server, answer: Any) -> None:
    server.answer = lambda n, body: (200, answer, {})
    with pytest.raises(InfrastructureError, match=r"^embeddings of 'm' at "):
        EndpointEmbedder("m").embed(["x"])


def test_what_is_no_valid_unicode_can_be_sent(server: Server) -> None:
    assert EndpointEmbedder("m").embed(["a\udcff", "é"]).shape == (2, 3)
    assert server.asked[0][1]["input"] == ["a?", "é"]


def test_an_endless_answer_is_cut_off(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "ANSWER_BYTES", 1_000)
    server.answer = lambda n, body: (200, b'{"data": [' + b" " * 5_000_000, {})
    with pytest.raises(InfrastructureError, match="no vector for each text"):
        EndpointEmbedder("m").embed(["x"])


def test_vectors_of_different_lengths_are_refused(server: Server) -> None:
    server.answer = lambda n, body: (200, {"data": [{"index": i, "embedding": [1.0] * (i + 1)} for i in range(len(body["input"]))]}, {})
    with pytest.raises(InfrastructureError, match="different lengths"):
        EndpointEmbedder("m").embed(["x", "y"])


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    with pytest.raises(InfrastructureError, match=f"no answer in {TRIES} tries"):
        EndpointEmbedder("m").embed(["x"])


@pytest.mark.parametrize("url", ["nonsense", "ftp://127.0.0.1/v1", "http://[::1"])
def test_an_address_that_is_none(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    with pytest.raises(InfrastructureError, match=r"^embeddings of 'm' at "):
        EndpointEmbedder("m").embed(["x"])


def test_another_address_or_model_is_another_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    first = EndpointEmbedder("m").weights
    assert EndpointEmbedder("n").weights != first
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert EndpointEmbedder("m").weights != first
