"""`ml-agent find` as a user meets it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.catalogue.server import github, item, listed
from tests.commandline import ml_agent, one_line
from tests.models.server import body, serving, text

TASK = "train the GraphNet on Cora for 20 epochs"
SECRET = "ghp_" + "a1B2" * 9
NOWHERE: dict[str, Any] = {"https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9", "GITHUB_TOKEN": ""}
"""Nothing beyond this machine can be reached."""


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    (tmp_path / "graphs").mkdir()
    file = tmp_path / "mine.yaml"
    file.write_text(
        f"- {{name: graphs, path: graphs, description: GraphNet and others}}\n"
        f"- {{name: more, url: 'https://example.org/more', description: on Cora, commit: {'0' * 40}}}\n"
    )
    return file


def test_a_ranking_without_key_network_or_model(catalogue: Path) -> None:
    done = ml_agent("find", TASK, "--catalogue", catalogue, **NOWHERE)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:3] == ["keywords  GraphNet, Cora", "order by  words", ""]
    assert lines[3].startswith("   1  graphs  ")
    assert lines[3].endswith(" · in common: GraphNet")
    assert lines[4:6] == ["      GraphNet and others", f"      {catalogue.parent}/graphs"]
    assert lines[-1] == "      https://example.org/more @ 000000000000"


def test_json(catalogue: Path) -> None:
    done = ml_agent("find", TASK, "--catalogue", catalogue, "--limit", "1", "--json", **NOWHERE)
    found = json.loads(done.stdout)
    assert (found["keywords"], found["ranked_by"], found["notes"]) == (["GraphNet", "Cora"], "words", [])
    (one,) = found["candidates"]
    assert (one["rank"], one["name"], one["path"], one["source"]) == (1, "graphs", str(catalogue.parent / "graphs"), "mine.yaml:1")


def test_nothing_found_is_exit_code_1(catalogue: Path) -> None:
    done = ml_agent("find", "zebra", "--catalogue", catalogue)
    assert (done.returncode, done.stdout, done.stderr) == (1, "no repository was found for zebra\n", "")
    done = ml_agent("find", "zebra", "--catalogue", catalogue, "--json")
    assert (done.returncode, json.loads(done.stdout)["candidates"]) == (1, [])


def test_on_github_with_a_token(catalogue: Path) -> None:
    with github(listed(item("a/one", "GraphNet", stars=1_234))) as server:
        done = ml_agent("find", TASK, "--github-url", server.url, "--limit", "1", GITHUB_TOKEN=SECRET)
        assert server.headers[0]["authorization"] == f"Bearer {SECRET}"
    assert "1,234 stars" in done.stdout
    assert "https://127.0.0.1/a/one.git" in done.stdout
    with github(body({"message": f"bad {SECRET}"}, 422)) as server:
        done = ml_agent("find", TASK, "--github-url", server.url, GITHUB_TOKEN=SECRET)
    assert done.returncode == 3
    assert "[redacted]" in one_line(done)
    assert SECRET not in done.stderr


def test_github_fails(catalogue: Path) -> None:
    done = ml_agent("find", TASK, **NOWHERE)
    assert done.returncode == 3
    assert "GitHub's search at https://api.github.com cannot be reached" in one_line(done)
    with github(body({}, 429)) as server:
        done = ml_agent("find", TASK, "--catalogue", catalogue, "--github-url", server.url)
    assert done.returncode == 0
    assert "graphs" in done.stdout
    assert done.stderr.startswith("note: GitHub's search at ")


def test_a_model_ranks(catalogue: Path, tmp_path: Path) -> None:
    replies = [text(json.dumps({"keywords": ["graph"]})), text(json.dumps({"ranked_array": ["more", "graphs"]}))]
    (tmp_path / "own/find").mkdir(parents=True)
    (tmp_path / "own/find/keywords.md.j2").write_text("mine: {{ task }}, {{ most }}")
    with serving(*replies) as server:
        model = ("--model", "scripted", "--base-url", server.url, "--prompts", tmp_path / "own")
        done = ml_agent("find", TASK, "--catalogue", catalogue, *model, "--json")
        assert server.requests[0]["messages"][0]["content"] == f"mine: {TASK}, 6"
    assert [one["name"] for one in json.loads(done.stdout)["candidates"]] == ["more", "graphs"]


def test_bad_input(catalogue: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text("\n{}\n")
    for words, told in (
        ([TASK, "--catalogue", tmp_path / "none.jsonl"], "No such file"),
        ([TASK, "--catalogue", tmp_path / "bad.jsonl"], "bad.jsonl:2: a name of"),
        ([TASK, "--github-url", "http://example.org"], "is none of GitHub's API"),
        ([TASK, "--catalogue", catalogue, "--limit", "0"], "--limit"),
        ([TASK, "--catalogue", catalogue, "--prompts", tmp_path / "none"], "no folder"),
        ([TASK, "--catalogue", catalogue, "--model", "nosuch"], "provider:model"),
        (["  ", "--catalogue", catalogue], "the task is empty"),
        ([], "TASK"),
    ):
        done = ml_agent("find", *words)
        assert done.returncode == 2, words
        assert told in one_line(done)


def test_foreign_text_is_shown_not_obeyed(tmp_path: Path) -> None:
    hostile = "graph [/bold] \x1b[2J\x1b]0;x\x07 \u202e"
    file = tmp_path / "c.jsonl"
    file.write_text(json.dumps({"name": hostile, "url": "https://x/y\x9b", "description": hostile, "topics": [hostile]}))
    assert ml_agent("find", "graph", "--catalogue", file).returncode == 2  # no control character stands in an address
    file.write_text(json.dumps({"name": hostile, "url": "https://x/y", "description": hostile, "topics": [hostile]}))
    done = ml_agent("find", f"graph {hostile}", "--catalogue", file, PYTHONIOENCODING="cp1252")
    assert (done.returncode, done.stderr) == (0, "")
    assert "graph [/bold] \\x1b[2J" in done.stdout
    assert not set(done.stdout) & set("\x1b\x07\u202e")
