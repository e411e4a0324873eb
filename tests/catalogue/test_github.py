import gzip
import json
import math
import time
from typing import Any

import pytest

from ml_agent.catalogue.base import Candidate
from ml_agent.catalogue.github import ANSWER_BYTES, GitHub
from ml_agent.errors import InfrastructureError, UsageError
from tests.catalogue.server import github, item, listed, with_headers
from tests.models.server import Handler, Turn, body, dripping, hanging_up, raw
from tests.pace import within

SECRET = "ghp_" + "a1B2" * 9
NOTHING = listed()


@pytest.fixture(autouse=True)
def _no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ml_agent.catalogue.github._PAUSE", 0.05)


def search(*turns: Turn, keywords: tuple[str, ...] = ("graph",), seconds: float = 10, most: int = 10) -> list[Candidate]:
    with github(*turns) as server:
        return GitHub(server.url, seconds=seconds).search(keywords, most)


def fails(*turns: Turn, seconds: float = 10) -> str:
    with pytest.raises(InfrastructureError) as caught:
        search(*turns, seconds=seconds)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("GitHub's search at http://127.0.0.1:")
    return message


def test_what_is_asked_and_what_is_read() -> None:
    long = "graphs " * 1_000
    with github(
        listed(item("a/one", "Graphs\nand more", stars=12, topics=("graph", "ml"))), listed(item("b/two", long), item("A/One")), NOTHING
    ) as server:
        found = GitHub(server.url + "/").search(["Graph neural", "Cora"], 7)
        assert server.queries == ["graph neural cora", "graph OR neural OR cora", "graph neural"]
        assert server.paths[0].startswith("/search/repositories?")
        assert "per_page=7" in server.paths[0]
        assert server.headers[0]["accept"] == "application/vnd.github+json"
        assert server.headers[0]["user-agent"] == "ml-agent"
        assert "authorization" not in server.headers[0]
    first, second = found
    assert first == Candidate(
        "a/one", "https://127.0.0.1/a/one.git", None, "Graphs and more", ("graph", "ml"), 12, source=server.url
    )  # of a name that differs in case alone the first is kept
    assert (second.name, second.stars, len(second.description)) == ("b/two", 0, 1_000)


def test_what_came_before_a_failure_is_kept() -> None:
    with github(listed(item("a/one")), body({}, 429)) as server:
        service = GitHub(server.url)
        assert [one.name for one in service.search(["graph", "Cora"])] == ["a/one"]
    (note,) = service.notes
    assert "allows no further one" in note


def test_enough_is_enough() -> None:
    with github(listed(*(item(f"a/r{n}") for n in range(5)))) as server:
        assert [one.name for one in GitHub(server.url).search(["graph"], 3)] == ["a/r0", "a/r1", "a/r2"]
        assert len(server.paths) == 1


def test_words_cannot_become_operators_or_qualifiers() -> None:
    with github(NOTHING, NOTHING, NOTHING) as server:
        GitHub(server.url).search(['user:me "x" NOT -language:c', "A OR B", "p&per_page=100"], 5)
        assert server.queries[0] == "user me x not language c a or b p per_page 100"
        assert all("per_page=5" in path for path in server.paths)


def test_questions_keep_to_what_github_takes() -> None:
    with github(*[NOTHING] * 3) as server:
        GitHub(server.url).search([f"{'x' * 45} word{n}" for n in range(40)])
        assert all(len(query) <= 256 + 6 * 4 for query in server.queries)
        assert all(query.count(" OR ") <= 5 for query in server.queries)
    with github() as server:
        assert GitHub(server.url).search(["::", ""]) == []
        assert server.paths == []


def test_a_token_is_sent_and_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", f" {SECRET}\n")
    with github(listed(item("a/one"))) as server:
        GitHub(server.url).search(["graph"], 1)
        assert server.headers[0]["authorization"] == f"Bearer {SECRET}"
    assert "does not accept GITHUB_TOKEN: make a new token, or unset it" in fails(body({"message": f"Bad {SECRET}"}, 401))
    told = fails(body({"message": f"no, {SECRET}"}, 422))
    assert "refuses (422, no, [redacted])" in told
    monkeypatch.setenv("GITHUB_TOKEN", "a\nb")
    with pytest.raises(UsageError, match="GITHUB_TOKEN holds characters that no token has") as caught:
        GitHub()
    assert "b:" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "headers", "message", "told"),
    [
        (
            403,
            {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(math.ceil(time.time()) + 2_999)},
            "API rate limit",
            r"for [12]\d{3} s",
        ),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}, "API rate limit", "for 1 s"),
        (429, {"retry-after": "42"}, "slow down", "for 42 s"),
        (403, {"retry-after": "7"}, "You have exceeded a secondary rate limit", "for 7 s"),
        (403, {}, "API rate limit exceeded for 1.2.3.4", "for a minute or more"),
        (429, {}, "", "for a minute or more"),
        (429, {"retry-after": "soon", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "later"}, "", "for a minute or more"),
    ],
)
def test_too_many_searches(status: int, headers: dict[str, str], message: str, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        InfrastructureError, match=rf"allows no further one {told}: wait, set GITHUB_TOKEN for more, or give --catalogue FILE"
    ):
        search(with_headers({"message": message}, status, headers))
    monkeypatch.setenv("GITHUB_TOKEN", SECRET)
    assert "wait, or give --catalogue FILE" in fails(with_headers({"message": message}, status, headers))


def test_a_refusal_for_another_reason() -> None:
    assert "refuses (403, Resource not accessible): try again later" in fails(body({"message": "Resource not accessible"}, 403))
    assert "refuses (418): " in fails(raw(b"teapot", status=418))
    assert "is not there (404): is --github-url right? Of GitHub Enterprise it ends in /api/v3" in fails(
        body({"message": "Not Found"}, 404)
    )


def test_a_fault_of_the_server_is_tried_once_more() -> None:
    assert [one.name for one in search(raw(b"", status=502), listed(item("a/one")), most=1)] == ["a/one"]
    assert [one.name for one in search(hanging_up, listed(item("a/one")), most=1)] == ["a/one"]
    assert "answers 500 (2 tries): try again later, or give --catalogue FILE" in fails(*[raw(b"<html>", status=500)] * 2)
    assert "answers 503 (so \x1b[2J much) (2 tries)" in fails(*[body({"message": "so \x1b[2J\nmuch"}, 503)] * 2)
    assert "cannot be reached" in fails(hanging_up, hanging_up)


@pytest.mark.parametrize("turn", [dripping(20), lambda handler: time.sleep(3)])
def test_what_is_slow_has_an_end(turn: Turn) -> None:
    with within(3):
        assert "gave no answer within 0.4 s" in fails(turn, turn, seconds=0.4)


def slow_head(handler: Handler) -> None:
    """A header now and then, each within the time of a single read."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for n in range(60):
        handler.wfile.write(f"x-{n}: y\r\n".encode())
        handler.wfile.flush()
        time.sleep(0.05)


def test_a_head_that_is_slow_has_an_end() -> None:
    with within(2):
        assert "gave no answer within 0.3 s" in fails(slow_head, seconds=0.3)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"<!DOCTYPE html><p>Sign in", "answers with HTML in place of a list"),
        (b"", "answers with something else"),
        (b'{"items": [', "answers with something else"),
        (b"[]", "answers with something else"),
        (b'{"items": {}}', "answers with something else"),
        (b"[" * 200_000, "answers with something else"),
        (b"\xff\xfe", "answers with something else"),
        (b"[" + b"1," * ANSWER_BYTES, f"answers with more than {ANSWER_BYTES:,} bytes"),
        (gzip.compress(b"{}", mtime=0), "answers with something else"),
    ],
)
def test_what_is_no_answer(content: bytes, told: str) -> None:
    assert told in fails(raw(content))


def test_what_is_packed_is_not_unpacked() -> None:
    """Nobody asked for it, and what is packed small can be large."""

    def packed(handler: Handler) -> None:
        handler.send(gzip.compress(json.dumps({"items": []}).encode()), headers={"content-encoding": "gzip"})

    assert "something else" in fails(packed)


@pytest.mark.parametrize(
    "odd",
    [
        None,
        7,
        "a/one",
        [],
        {},
        item("no-owner"),
        item("../x"),
        item("a/b\n"),
        item("a/one", full_name=["a/one"]),
        item("a/one", clone_url=None),
        item("a/one", clone_url="file:///etc"),
        item("a/one", clone_url="http://127.0.0.1/a/one.git"),
        item("a/one", clone_url="ext::sh -c id"),
        item("a/one", clone_url="https://elsewhere.example/a/one.git"),
        item("a/one", clone_url="https://me:secret@127.0.0.1/a/one.git"),
        item("a/one", clone_url="https://127.0.0.1/b/two.git"),
        item("a/one", clone_url="https://[::1/a/one.git"),
    ],
)
def test_what_is_no_repository_is_left_out(odd: Any) -> None:
    assert [one.name for one in search(listed(odd, item("b/two")), most=1)] == ["b/two"]


def test_fields_of_other_types() -> None:
    found = search(listed(item("a/one", 7, stars="many", topics="graph"), item("b/two", {}, stars=True, topics=[1, None, "ml"])), most=2)
    assert [(one.description, one.stars, one.topics) for one in found] == [("", None, ()), ("", None, ("ml",))]


def redirect(where: str, status: int = 301) -> Turn:
    return lambda handler: handler.send(b"", status, headers={"location": where})


def test_redirects_stay_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", SECRET)
    with github(redirect("/elsewhere?q=x", 307), listed(item("a/one"))) as server:
        assert len(GitHub(server.url).search(["graph"], 1)) == 1
        assert server.paths[1] == "/elsewhere?q=x"
    with github() as other:
        for where in (f"{other.url}/x", "https://127.0.0.1/x", "//elsewhere.example/x", "file:///etc/passwd"):
            assert "redirects to another host" in fails(redirect(where))
        assert "Invalid URL in location" in fails(*[redirect("https://[::1")] * 2)
        assert other.headers == []
    assert "redirects without end" in fails(*[redirect("/again")] * 5)


def test_of_github_itself_and_of_an_installation() -> None:
    """A repository may lie on the host of the API, or on the one whose `api.` it is."""
    for api, host in (
        ("https://api.github.com", "github.com"),
        ("https://git.example.org/api/v3", "git.example.org"),
        ("https://api.x.ghe.com", "x.ghe.com"),
    ):
        answer = {"items": [item("a/one", clone_url=f"https://{host}/a/one.git"), item("a/two", clone_url="https://api.evil.com/a/two")]}
        assert [one.name for one in GitHub(api)._read(answer)] == ["a/one"]


@pytest.mark.parametrize(
    "url", ["", "x", "github.com", "ftp://x", "http://example.org", "https://", "https://x?y", "https://x y", "https://[", "https://x:y"]
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(UsageError, match=r"is none of GitHub's API: give one like https://api\.github\.com"):
        GitHub(url)


def test_an_address_with_a_password() -> None:
    with pytest.raises(UsageError, match="leave them out and set GITHUB_TOKEN") as caught:
        GitHub("https://me:secret@example.org")
    assert "secret" not in str(caught.value)


def test_a_certificate_that_nobody_vouches_for(tmp_path: Any) -> None:
    import ssl
    import subprocess
    import threading
    from http.server import HTTPServer

    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    files = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "cert")]
    subprocess.run([*made, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        with pytest.raises(InfrastructureError, match=r"cannot be reached: .*CERTIFICATE_VERIFY_FAILED"):
            GitHub(f"https://localhost:{server.server_port}").search(["graph"])
        server.shutdown()
