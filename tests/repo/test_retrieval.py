import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.repo.chunks import KINDS, Chunk, Kind, code_chunks, read_chunks
from ml_agent.repo.embedding import load_embedder
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.references import read_references
from ml_agent.repo.retrieval import EMBED_EACH, Hit, Retriever, lexical_indexes
from ml_agent.repo.vectors import VectorStore
from tests.repo.doubles import CountingEmbedder

BAND = (
    Chunk("document", "README.md", 1, 5, "Band", "How to play a song with the violin", ("play.py",)),
    Chunk("document", "README.md", 6, 9, "Band > Bread", "Where the musicians eat"),
    Chunk("document", "docs/drums.md", 1, 9, "Drums", "How to hit a drum", ("drums.py",)),
    Chunk("entrypoint", "play.py", 3, 3, "python play.py", "--tempo beats a minute"),
    Chunk("entrypoint", "bake.py", 3, 3, "python bake.py", "--flour grams"),
    Chunk("code", "play.py", 1, 9, "main", "def main():\n    start(tempo)"),
    Chunk("code", "drums.py", 1, 4, "hit", "def hit(force):\n    return boom"),
    Chunk("code", "drums.py", 5, 9, "roll", "def roll(force):\n    return boom + boom"),
    Chunk("code", "strings.py", 1, 9, "bow", "def bow(string):\n    return violin + violin"),
    Chunk("symbol", "drums.py", 1, 4, "function hit", "def hit(force):"),
    Chunk("symbol", "strings.py", 1, 9, "function bow", "def bow(string):"),
)


def retriever(chunks: Sequence[Chunk] = BAND, store: VectorStore | None = None) -> Retriever:
    return Retriever(chunks, lexical_indexes(chunks), store)


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    return VectorStore(tmp_path / "vectors", CountingEmbedder())


def asked(store: VectorStore) -> list[str]:
    assert isinstance(store.embedder, CountingEmbedder)
    return store.embedder.asked


def sources(hits: Sequence[Hit]) -> list[str]:
    return [hit.chunk.source for hit in hits]


def test_words_are_found_in_every_kind() -> None:
    made = retriever()
    assert sources(made.search("eat", {"document"})) == ["README.md:6"]
    assert sources(made.search("flour", {"entrypoint"})) == ["bake.py:3"]
    assert sources(made.search("bow", {"symbol"})) == ["strings.py:1"]
    assert sources(made.search("boom", {"code"})) == ["drums.py:1"]  # one of its file
    assert sorted(sources(made.search("boom", {"code"}, per_file=2))) == ["drums.py:1", "drums.py:5"]
    assert made.search("trombone") == made.search("") == made.search("violin", k=0) == made.search("violin", set()) == []


def test_a_file_is_found_by_the_documents_that_use_it() -> None:
    """No word of the question stands in play.py."""
    hits = retriever().search("violin song")
    assert set(sources(hits)) == {"README.md:1", "play.py:3", "strings.py:1"}
    (program,) = [hit for hit in hits if hit.chunk.path == "play.py"]
    assert program.chunk.kind == "entrypoint"
    assert program.ranks == {"used": 1}
    assert sources(retriever().search("violin song", {"entrypoint"})) == ["play.py:3"]
    assert sources(retriever().search("violin song", {"code"}))[:2] == ["play.py:1", "strings.py:1"]


def test_the_best_come_first_and_no_file_twice() -> None:
    hits = retriever().search("play a song with the violin", k=20)
    paths = [hit.chunk.path for hit in hits]
    assert len(set(paths)) == len(paths)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert retriever().search("play a song with the violin", k=2) == hits[:2]
    assert hits[0].chunk.path in ("README.md", "play.py")


def test_meaning_finds_what_words_do_not(store: VectorStore) -> None:
    """The double's meanings are words without their stems: `hit` in another spelling is the same to it alone."""
    made = retriever(store=store)
    made.embed_all()
    ranks = {hit.chunk.source: hit.ranks for hit in made.search("hit", k=20)}
    assert ranks["docs/drums.md:1"]["embedding"] == 1
    assert ranks["docs/drums.md:1"]["bm25"] == 1
    only = {source for source, why in ranks.items() if "bm25" not in why and "embedding" in why}
    assert only  # by embeddings alone
    assert made.notes == ()


def test_a_search_embeds_a_bounded_number_of_the_likeliest(store: VectorStore) -> None:
    chunks = [Chunk(kind, f"{kind}{n}.py", 1, 1, "", f"drum {'kit ' * (n % 7)} {n}") for kind in KINDS for n in range(100)]
    made = retriever(chunks, store)
    hits = made.search("drum kit", embed_at_most=40, embed_seconds=50)
    text = [text for text in asked(store) if text != "drum kit"]
    assert len(text) == 40
    assert all(t.startswith("document") for t in text[:EMBED_EACH])
    assert all(t.startswith("entrypoint") for t in text[EMBED_EACH:])
    assert len(hits) == 10
    made.search("drum kit", embed_at_most=40, embed_seconds=50)
    assert len(asked(store)) == len(set(asked(store)))  # nothing twice
    before = len(asked(store))
    made.search("another drum kit", embed_at_most=0)
    made.search("a third drum kit", embed_seconds=-1.0)
    assert asked(store)[before:] == ["another drum kit", "a third drum kit"]


def test_everything_can_be_embedded_and_only_once(store: VectorStore, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    made = retriever(store=store)
    assert made.embed_all(lambda done, of: told.append((done, of))) == len(BAND)
    assert told == [(0, len(BAND)), (len(BAND), len(BAND))]
    assert made.embed_all() == 0
    changed = (*BAND[:-1], Chunk("symbol", "strings.py", 1, 9, "function bow", "def bow(string, force):"))
    again = VectorStore(tmp_path / "vectors", CountingEmbedder())
    assert retriever(changed, again).embed_all() == 1
    moved = [Chunk(c.kind, c.path, c.line + 7, c.end_line + 7, c.title, c.text, c.uses) for c in BAND]
    assert retriever(moved, again).embed_all() == 0
    assert retriever().embed_all() == 0


def test_equal_pieces_share_a_vector(store: VectorStore) -> None:
    twice = [Chunk("code", "a.py", line, line, "f", "drum kit") for line in (1, 5)] + [Chunk("code", "b.py", 1, 1, "", "harp")]
    made = retriever(twice, store)
    assert made.embed_all() == 2
    assert [hit.chunk.line for hit in made.search("drum", per_file=2)] == [1, 5]


def test_pieces_of_other_repositories_are_not_found(store: VectorStore) -> None:
    retriever(store=store).embed_all()
    other = [Chunk("code", "cake.py", 1, 1, "", "butter and flour")]
    assert sources(retriever(other, store).search("violin song")) in ([], ["cake.py:1"])


@pytest.mark.parametrize("fault", ["store", "embedder"])
def test_without_embeddings_the_search_goes_on_and_says_why(tmp_path: Path, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    broken = VectorStore(tmp_path / ("file" if fault == "store" else "folder") / "vectors", CountingEmbedder())
    if fault == "embedder":
        monkeypatch.setattr(broken.embedder, "embed", lambda texts: (_ for _ in ()).throw(InfrastructureError("no weights here")))
    made = retriever(store=broken)
    assert made.search("violin song") == retriever().search("violin song")
    assert made.search("drum") == retriever().search("drum")
    (note,) = made.notes
    assert note == "no weights here" if fault == "embedder" else note.startswith("no embeddings: ")


def test_a_store_that_was_repaired_is_mentioned(tmp_path: Path) -> None:
    first = VectorStore(tmp_path / "vectors", CountingEmbedder())
    retriever(store=first).embed_all()
    first.close()
    (tmp_path / "vectors" / "chroma.sqlite3").write_bytes(b"nonsense" * 1_000)
    made = retriever(store=VectorStore(tmp_path / "vectors", CountingEmbedder()))
    assert made.search("violin")
    assert len(made.notes) == 1
    assert "damaged and are computed anew" in made.notes[0]


def test_a_store_that_is_damaged_between_two_searches(store: VectorStore, tmp_path: Path) -> None:
    made = retriever(store=store)
    made.embed_all()
    store.close()
    (tmp_path / "vectors" / "chroma.sqlite3").write_bytes(b"nonsense" * 1_000)
    made.search("violin", embed_at_most=0)
    hits = made.search("violin")
    assert any("embedding" in hit.ranks for hit in hits)
    assert len(made.notes) == 1


def test_a_huge_question(store: VectorStore) -> None:
    assert set(sources(retriever(store=store).search("violin " * 100_000))) >= {"README.md:1", "strings.py:1"}


NO_NETWORK = """
import sys
from pathlib import Path
from ml_agent.repo.embedding import load_embedder
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.vectors import VectorStore
from tests.repo.test_retrieval import of_repository
made = of_repository(Path(sys.argv[1]), VectorStore(Path(sys.argv[2]), load_embedder()))
hits = made.search("teach a network to tell two spirals apart", k=5)
print(any("embedding" in hit.ranks for hit in hits), made.notes)
"""


def of_repository(root: Path, store: VectorStore) -> Retriever:
    index = RepoIndex(root)
    references = read_references(index.documents, index.commands, index.modules)
    chunks = read_chunks(index.files, index.documents, index.entry_points, index.commands_of, (), references)
    return Retriever(chunks, lexical_indexes(chunks), store)


@pytest.mark.bubblewrap
def test_no_network_is_needed_on_first_use(smoke: Path, tmp_path: Path) -> None:
    """In a network namespace of its own, with an empty home."""
    sandbox = [
        "bwrap",
        "--dev-bind",
        "/",
        "/",
        "--unshare-net",
        "--setenv",
        "HOME",
        str(tmp_path),
        "--setenv",
        "XDG_CACHE_HOME",
        str(tmp_path),
    ]
    root = Path(__file__).parent.parent.parent
    command = [*sandbox, "--chdir", str(root), sys.executable, "-c", NO_NETWORK, str(smoke), str(tmp_path / "vectors")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=55)
    assert (done.stdout, done.stderr) == ("True ()\n", "")


def test_the_real_thing(smoke: Path, tmp_path: Path) -> None:
    """With the weights that are shipped: a question whose words are not in the repository finds its program by meaning."""
    made = of_repository(smoke, VectorStore(tmp_path / "vectors", load_embedder()))
    made.embed_all()
    hits = made.search("fit a perceptron so that it classifies points", k=5)
    assert "train.py" in {hit.chunk.path for hit in hits}


def test_kinds_are_those_of_the_pieces() -> None:
    kinds: set[Kind] = {chunk.kind for chunk in code_chunks("a.py", ["x = 1"], ())}
    assert kinds < set(KINDS)
