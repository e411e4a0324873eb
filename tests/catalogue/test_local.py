import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ml_agent.catalogue import local
from ml_agent.catalogue.local import read_catalogue
from ml_agent.errors import UsageError

COMMIT = "0123456789" * 4
ONE = {"name": "One", "url": "https://example.org/a/one", "description": "Graphs\nand more", "topics": ["graph", "ml"], "commit": COMMIT}


def written(folder: Path, content: str | bytes, name: str = "c.jsonl") -> Path:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def listed(folder: Path, *entries: Any) -> Path:
    return written(folder, "".join(json.dumps(entry) + "\n" for entry in entries))


def refusal(file: Path) -> str:
    with pytest.raises(UsageError) as caught:
        read_catalogue(file)
    message = str(caught.value)
    assert "\n" not in message
    assert file.name in message
    return message


def test_the_same_in_each_form(tmp_path: Path) -> None:
    (tmp_path / "two").mkdir()
    entries = [ONE, {"name": "Two", "path": "two"}]
    files = [
        written(tmp_path, "\n" + "".join(json.dumps(entry) + "\n\n" for entry in entries)),
        written(tmp_path, "\ufeff" + json.dumps(entries, indent=1), "c.json"),
        written(tmp_path, yaml.safe_dump(entries), "c.yaml"),
    ]
    for file in files:
        one, two = read_catalogue(file)
        assert (one.name, one.url, one.path, one.commit) == ("One", ONE["url"], None, COMMIT)
        assert (one.description, one.topics, one.stars) == ("Graphs and more", ("graph", "ml"), None)
        assert (two.name, two.url, two.path) == ("Two", "", tmp_path / "two")
    assert [one.source for one in read_catalogue(files[0])] == ["c.jsonl:2", "c.jsonl:4"]
    assert [one.source for one in read_catalogue(files[1])] == ["c.json:2", "c.json:12"]
    assert [one.source for one in read_catalogue(files[2])] == ["c.yaml:1", "c.yaml:10"]


def test_folders_count_from_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "one").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    file = listed(tmp_path / "lists", {"name": "a", "path": "../one"}, {"name": "b", "path": "~/one"}, {"name": "c", "path": str(tmp_path)})
    assert [one.path for one in read_catalogue(file)] == [tmp_path / "one", tmp_path / "one", tmp_path]
    both = {"name": "d", "path": "gone", "url": "https://example.org/d"}
    assert [one.path for one in read_catalogue(listed(tmp_path, both))] == [None]


def read(file: Path) -> Any:
    """What stands in the file, or what is wrong with it, without the place."""
    try:
        return [one.to_dict() | {"source": ""} for one in read_catalogue(file)]
    except UsageError as error:
        message = str(error)
    assert "\n" not in message
    return message.partition(": ")[2]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (7, "an object with name, url or path is wanted, not a number"),
        (None, "not null"),
        ({}, "a name of 1 to 200 characters"),
        ({"name": " ", "url": "https://x/y"}, "a name of 1 to 200 characters"),
        ({"name": "x" * 201, "url": "https://x/y"}, "a name of 1 to 200 characters"),
        ({"name": 7, "url": "https://x/y"}, "name must be a text, not a number"),
        ({"name": "a"}, "'a' has neither url nor path"),
        ({"name": "a", "path": "nowhere"}, "there is no folder "),
        ({"name": "a", "path": "a\0b"}, "cannot be one"),
        ({"name": "a", "url": "ext::sh -c id"}, "an https, ssh or file URL"),
        ({"name": "a", "url": "https://me:secret@x/y"}, "leave them out"),
        ({"name": "a", "url": "https://x/y", "commit": "main"}, "the commit 'main' is no whole one"),
        ({"name": "a", "url": "https://x/y", "commit": "abcdef1"}, "no whole one"),
        ({"name": "a", "url": "https://x/y", "topics": "graph"}, "topics must be a list of texts"),
        ({"name": "a", "url": "https://x/y", "topics": [1]}, "topics must be a list of texts"),
        ({"name": "a", "url": "https://x/y", "descripton": "x"}, "there is no 'descripton'; is description meant?"),
        ({"name": "a", "url": "https://x/y", "zzz": "x"}, "there is no 'zzz'; there are name, url, path"),
        ({"name": "one", "url": "https://x/y"}, "the name 'one' stands in line 1 already"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, entry: Any, told: str) -> None:
    message = refusal(listed(tmp_path, ONE, entry))
    assert f"{tmp_path}/c.jsonl:2: " in message
    assert told in message
    assert "secret" not in message


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("c.jsonl", '{"name": "a"\n', "c.jsonl:1: no JSON: "),
        ("c.jsonl", "[" * 100_000, "c.jsonl:1: no JSON that can be read"),
        ("c.json", '[\n\n{"name": }]', "c.json:3: no JSON: "),
        ("c.json", '{"name": "a"}', "c.json:1: a list of repositories is wanted, not an object"),
        ("c.yaml", "- name: [\n", "c.yaml:2: no YAML: "),
        ("c.yaml", "name: a\n", "c.yaml:1: a list of repositories is wanted"),
        ("c.yaml", "- " * 5_000, "c.yaml: no YAML that can be read"),
        ("c.yaml", "- &a [*a]\n", "c.yaml:1: no YAML: "),
        ("c.yaml", "- name: a\n- name: \0\n", "c.yaml: no YAML that can be read"),
        ("c.yaml", "- !!python/object/apply:os.system [id]\n", "c.yaml:1: an object with name, url or path is wanted"),
        ("c.csv", "", "is none of .jsonl, .json, .yaml, .yml"),
        ("c.jsonl", b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, content: str | bytes, told: str) -> None:
    assert told in refusal(written(tmp_path, content, name))


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    assert "No such file" in refusal(tmp_path / "none.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert "not a regular file" in refusal(tmp_path / "pipe.jsonl")
    assert "more than 1,000,000 bytes; as .jsonl it may have 20,000,000" in refusal(written(tmp_path, "#" * 1_000_001, "c.yaml"))
    monkeypatch.setattr(local, "MAX_ENTRIES", 1)
    assert "c.jsonl:2: more than 1 repositories" in refusal(listed(tmp_path, ONE, ONE))


def test_empty_ones(tmp_path: Path) -> None:
    for name, content in (("c.jsonl", "\n"), ("c.json", " [ ] "), ("c.yaml", ""), ("c.yml", "# none\n")):
        assert read_catalogue(written(tmp_path, content, name)) == []


def test_a_commit_of_digits_is_a_text(tmp_path: Path) -> None:
    file = written(tmp_path, f"- {{name: 12, url: 'https://x/y', commit: {COMMIT}, description: no}}\n", "c.yaml")
    assert [(one.name, one.commit, one.description) for one in read_catalogue(file)] == [("12", COMMIT, "no")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.dictionaries(st.sampled_from(["name", "url", "path", "description", "topics", "commit"]), st.one_of(st.text(), st.lists(st.text())))
)
def test_any_entry(tmp_path: Path, entry: dict[str, Any]) -> None:
    """Read the same from each form, or refused in one line."""
    one, other = read(listed(tmp_path, entry)), read(written(tmp_path, json.dumps([entry]), "c.json"))
    assert one == other


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(st.binary(max_size=200), st.sampled_from(["c.jsonl", "c.json", "c.yaml"]))
def test_any_file(tmp_path: Path, content: bytes, name: str) -> None:
    read(written(tmp_path, content, name))
