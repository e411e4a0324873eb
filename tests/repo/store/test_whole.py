"""Facts of the whole tree: read once, and again after whatever they may depend on has changed."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ml_agent.repo.files import FileTable, walk
from ml_agent.repo.store import Store, Tree
from ml_agent.repo.store.whole import Whole
from tests.repo.store.support import settled, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    write(place, {"a.txt": "one\n", "deep/b.txt": "two\n", ".gitignore": "build/\n*.out\n", "build/run.py": "", "x.out": ""})
    (place / "empty").mkdir()
    (place / "link").symlink_to("nowhere")
    return settled(place)


class Reader:
    """Reads what is asked of it, and counts."""

    def __init__(self, root: Path, store: Store) -> None:
        self.root, self.store, self.times = root, store, 0

    def __call__(self, read: Callable[[FileTable], object]) -> object:
        def counted(files: FileTable) -> object:
            self.times += 1
            return read(files)

        return Whole(Tree(walk(self.root), self.store), self.store).kept("facts", counted)


@pytest.fixture
def reader(root: Path, store: Store) -> Reader:
    return Reader(root, store)


def contents(files: FileTable) -> list[tuple[str, str]]:
    return [(file.path, files.read(file.path).text) for file in files.files]


def link_elsewhere(link: Path) -> None:
    link.unlink()
    link.symlink_to("/")


CHANGES: dict[str, Callable[[Path], object]] = {
    "a byte": lambda root: (root / "a.txt").write_text("onE\n"),
    "a file that came": lambda root: (root / "c.txt").write_text(""),
    "a file that went": lambda root: (root / "deep/b.txt").unlink(),
    "another name": lambda root: (root / "a.txt").rename(root / "z.txt"),
    "two contents changed places": lambda root: [(root / "a.txt").write_text("two\n"), (root / "deep/b.txt").write_text("one\n")],
    "a folder without files": lambda root: (root / "empty").rmdir(),
    "what is ignored": lambda root: (root / ".gitignore").write_text("build/\n"),
    "a file that is skipped": lambda root: (root / "x.out").unlink(),
    "why it is skipped": lambda root: link_elsewhere(root / "link"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_read_again_after_a_change(root: Path, reader: Reader, change: str) -> None:
    assert reader(contents) == reader(contents)
    assert reader.times == 1
    CHANGES[change](root)
    assert reader(contents) == contents(walk(root))
    assert reader.times == 2


def test_a_copy_is_known_unless_the_root_is_called_otherwise(root: Path, reader: Reader, tmp_path: Path) -> None:
    reader(contents)
    shutil.copytree(root, tmp_path / "other" / "repository", symlinks=True)
    reader.root = tmp_path / "other" / "repository"
    reader(contents)
    assert reader.times == 1
    reader.root = reader.root.rename(tmp_path / "elsewhere")
    reader(contents)
    assert reader.times == 2


@pytest.mark.parametrize("path", ["build/run.py", "build/new.py", "__pycache__/a.pyc", "./deep/../build/new.py"])
def test_files_that_the_walk_left_out_are_looked_for_again(root: Path, reader: Reader, path: str) -> None:
    def there(files: FileTable) -> object:
        return files.is_file(path)

    before = (root / path).exists()
    assert [reader(there), reader(there)] == [before, before]
    assert reader.times == 1
    if before:
        (root / path).unlink()
    else:
        (root / path).resolve().parent.mkdir(exist_ok=True)
        (root / path).write_text("")
    assert reader(there) is not before


@pytest.mark.parametrize(
    "read",
    [lambda files: files.is_folder("build"), lambda files: files.read("build/run.py").text],
    ids=["a folder that was left out", "the content of a file that was left out"],
)
def test_what_nobody_watches_is_read_each_time(reader: Reader, read: Callable[[FileTable], object]) -> None:
    assert reader(read) == reader(read)
    assert reader.times == 2


def test_what_was_read_while_files_changed_is_not_kept(root: Path, reader: Reader) -> None:
    def late(files: FileTable) -> object:
        (root / "a.txt").write_text("new\n")
        return files.read("a.txt").text

    def usual(files: FileTable) -> object:
        return files.read("a.txt").text

    reader(late)
    (root / "a.txt").write_text("one\n")
    assert reader(usual) == "one\n"


def test_a_file_that_cannot_be_read(root: Path, store: Store, reader: Reader) -> None:
    def readable(files: FileTable) -> object:
        try:
            return files.read("a.txt").text
        except OSError:
            return None

    listed = walk(root)
    (root / "a.txt").unlink()  # between the walk and the reading: what root can read, too, is not there
    assert Whole(Tree(listed, store), store).kept("facts", readable) is None
    (root / "a.txt").write_text("one\n")
    assert Whole(Tree(listed, store), store).kept("facts", readable) == "one\n"
    assert reader(readable) == "one\n"


def test_a_file_that_came_after_it_was_hashed(root: Path, store: Store) -> None:
    listed = walk(root)
    for text in ("one\n", "two\n"):
        (root / "a.txt").unlink(missing_ok=True)
        tree = Tree(listed, store)
        (root / "a.txt").write_text(text)
        assert Whole(tree, store).kept("facts", lambda files: files.read("a.txt").text) == text
