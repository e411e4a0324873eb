"""Repositories by GitHub's search, of github.com or of an installation of one's own."""

import asyncio
import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from ml_agent.catalogue.base import TOPICS, Candidate, one_line
from ml_agent.catalogue.words import KEYWORDS, search_words
from ml_agent.config import GITHUB_URL
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.models.background import run
from ml_agent.models.redaction import redact

if TYPE_CHECKING:
    import httpx

TOKEN = "GITHUB_TOKEN"  # noqa: S105 - the variable's name
SECONDS = 30.0
"""For a search, its several questions together."""
MOST = 100
"""Repositories in one answer, as GitHub has it."""
ANSWER_BYTES = 4_000_000
QUERY_CHARACTERS = 256
TRIES = 2
_PAUSE = 1.0
"""Seconds before the second try."""
_REDIRECTS = 3
_TRANSIENT = {500, 502, 503, 504}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+")
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_HEADERS = {
    "accept": "application/vnd.github+json",
    "accept-encoding": "identity",  # what is packed small can be large
    "user-agent": "ml-agent",
    "x-github-api-version": "2022-11-28",
}


class _Transient(Exception):
    """It may work in a moment."""


class GitHub:
    """The search of the installation whose API stands at `url`, with the token in $GITHUB_TOKEN if there is one.

    Raises UsageError if the URL is none for it, or the token cannot be one.
    """

    def __init__(self, url: str = GITHUB_URL, *, seconds: float = SECONDS) -> None:
        self._url, self._seconds = _checked_url(url), seconds
        self.notes: list[str] = []
        self._token = os.environ.get(TOKEN, "").strip()
        if not (self._token.isascii() and self._token.isprintable()) or " " in self._token:
            raise UsageError(f"{TOKEN} holds characters that no token has: set it anew, or unset it")

    def search(self, keywords: Sequence[str], most: int = 10) -> list[Candidate]:
        """At most `most` repositories, best first as GitHub sees it; none if it finds none.

        It is asked for those that fit all keywords; while these are too few, for those that fit any, then the first. Raises
        InfrastructureError, in one line that says what to do, if it cannot be asked or gives no answer; if it gave some before, that is
        a note.
        """
        most, found = min(most, MOST), dict[str, Candidate]()
        try:
            run(self._search(list(_queries(keywords)), most, found))
        except InfrastructureError as error:
            if not found:
                raise
            self.notes.append(str(error))
        return list(found.values())[:most]

    async def _search(self, queries: Sequence[str], most: int, found: dict[str, Candidate]) -> None:
        import httpx

        try:
            async with asyncio.timeout(self._seconds), httpx.AsyncClient(headers=_HEADERS, timeout=self._seconds) as client:
                for query in queries:
                    if len(found) < most:
                        for one in self._read(await self._persist(client, query, most)):
                            found.setdefault(one.name.lower(), one)
        except TimeoutError as error:
            raise InfrastructureError(f"{self._where} gave no answer within {self._seconds:.3g} s: {_ADVICE}") from error

    @property
    def _where(self) -> str:
        return f"GitHub's search at {self._url}"

    async def _persist(self, client: "httpx.AsyncClient", query: str, most: int) -> Any:
        for tried in range(1, TRIES + 1):
            try:
                return await self._ask(client, query, most)
            except _Transient as error:
                if tried == TRIES:
                    raise InfrastructureError(f"{self._where} {error} ({TRIES} tries): {_ADVICE}") from error
                await asyncio.sleep(_PAUSE)
        raise AssertionError

    async def _ask(self, client: "httpx.AsyncClient", query: str, most: int) -> Any:
        """The answer's object. Raises _Transient and InfrastructureError."""
        import httpx

        url = f"{self._url}/search/repositories"
        headers = {"authorization": f"Bearer {self._token}"} if self._token else {}
        parameters: dict[str, str] | None = {"q": query, "per_page": str(most)}
        for _ in range(1 + _REDIRECTS):
            try:
                async with client.stream("GET", url, params=parameters, headers=headers) as response:
                    if not response.is_redirect:
                        return self._judged(response, await _content(response))
                    url, parameters = self._elsewhere(str(response.url), response.headers["location"]), None
            except httpx.TransportError as error:
                raise _Transient(f"cannot be reached: {_line(error)}") from error
            except (httpx.InvalidURL, httpx.HTTPError) as error:
                raise InfrastructureError(f"{self._where}: {_line(error)}") from error
        raise InfrastructureError(f"{self._where} redirects without end: is --github-url right?")

    def _elsewhere(self, url: str, location: str) -> str:
        """Where it redirects to. A token, and what is searched for, go to no other host."""
        try:
            target = urljoin(url, location)
            same = urlsplit(target)[:2] == urlsplit(url)[:2]
        except ValueError:
            same = False
        if not same:
            raise InfrastructureError(f"{self._where} redirects to another host ({_line(location)}): is --github-url right?")
        return target

    def _judged(self, response: "httpx.Response", content: bytes | None) -> Any:
        status = response.status_code
        answer = _json(content)
        said = _line(answer.get("message")) if isinstance(answer, dict) and isinstance(answer.get("message"), str) else ""
        if status in _TRANSIENT:
            raise _Transient(f"answers {status}{f' ({said})' if said else ''}")
        if status in (403, 429) and (wait := _wait(response, said)) is not None:
            token = "" if self._token else f", set {TOKEN} for more"
            raise InfrastructureError(f"{self._where} allows no further one for {wait}: wait{token}, or give --catalogue FILE")
        if status == 401:
            raise InfrastructureError(f"{self._where} does not accept {TOKEN}: make a new token, or unset it")
        if status == 404:
            raise InfrastructureError(f"{self._where} is not there (404): is --github-url right? Of GitHub Enterprise it ends in /api/v3")
        if status != 200:
            raise InfrastructureError(f"{self._where} refuses ({status}{f', {said}' if said else ''}): {_ADVICE}")
        if content is None:
            raise InfrastructureError(f"{self._where} answers with more than {ANSWER_BYTES:,} bytes: is --github-url right?")
        if not isinstance(answer, dict) or not isinstance(answer.get("items"), list):
            what = "HTML" if re.match(rb"\s*<", content) else "something else"
            raise InfrastructureError(f"{self._where} answers with {what} in place of a list of repositories: is --github-url right?")
        return answer

    def _read(self, answer: Any) -> Iterator[Candidate]:
        """What is no repository, or lies on another host, is left out."""
        for item in answer["items"]:
            name, url = (item.get("full_name"), item.get("clone_url")) if isinstance(item, dict) else (None, None)
            if not isinstance(name, str) or not _NAME.fullmatch(name) or not isinstance(url, str) or not self._is_own(url, name):
                continue
            description, topics, stars = item.get("description"), item.get("topics"), item.get("stargazers_count")
            yield Candidate(
                name=name,
                url=url,
                description=one_line(description) if isinstance(description, str) else "",
                topics=tuple(one_line(t, 100) for t in topics if isinstance(t, str))[:TOPICS] if isinstance(topics, list) else (),
                stars=stars if isinstance(stars, int) and not isinstance(stars, bool) and stars >= 0 else None,
                source=self._url,
            )

    def _is_own(self, url: str, name: str) -> bool:
        """Over https, on the host that was asked or the one that its API belongs to, under the name."""
        host = urlsplit(self._url).hostname or ""
        try:
            parts = urlsplit(url)
            here = parts.hostname in {host, host.removeprefix("api.")} and parts.username is None and parts.password is None
        except ValueError:
            return False
        return here and parts.scheme == "https" and parts.path.lower() in {f"/{name}.git".lower(), f"/{name}".lower()} and not parts.query


_ADVICE = "try again later, or give --catalogue FILE"


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        good = bool(parts.hostname) and parts.port != 0 and not parts.query and not parts.fragment and url.isprintable() and " " not in url
        safe = parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)
    except ValueError:
        good = safe = False
    if not good or not safe:
        raise UsageError(f"the address {url[:200]!r} is none of GitHub's API: give one like {GITHUB_URL} or https://HOST/api/v3")
    if parts.username is not None or parts.password is not None:
        raise UsageError(f"the address of GitHub's API holds a name or password: leave them out and set {TOKEN}")
    return url.rstrip("/")


def _queries(keywords: Sequence[str]) -> Iterator[str]:
    """What GitHub is asked, one after the other while too little is found; each within the length that it takes."""
    phrases = list(dict.fromkeys(" ".join(words) for one in keywords[:KEYWORDS] if (words := search_words(one))))
    while len(" ".join(phrases)) > QUERY_CHARACTERS:
        phrases.pop()
    words = list(dict.fromkeys(" ".join(phrases).split()))
    asked = [" ".join(words), " OR ".join(words[:KEYWORDS]), *phrases[:1]]
    return iter(dict.fromkeys(filter(None, asked)))


async def _content(response: "httpx.Response") -> bytes | None:
    """None if it is more than an answer can be."""
    content = bytearray()
    async for part in response.aiter_raw():
        content += part
        if len(content) > ANSWER_BYTES:
            return None
    return bytes(content)


def _json(content: bytes | None) -> Any:
    try:
        return json.loads(content or b"")
    except (ValueError, RecursionError):
        return None


def _wait(response: "httpx.Response", said: str) -> str | None:
    """How long it lets nobody search; None if it refuses for another reason."""
    headers = response.headers
    after, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    if re.fullmatch(r"\d{1,7}", after):
        return f"{int(after)} s"
    spent = headers.get("x-ratelimit-remaining") == "0"
    if spent and re.fullmatch(r"\d{1,12}", reset):
        return f"{max(1, round(int(reset) - time.time()))} s"
    return "a minute or more" if spent or response.status_code == 429 or "rate limit" in said.lower() else None


def _line(what: object) -> str:
    """What came from elsewhere, as one short line without keys."""
    return one_line(redact(str(what) or type(what).__name__), 200)
