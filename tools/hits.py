"""What the tools that search have in common."""

from collections.abc import Collection
from typing import TYPE_CHECKING, TypedDict

from ml_agent.tools.facts import HitData, hit_data
from ml_agent.tools.text import cap
from ml_agent.trajectory import Observation

if TYPE_CHECKING:
    from ml_agent.repo.chunks import Kind
    from ml_agent.repo.index import RepoIndex


class SearchData(TypedDict):
    hits: list[HitData]
    """Best first."""


def search(index: "RepoIndex", query: str, kinds: "Collection[Kind]", limit: int, per_file: int) -> Observation:
    """The pieces of these kinds that fit best, as `SearchData`."""
    data: SearchData = {"hits": [hit_data(hit) for hit in index.search(query, kinds, limit, per_file=per_file)]}
    text = "\n\n".join(map(_text, data["hits"])) or f"nothing fits {query!r}"
    return Observation(cap(text, hint="give a smaller limit"), data)


def _text(hit: HitData) -> str:
    """Where it is, what it is, and its text. Lines are not numbered: blank ones are left out of it."""
    title = f"  {hit['title']}" if hit["title"] else ""
    return f"{hit['path']}:{hit['line']}-{hit['end_line']}{title}\n" + "\n".join(f"    {line}" for line in hit["text"].splitlines())
