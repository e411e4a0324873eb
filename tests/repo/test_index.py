import os
from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.lexical import tokenize

SPEECH = """\
import argparse

parser = argparse.ArgumentParser(description="Recognise words in recordings.")
parser.add_argument("--hop-length", type=int, help="samples between frames")
parser.add_argument("--units", choices=["phonemes", "letters"])
parser.parse_args()
"""
RATING = """\
import argparse

parser = argparse.ArgumentParser(description="Rank items for users.")
parser.add_argument("--factors", type=int)
parser.parse_args()
"""
FILES = {
    "README.md": (
        "# Many things\n\n## Recordings\n\nTranscribe speech:\n\n```bash\npython speech/recognise.py --hop-length 160\n```\n\n"
        "## Shops\n\nRecommend items:\n\n```bash\ncd shop\npython rank.py --factors 8\npython rank.py --factors 16\n```\n"
    ),
    "speech/recognise.py": SPEECH,
    "shop/rank.py": RATING,
    "shop/__init__.py": "",
    "shop/matrix.py": 'class Factorisation:\n    """Latent factors of users and items."""\n\n    def fit(self):\n        pass\n',
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_programs_are_found_by_path_options_help_choices_and_description(root: Path) -> None:
    index = RepoIndex(root)
    for query in ("recognise", "a hop length of 3", "samples between frames", "phonemes", "words in recordings", "transcribe speech"):
        assert index.search_entry_points(query, 5)[0][1].path == "speech/recognise.py", query
    for query in ("rank", "factors", "users", "recommend", "shops"):
        assert index.search_entry_points(query, 5)[0][1].path == "shop/rank.py", query
    assert index.search_entry_points("submarine", 5) == []


def test_commands_are_found_by_words_headings_and_lead_in(root: Path) -> None:
    index = RepoIndex(root)
    for query in ("hop-length", "recordings", "transcribe"):
        assert index.search_commands(query, 5)[0][1].source == "README.md:8", query
    assert [c.words[-1] for _, c in index.search_commands("recommend items of shops", 5)] == ["8", "16"]
    assert [c.words[-1] for _, c in index.search_commands("factors 16", 1)] == ["16"]


def test_sections_and_symbols_are_found(root: Path) -> None:
    index = RepoIndex(root)
    assert index.search_sections("recommend", 5)[0][1].headings == ("Many things", "Shops")
    assert index.search_sections("--hop-length 160", 5)[0][1].headings == ("Many things", "Recordings")
    assert [s.source for s in index.symbols.exact("Factorisation")] == ["shop/matrix.py:1"]


def test_commands_by_the_program_that_they_run(root: Path) -> None:
    index = RepoIndex(root)
    assert {path: len(commands) for path, commands in index.commands_of.items()} == {"speech/recognise.py": 1, "shop/rank.py": 2}
    program = index.entry_point("shop/rank.py")
    assert program is not None
    assert "--factors" in [o.name for o in program.options]
    assert index.entry_point("rank.py") is None


def test_scores_fall_and_are_the_same_each_time(root: Path) -> None:
    found = RepoIndex(root).search_sections("recommend items, transcribe speech", 5)
    assert [s for s, _ in found] == sorted((s for s, _ in found), reverse=True)
    assert found == RepoIndex(root).search_sections("recommend items, transcribe speech", 5)


def test_opening_reads_nothing(tmp_path: Path) -> None:
    """What is not asked for is not read: files may even come later."""
    index = RepoIndex(tmp_path / "later")
    (tmp_path / "later").mkdir()
    (tmp_path / "later" / "README.md").write_text("# Late\n\nA song.\n")
    assert [s.headings for _, s in index.search_sections("song", 3)] == [("Late",)]


def test_each_part_is_read_once(root: Path) -> None:
    index = RepoIndex(root)
    before = index.search_entry_points("rank", 5), index.search_commands("rank", 5), index.search_sections("recommend", 5)
    (root / "shop/rank.py").unlink()
    (root / "README.md").unlink()
    assert (index.search_entry_points("rank", 5), index.search_commands("rank", 5), index.search_sections("recommend", 5)) == before


def test_the_repository_is_never_written_to(root: Path) -> None:
    def state() -> dict[str, tuple[int, bytes]]:
        return {str(p): (p.stat().st_mtime_ns, p.read_bytes() if p.is_file() else b"") for p in sorted(root.rglob("*"))}

    before = state()
    os.chmod(root, 0o555)
    try:
        index = RepoIndex(root)
        for search in (index.search_entry_points, index.search_commands, index.search_sections):
            search("rank items", 5)
    finally:
        os.chmod(root, 0o755)
    assert state() == before


def test_an_empty_repository(tmp_path: Path) -> None:
    index = RepoIndex(tmp_path)
    assert [*index.entry_points, *index.commands, *index.sections] == []
    assert index.commands_of == {}
    assert index.entry_point("x") is None
    for search in (index.search_entry_points, index.search_commands, index.search_sections):
        assert search("anything", 5) == []
    assert tokenize("") == []
