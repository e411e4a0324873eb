"""`ml-agent search` as a user meets it."""

import json
from pathlib import Path

from tests.commandline import ml_agent, one_line


def test_pieces_with_their_place(smoke: Path) -> None:
    done = ml_agent("search", smoke, "evaluate a model on points that it has not seen", "-k", "3")
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()[:2]
    assert "  evaluate.py:" in first or "README.md:" in first
    assert second.startswith("    ")
    data = json.loads(ml_agent("search", smoke, "evaluate a model on points that it has not seen", "-k", "3", "--json").stdout)
    assert len(data["hits"]) == 3
    assert "evaluate.py" in [hit["path"] for hit in data["hits"]]
    assert "embedding" in data["hits"][0]["ranks"]


def test_kinds(smoke: Path) -> None:
    for kinds in (["entrypoint"], ["document"], ["code", "symbol"]):
        options = [word for kind in kinds for word in ("--kind", kind)]
        hits = json.loads(ml_agent("search", smoke, "confusion matrix", *options, "--no-embed", "--json").stdout)["hits"]
        assert hits
        assert {hit["kind"] for hit in hits} <= set(kinds)
        assert all("embedding" not in hit["ranks"] for hit in hits)


def test_nothing_found_is_exit_code_1(smoke: Path) -> None:
    done = ml_agent("search", smoke, "zyxwvut", "--no-embed")
    assert (done.returncode, done.stdout, done.stderr) == (1, "nothing fits 'zyxwvut'\n", "")
    done = ml_agent("search", smoke, "zyxwvut", "--no-embed", "--json")
    assert (done.returncode, json.loads(done.stdout)) == (1, {"hits": []})


def test_bad_input(smoke: Path, tmp_path: Path) -> None:
    for arguments in ([tmp_path / "nowhere", "x"], [smoke, " "], [smoke, "x", "-k", "0"], [smoke, "x", "--kind", "poem"], [smoke]):
        done = ml_agent("search", *arguments)
        assert done.returncode == 2, arguments
        one_line(done)


def test_foreign_text_is_shown_not_obeyed(tmp_path: Path) -> None:
    root = tmp_path / "hostile"
    (root / "[").mkdir(parents=True)
    (root / "[/bold].md").write_text("# Title [red] \x1b[2J\n\nsalamander \x1b]0;x\x07 [/link]\n")
    (root / "a\x1b[31mb.py").write_text("def salamander():  # [/bold] \x1b[2J\n    return '[red]'\n\n\nX = 1\n")
    commands: list[list[str | Path]] = [
        ["search", root, "salamander"],
        ["symbols", root, "salamander", "--references"],
        ["map", root],
        ["entrypoints", root],
    ]
    for command in commands:
        done = ml_agent(*command, PYTHONIOENCODING="cp1252")
        assert done.returncode in (0, 1), done.stderr
        assert not set(done.stdout + done.stderr) & set("\x1b\x07"), command
    assert "[/bold].md:" in ml_agent("search", root, "salamander", "--kind", "document").stdout
