"""GitHub's search as it may be: a real server on loopback that plays one turn after the other, and then finds nothing."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.models.server import Handler, ScriptedServer, Turn, body, running


class _Handler(Handler):
    def do_GET(self) -> None:  # noqa: N802 - as http.server names it
        self.play(listed())


class GitHubServer(ScriptedServer):
    RequestHandlerClass: Any

    def __init__(self, turns: "tuple[Turn, ...]") -> None:
        super().__init__(turns)
        self.RequestHandlerClass = _Handler

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def queries(self) -> list[str]:
        """What was searched for."""
        return [parse_qs(urlsplit(path).query)["q"][0] for path in self.paths]


def github(*turns: Turn) -> AbstractContextManager[GitHubServer]:
    return running(GitHubServer(turns))


def item(name: str, description: Any = None, *, stars: Any = 0, topics: Any = (), **more: Any) -> dict[str, Any]:
    """A repository in the shape that the search gives it."""
    return {
        "full_name": name,
        "clone_url": f"https://127.0.0.1/{name}.git",
        "description": description,
        "stargazers_count": stars,
        "topics": topics if not isinstance(topics, tuple) else list(topics),
        **more,
    }


def listed(*items: Any) -> Turn:
    return body({"total_count": len(items), "incomplete_results": False, "items": list(items)})


def with_headers(value: Any, status: int, headers: Mapping[str, str]) -> Turn:
    return body(value, status, **{name.replace("-", "_"): text for name, text in headers.items()})
