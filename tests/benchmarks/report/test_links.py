"""Addresses of pages and of repositories: harmless whatever they are made of."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.benchmarks.base import Repository
from ml_agent.benchmarks.report.links import blob_url, page_name, repository_url

COMMIT = "0123456789abcdef0123456789abcdef01234567"
HUB = Repository("nets", "https://github.com/some/nets.git", COMMIT)


@given(st.text(st.characters(codec=None), max_size=200))
def test_a_page_s_name_is_harmless(key: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9-]{1,60}\.html", page_name(key))


def test_keys_that_differ_have_pages_that_differ() -> None:
    keys = ["1/17", "1-17", "1/1 7", "A/b", "a/B", "", "..", "/", "con"]
    assert len({page_name(key).lower() for key in keys}) == len(keys)
    assert page_name("1/17").startswith("1-17-")


@pytest.mark.parametrize(
    ("url", "linked"),
    [
        ("https://github.com/some/nets", True),
        ("https://example.org/a/b.git", True),
        ("http://github.com/some/nets", False),
        ("javascript:alert(1)//https://github.com/a/b", False),
        ("https://github.com/a/b\nx", False),
        ('https://github.com/a/b"onclick=', False),
        ("https://user:secret@github.com/a/b", False),
        ("file:///etc/passwd", False),
        ("/home/me/nets", False),
        ("", False),
    ],
)
def test_only_plain_https_is_linked_to(url: str, linked: bool) -> None:
    assert bool(repository_url(Repository("x", url, COMMIT))) is linked


def test_a_source_is_linked_at_the_pinned_commit() -> None:
    assert blob_url(HUB, "a b/train#1.py:23") == f"https://github.com/some/nets/blob/{COMMIT}/a%20b/train%231.py#L23"
    assert blob_url(HUB, "train.py").endswith("/train.py")
    for source in ("../x.py:1", "a/../../x.py:1", "a:b:1", "", None):
        assert blob_url(HUB, source) == ""
    assert blob_url(Repository("nets", HUB.url, "main"), "x.py:1") == ""
    assert blob_url(Repository("nets", "https://example.org/some/nets", COMMIT), "x.py:1") == ""
    assert blob_url(None, "x.py:1") == ""
