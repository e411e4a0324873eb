"""Kept BM25: the same answers as from an index that was made just now, of the same texts only."""

from pathlib import Path

import pytest

from ml_agent.repo.index import RepoIndex
from ml_agent.repo.lexical import LexicalIndex, tokenize
from ml_agent.repo.store import Store, words
from ml_agent.repo.store.words import kept_index

TEXTS = [("train/model.py", "Trains a model.", "--epochs how often"), ("test.py",), (), ("models", "model_zoo.py \ud800")]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many texts were taken apart, for each index that is made from now on."""
    found: list[int] = []

    def counted(text: str) -> list[str]:
        found.append(len(text))
        return tokenize(text)

    monkeypatch.setattr(words, "tokenize", counted)
    return found


def test_it_answers_as_one_that_was_just_made(store: Store, made: list[int]) -> None:
    fresh = LexicalIndex([token for part in parts for token in tokenize(part)] for parts in TEXTS)
    for times in (6, 6):
        index = kept_index(TEXTS, store)
        assert len(made) == times, "the second time nothing is taken apart"
        for query in ("train the model", "zoo", "test", "epochs", "nothing of it"):
            assert index.search(query, 10) == fresh.search(query, 10)


def test_other_texts_are_another_index(store: Store, made: list[int]) -> None:
    for texts in ([("a b", "c")], [("a", "b c")], [("a b",), ("c",)], [("a b c",)], [("a b", "d")], [("a b\0c",)], [()], []):
        before = len(made)
        kept_index(texts, store)
        assert len(made) - before == sum(map(len, texts)), texts


def test_what_programs_are_found_by_follows_their_documents(tmp_path: Path, store: Store) -> None:
    root = tmp_path / "repository"
    root.mkdir()
    (root / "run.py").write_text("import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--n')\nparser.parse_args()\n")
    (root / "README.md").write_text("# Ducks\n\n```bash\npython run.py --n 3\n```\n")
    assert RepoIndex(root, store=store).search_entry_points("ducks", 5)
    (root / "README.md").write_text("# Geese\n\n```bash\npython run.py --n 3\n```\n")
    index = RepoIndex(root, store=store)
    assert not index.search_entry_points("ducks", 5)
    for search in (index.search_entry_points, index.search_commands, index.search_sections):
        assert search("geese", 5)
