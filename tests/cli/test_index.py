"""`ml-agent index` as a user meets it."""

import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.commandline import COMMAND, environment, ml_agent, one_line


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """Little to embed."""
    root = tmp_path / "tiny"
    root.mkdir()
    (root / "README.md").write_text("# Songs\n\nTo sing:\n\n```bash\npython sing.py --loud 3\n```\n")
    (root / "sing.py").write_text("import argparse\np = argparse.ArgumentParser()\np.add_argument('--loud', type=int)\np.parse_args()\n")
    return root


def labels(text: str) -> dict[str, str]:
    """`files      17` -> {"files": "17"}."""
    return {line[:11].strip(): line[11:] for line in text.splitlines()}


def test_first_all_is_read_then_nothing(smoke: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    done = ml_agent("index", smoke, XDG_CACHE_HOME=cache)
    assert (done.returncode, done.stderr) == (0, "")
    said = labels(done.stdout)
    assert list(said) == ["files", "symbols", "programs", "pieces", "vectors", "took", "on disk"]
    assert said["programs"].startswith("5, ")
    assert f"{said['pieces']}, {said['pieces']} of them new, " in said["vectors"] + " "
    assert said["vectors"].endswith(" a second")
    assert said["on disk"].endswith(" vectors, of all repositories")
    again = json.loads(ml_agent("index", smoke, "--json", XDG_CACHE_HOME=cache).stdout)
    assert again["read"]["programs"] == 5
    assert again["read"]["problems"] == []
    assert again["embedded"] == {"vectors": again["read"]["pieces"], "new": 0, "per_second": None}
    assert again["bytes"]["facts"] > 10_000
    assert again["bytes"]["vectors"] > 10_000
    (smoke / "more.md").write_text("# Flutes\n\nThey sound.\n")
    more = json.loads(ml_agent("index", smoke, "--json", XDG_CACHE_HOME=cache).stdout)
    assert more["embedded"]["new"] == 1


def test_without_embeddings(smoke: Path, tmp_path: Path) -> None:
    done = ml_agent("index", smoke, "--no-embed", XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 0
    assert "vectors" not in labels(done.stdout)
    assert not (tmp_path / "ml-agent" / "vectors").exists()
    found = ml_agent("search", smoke, "confusion", "--no-embed", XDG_CACHE_HOME=str(tmp_path))
    assert (found.returncode, found.stderr) == (0, "")


def test_stats_and_prune(tiny: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    pieces = json.loads(ml_agent("index", tiny, "--json", XDG_CACHE_HOME=cache).stdout)["read"]["pieces"]
    done = ml_agent("index", "--stats", XDG_CACHE_HOME=cache)
    said = labels(done.stdout)
    assert (done.returncode, said["kept"]) == (0, "of 1 repository")
    assert f"{pieces:,} minilm-" in said["vectors"]
    assert "symbols" in said["facts"]
    nothing = json.loads(ml_agent("index", "--prune", "--json", XDG_CACHE_HOME=cache).stdout)["pruned"]
    assert (nothing["facts"], nothing["vectors"]) == (0, 0)
    tiny.rename(tmp_path / "elsewhere")
    done = ml_agent("index", "--prune", XDG_CACHE_HOME=cache)
    assert done.returncode == 0
    assert f"facts and {pieces:,} vectors: " in labels(done.stdout)["pruned"]
    assert json.loads(ml_agent("index", "--stats", "--json", XDG_CACHE_HOME=cache).stdout)["kept"]["repositories"] == 0


def test_bad_input_is_one_line(smoke: Path, tmp_path: Path) -> None:
    for arguments, message in (
        ([], "give the folder of a repository"),
        ([tmp_path / "nowhere"], "no such folder"),
        ([smoke, "--embedder", "nosuch"], "unknown embedder 'nosuch'"),
    ):
        done = ml_agent("index", *arguments)
        assert done.returncode == 2, arguments
        assert message in one_line(done)


def test_a_damaged_cache_is_made_anew_and_said(smoke: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    assert ml_agent("symbols", smoke, "main", XDG_CACHE_HOME=cache).returncode == 0
    (facts,) = (tmp_path / "cache" / "ml-agent" / "index").glob("*.sqlite")
    facts.write_bytes(b"no database " * 1000)
    done = ml_agent("symbols", smoke, "main", XDG_CACHE_HOME=cache)
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"note: the index {facts} was damaged")
    assert ml_agent("symbols", smoke, "main", XDG_CACHE_HOME=cache).stderr == ""


def test_where_nothing_can_be_kept_the_facts_are_still_read(smoke: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = str(tmp_path / "file")
    done = ml_agent("index", smoke, XDG_CACHE_HOME=cache)
    assert done.returncode == 3
    assert labels(done.stdout)["programs"].startswith("5, ")
    assert [line[:6] for line in done.stderr.splitlines()] == ["note: ", "ml-age"]
    assert "no embeddings" in done.stderr.splitlines()[-1]
    done = ml_agent("search", smoke, "confusion matrix", XDG_CACHE_HOME=cache)
    assert done.returncode == 0
    assert "note: no embeddings: " in done.stderr


def test_what_was_done_before_an_interruption_is_kept(tmp_path: Path) -> None:
    repository, cache = tmp_path / "repo", str(tmp_path / "cache")
    repository.mkdir()
    for i in range(1500):
        (repository / f"page{i}.md").write_text(f"# Page {i}\n\nStory {i}.\n")
    command = [*COMMAND, "index", str(repository)]
    shown, terminal = pty.openpty()
    process = subprocess.Popen(
        command, stdin=terminal, stdout=terminal, stderr=terminal, env=environment(XDG_CACHE_HOME=cache, TERM="xterm")
    )
    os.close(terminal)
    text, end = b"", time.monotonic() + 45
    sent = False
    while time.monotonic() < end:
        try:
            part = os.read(shown, 65536)
        except OSError:  # the other end is closed
            break
        text += part
        if not sent and b" left" in text:  # the first vectors are there
            process.send_signal(signal.SIGINT)
            sent = True
    assert process.wait(timeout=20) == 130
    assert b"of 1,500 vectors are kept; the same command goes on from there" in text.replace(b"\r\n", b"")
    kept = json.loads(ml_agent("index", "--stats", "--json", XDG_CACHE_HOME=cache).stdout)["kept"]["vectors"]
    assert 0 < sum(kept.values()) < 1500


def test_progress_is_a_line_now_and_then_where_there_is_no_terminal(tiny: Path, tmp_path: Path) -> None:
    program = (
        "import sys, ml_agent.cli.index as index\nfrom ml_agent.cli import main\nindex._SAID_EVERY = 0\n"
        f"sys.exit(main(['index', {str(tiny)!r}]))"
    )
    command = [COMMAND[0], "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=50, env=environment(XDG_CACHE_HOME=str(tmp_path)))
    assert done.returncode == 0
    assert done.stderr.splitlines()[0].startswith("embedding: 0 of ")
