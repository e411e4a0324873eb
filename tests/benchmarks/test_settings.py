from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent import config, inputs
from ml_agent.benchmarks.settings import SENTENCES, SETTINGS, WINDOW, best_window, instruction_for, readmes, sentences
from ml_agent.benchmarks.suites import load_suite
from ml_agent.benchmarks.suites.smoke import REPOSITORY
from ml_agent.errors import UsageError
from ml_agent.repo.index import RepoIndex

SECRET = "SECRET-OF-THE-ROW"
SAMPLE = replace(
    load_suite("smoke").samples[7], output=SECRET, workdir=SECRET, arguments={SECRET: SECRET}, prefix_code=SECRET, unreachable=SECRET
)
INDEX = RepoIndex(REPOSITORY)


@pytest.mark.parametrize("setting", SETTINGS)
def test_no_other_column_is_told(setting: str) -> None:
    text = instruction_for(setting, SAMPLE, INDEX)
    assert text.startswith(SAMPLE.instruction)
    assert SECRET not in text
    assert (SAMPLE.oracle in text) == (setting in ("oracle", "readme"))
    assert inputs.check_instruction(text)


def test_nothing_beside_the_instruction() -> None:
    assert instruction_for("none", SAMPLE, INDEX) == instruction_for("agent", SAMPLE, INDEX) == SAMPLE.instruction
    assert instruction_for("oracle", replace(SAMPLE, oracle=" "), INDEX) == SAMPLE.instruction
    with pytest.raises(UsageError, match="there is no setting 'x': choose one of agent, oracle, bm25, readme, none"):
        instruction_for("x", SAMPLE, INDEX)


def test_readmes_come_first_and_all_is_cut(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/README").write_text("inner")
    (tmp_path / "readme.rst").write_text("outer")
    (tmp_path / "b.bin").write_bytes(b"\0" * 9)
    (tmp_path / "README.d.txt").write_text("none")
    (tmp_path / "code.py").write_text("x" * 3 * config.INSTRUCTION_CHARACTERS)
    index = RepoIndex(tmp_path)
    assert readmes(index.files) == ["readme.rst", "a/README"]
    text = instruction_for("readme", SAMPLE, index)
    assert text.index("outer") < text.index("inner") < text.index("# README.d.txt") < text.index("xxx")
    assert "b.bin" not in text
    assert len(text) == config.INSTRUCTION_CHARACTERS


def test_the_best_window_of_ten_sentences(tmp_path: Path) -> None:
    lines = [f"Filler number {number} about nothing." for number in range(SENTENCES + 50)]
    lines[25] = "Zebras eat: run `python zebra.py`! They do."
    lines[SENTENCES + 20] = "zebras zebras zebras eat grass"
    (tmp_path / "README.md").write_text("\n".join(lines))
    sample = replace(SAMPLE, instruction="how do zebras eat: please")
    context = instruction_for("bm25", sample, RepoIndex(tmp_path)).removeprefix(sample.instruction)
    assert "zebra.py" in context
    assert "zebras zebras" not in context
    assert len(sentences(context.partition("repository:")[2])) == WINDOW


def test_without_a_readme(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_text("pass")
    assert instruction_for("bm25", SAMPLE, RepoIndex(tmp_path)) == SAMPLE.instruction


def test_sentences() -> None:
    assert sentences("One. Two? e.g. v1.2 of it!\n\npython x.py --lr 0.1\n") == [
        "One.",
        "Two?",
        "e.g.",
        "v1.2 of it!",
        "python x.py --lr 0.1",
    ]


def test_rare_words_and_short_windows_count_more() -> None:
    windows = ["the cat the the", "the dog", "the dog and much else of which nobody asks anything here", "a bird"]
    assert best_window("the dog", windows) == 1
    assert best_window("the bird", windows) == 3
    assert best_window("nothing known", windows) == 0
    assert best_window("x", []) is None


@given(st.text(), st.lists(st.text()))
def test_any_text(query: str, windows: list[str]) -> None:
    best = best_window(query, windows)
    assert (best is None) == (not windows)
    assert "".join("".join(sentences(query)).split()) == "".join(query.split())
