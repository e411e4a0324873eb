import ast
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.chunks import (
    CODE_CHARACTERS,
    PROGRAM_CHARACTERS,
    PROSE_CHARACTERS,
    Chunk,
    code_chunks,
    document_chunks,
    entry_point_chunk,
    is_code,
    read_chunks,
    symbol_chunks,
)
from ml_agent.repo.commands import Command
from ml_agent.repo.documents import CodeBlock, Document, Section
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.index import RepoIndex
from tests.pace import within


@dataclass(frozen=True)
class Named:
    path: str
    name: str
    kind: str
    line: int
    end_line: int


def definitions(source: str) -> list[Named]:
    kinds = {ast.ClassDef: "class", ast.FunctionDef: "function"}
    return [
        Named("m.py", node.name, kinds[type(node)], node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, (ast.ClassDef, ast.FunctionDef))
    ]


def cut(source: str) -> list[Chunk]:
    return list(code_chunks("m.py", source.split("\n"), definitions(source)))


BODY = "".join(f"    note = play({n}, 'a line of code that takes some room')\n" for n in range(9))


def test_code_is_cut_at_definitions() -> None:
    source = f"import os\n\ndef tune():\n{BODY}\n# how to rest\n@quiet\ndef rest():\n{BODY}\nPITCH = 440\n"
    first, second, third = cut(source)
    assert (first.title, first.line, first.text.split("\n")[0]) == ("tune", 1, "import os")  # the little above it goes with it
    assert (second.title, second.text.split("\n")[0]) == ("rest", "# how to rest")
    assert (third.title, third.text) == ("", "PITCH = 440")
    assert [source.split("\n")[c.line - 1] for c in (first, second, third)] == ["import os", "# how to rest", "PITCH = 440"]


def test_what_fits_is_one_piece() -> None:
    source = "class Drum:\n    def hit(self):\n        a = 1\n        return a\n\n    def roll(self):\n        b = 1\n        return b\n"
    (only,) = cut(source)
    assert (only.line, only.end_line, only.text) == (1, 8, source.rstrip("\n"))


def test_a_long_class_is_cut_at_its_methods_and_a_long_method_inside() -> None:
    indented = "".join(f"    {line}\n" for line in BODY.splitlines()[:6])
    source = f'class Band:\n    """Plays."""\n\n    def tune(self):\n{indented}\n    def play(self):\n{indented * 4}'
    chunks = cut(source)
    assert [c.title for c in chunks][:2] == ["Band.tune", "Band.play"]
    assert {c.title for c in chunks[1:]} == {"Band.play"}
    assert len(chunks) > 3
    assert all(len(c.content) <= CODE_CHARACTERS for c in chunks)


def test_definitions_of_one_line_do_not_cut() -> None:
    source = "".join(f"def f{n}(): return {n}\n" for n in range(30))
    assert [c.title for c in cut(source)] == [""] * 2


@given(
    st.lists(st.text(max_size=90), max_size=60),
    st.lists(st.tuples(st.integers(-3, 70), st.integers(-3, 70), st.sampled_from("abc")), max_size=12),
)
@settings(deadline=None)
def test_any_lines_and_any_definitions(lines: list[str], spans: list[tuple[int, int, str]]) -> None:
    """Every character that is no white space is in exactly one piece, in order; pieces are small and of the lines they say."""
    named = [Named("m.py", name, "function", first, last) for first, last, name in spans]
    chunks = list(code_chunks("m.py", lines, named))
    assert "".join("".join(c.text.split()) for c in chunks) == "".join("".join(lines).split())
    at = 1
    for chunk in chunks:
        assert at <= chunk.line <= chunk.end_line <= len(lines)
        at = chunk.end_line  # a long line may go on in the next piece
        assert len(chunk.content) <= CODE_CHARACTERS
    assert chunks == list(code_chunks("m.py", lines, named[::-1]))


def test_a_minified_file_is_left_out() -> None:
    assert list(code_chunks("m.js", ["x" * 100_000], ())) == []
    assert list(code_chunks("m.js", [], ())) == []


def test_a_thousand_levels_and_a_hundred_thousand_lines() -> None:
    with within(10):
        deep = [Named("m.py", f"level{n}", "function", n + 1, 2_000) for n in range(1_000)]
        lines = ["x = 1 + 1"] * 2_000
        assert list(code_chunks("m.py", lines, deep))
        assert all(len(c.title) <= 200 for c in symbol_chunks("m.py", lines, deep))
        flat = [Named("m.py", "f", "function", n, n + 4) for n in range(1, 100_000, 5)]
        assert len(list(code_chunks("m.py", ["y = 2 * 2 * 2 * 2 * 2"] * 100_000, flat))) == 20_000


def test_symbols_are_lines_with_what_they_stand_in() -> None:
    source = "class Drum:\n    def hit(self, force=1): ...\n\ndef tune(): ...\n"
    data = [Named("m.py", "tempo", "key", 1, 1), Named("m.py", "gone", "function", 9, 12)]
    found = list(symbol_chunks("m.py", source.split("\n"), [*definitions(source), *data]))
    assert [(c.title, c.text, c.line) for c in found] == [
        ("class Drum", "class Drum:", 1),
        ("function Drum.hit", "def hit(self, force=1): ...", 2),
        ("function tune", "def tune(): ...", 4),
    ]


def test_documents_are_cut_at_sections() -> None:
    block = CodeBlock("bash", "python play.py --loud\necho done", "README.md", 12)
    long = Section("README.md", 20, ("Band", "History"), "It was in the year ninety. " * 100)
    document = Document("README.md", (Section("README.md", 10, ("Band", "Play"), "How to play.", (block,)), long))
    first, *rest = document_chunks(document)
    assert (first.title, first.text) == ("Band > Play", "How to play.\npython play.py --loud\necho done")
    assert (first.line, first.end_line) == (10, 13)
    assert len(rest) > 2
    assert {(c.title, c.line) for c in rest} == {("Band > History", 20)}
    assert all(len(c.content) <= PROSE_CHARACTERS for c in (first, *rest))


def test_a_program_is_what_it_says_what_documents_say_and_its_options() -> None:
    options = (
        Option("--tempo", ("-t", "--tempo"), "play.py:4", help="beats a minute"),
        Option("song", ("song",), "play.py:5", choices=("march", "waltz")),
    )
    entry = EntryPoint("play.py", "argparse", ("python", "play.py"), options, "Plays a song.", 3)
    command = Command(("python", "play.py"), "play.py", 1, ".", "README.md:7", ("Band", "Concerts"), "To play in the evening:")
    made = entry_point_chunk(entry, [command, command])
    assert made.title == "python play.py"
    assert made.text.split("\n") == [
        "Plays a song.", "Band > Concerts", "To play in the evening:", "-t --tempo beats a minute", "song {march,waltz}",
    ]  # fmt: skip
    assert made.source == "play.py:3"
    many = EntryPoint("play.py", "argparse", ("python", "play.py"), options * 2_000, "Plays.", 3)
    assert len(entry_point_chunk(many).text) == PROGRAM_CHARACTERS


def test_an_id_is_of_the_text_wherever_it_stands() -> None:
    chunk = Chunk("code", "a.py", 3, 4, "f", "x = 1")
    assert chunk.id == Chunk("code", "a.py", 30, 31, "f", "x = 1").id
    others = [
        Chunk("code", "b.py", 3, 4, "f", "x = 1"),
        Chunk("code", "a.py", 3, 4, "g", "x = 1"),
        Chunk("code", "a.py", 3, 4, "f", "x = 2"),
    ]
    assert len({chunk.id, *(other.id for other in others)}) == 4
    assert len(Chunk("code", "\udcff.py", 1, 1, "", "").id) == 32


@pytest.mark.parametrize(
    ("path", "expected"), [("a/b.py", True), ("Makefile", True), ("conf/x.YAML", True), ("README.md", False), ("weights.bin", False)]
)
def test_what_is_code(path: str, expected: bool) -> None:
    assert is_code(path) is expected


def test_a_repository_as_a_whole(smoke: Path) -> None:
    (smoke / "data.json").write_text('{"a": 1}' * 200_000)
    index = RepoIndex(smoke)
    train = smoke / "train.py"
    named = Named("train.py", "main", "function", 1, len(train.read_text().splitlines()))
    references = {"README.md": [(line, "train.py") for line in range(1, 200)]}
    parts = (index.files, index.documents, index.entry_points, index.commands_of, [named], references)
    chunks = read_chunks(*parts)
    assert chunks == read_chunks(*parts)
    assert {c.kind for c in chunks} == {"document", "entrypoint", "code", "symbol"}
    assert all(c.uses == ("train.py",) for c in chunks if c.path == "README.md")
    assert all(c.uses == () for c in chunks if c.path != "README.md")
    assert "data.json" not in {c.path for c in chunks}
    assert {e.path for e in index.entry_points} == {c.path for c in chunks if c.kind == "entrypoint"}
