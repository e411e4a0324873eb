"""Addresses: of the pages of a report, and of repositories out there. Only https is ever linked to."""

import hashlib
import re
from urllib.parse import quote

from ml_agent.benchmarks.base import Repository

_PLACE = re.compile(r"(?P<path>[^:]+?)(?::(?P<line>\d{1,9}))?\Z")
_HTTPS = re.compile(r"https://[A-Za-z0-9.-]+(?::\d{1,5})?(?:/[A-Za-z0-9._~-]+)+/?\Z")
_GITHUB = re.compile(r"https://github\.com/[A-Za-z0-9-]+/[A-Za-z0-9._-]+\Z")
_COMMIT = re.compile(r"[0-9a-f]{40}\Z")


def page_name(key: str) -> str:
    """The file name of a sample's page: readable, harmless whatever the key, and the same in each report."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", key).strip("-")[:40].strip("-")
    return f"{words or 'sample'}-{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}.html"


def repository_url(repository: Repository | None) -> str:
    """Its URL if a page may link to it, else nothing."""
    return repository.url if repository and _HTTPS.match(repository.url) else ""


def blob_url(repository: Repository | None, source: str | None) -> str:
    """Where `path:line` stands on GitHub at the pinned commit; empty if that is not known."""
    if repository is None or not source:
        return ""
    url = repository.url.rstrip("/").removesuffix(".git")
    place = _PLACE.match(source)
    if not (_GITHUB.match(url) and _COMMIT.match(repository.commit) and place) or ".." in place["path"].split("/"):
        return ""
    path = quote(place["path"].encode("utf-8", "replace"), safe="/")
    return f"{url}/blob/{repository.commit}/{path}" + (f"#L{place['line']}" if place["line"] else "")
