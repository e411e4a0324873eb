"""Which pieces of text the folders have, so that it is known which vectors are in use."""

from collections.abc import Iterator
from pathlib import Path

from ml_agent.repo.store import open_store

A, B, C = "0" * 32, "f" * 32, "12" * 16


def test_of_all_folders_that_are_there(tmp_path: Path) -> None:
    store = open_store(tmp_path / "cache")
    assert store.pieces() == set()
    for name, ids in (("one", [A, B]), ("two", [B, C])):
        (tmp_path / name).mkdir()
        store.save_pieces(tmp_path / name, name.encode(), ids)
    assert open_store(tmp_path / "cache").pieces() == {A, B, C}
    (tmp_path / "one").rmdir()
    assert store.pieces() == {B, C}
    store.prune()
    (tmp_path / "one").mkdir()
    assert store.pieces() == {B, C}


def test_they_are_written_only_if_they_are_others(tmp_path: Path) -> None:
    def asked() -> Iterator[str]:
        yield from ["it was looked at"]

    store = open_store(tmp_path / "cache")
    store.save_pieces(tmp_path, b"mark", [A])
    store.save_pieces(tmp_path, b"mark", asked())
    store.save_pieces(tmp_path, b"another", [B])
    assert store.pieces() == {B}


def test_where_nothing_can_be_kept_it_is_not_known(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = open_store(tmp_path / "file" / "cache")
    store.save_pieces(tmp_path, b"mark", [A])
    assert store.pieces() is None
