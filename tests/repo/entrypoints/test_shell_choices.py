from pathlib import Path

import pytest

from ml_agent.repo.entrypoints.shell_reader import read
from ml_agent.repo.files import walk


def choices(folder: Path, text: str) -> list[tuple[str, ...] | None]:
    (folder / "go.sh").write_text(text, encoding="utf-8")
    entry = read(walk(folder), "go.sh")
    assert entry is not None
    return [o.choices for o in entry.options]


@pytest.mark.parametrize(
    "text",
    [
        "case $1 in red) a;; blue) b;; esac",
        "case $1 in red) a;; blue) b;; *) echo 'unknown'; exit 1;; esac",
        "case \"${1}\" in red) a;; blue) b;; *) echo 'unknown';; esac",
        "if [[ $1 == 'red' ]]; then\n a\nelif [[ $1 == 'blue' ]]; then\n b\nelse\n echo 'unknown'\nfi",
        'if [ "$1" = red ] || [ "$1" = blue ]\nthen a; fi',
        'lamp=$1\nif test ${lamp} == "red"; then a; elif [ ${lamp} == "blue" ]; then b; else usage; exit 1; fi',
        "lamp=$1\ncase $lamp in red|blue) a;; *) die;; esac",
    ],
)
def test_a_parameter_is_one_of_the_words_that_it_is_compared_with(tmp_path: Path, text: str) -> None:
    assert choices(tmp_path, text) == [("red", "blue")]


@pytest.mark.parametrize(
    "text",
    [
        "case $1 in red) a;; *) b;; esac",
        "case $1 in red*) a;; blue) b;; esac",
        "if [ $1 == red ]; then a; elif [ $1 == blue ]; then b; else c $1; fi",
        "if [ $1 == red ]; then a; fi",
        "if [ $1 == red ]; then a; elif [ $2 == blue ]; then b; fi",
        "if [ $1 == red ] && grep $1 x; then a; elif [ $1 == blue ]; then b; fi",
        "if [ $1 -gt 3 ]; then a; elif [ $1 == blue ]; then b; fi",
    ],
)
def test_any_other_word_that_it_takes_leaves_it_open(tmp_path: Path, text: str) -> None:
    assert choices(tmp_path, text)[0] is None
