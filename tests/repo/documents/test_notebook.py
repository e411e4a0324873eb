"""Notebooks: code and text cells with their lines, never outputs."""

import json
from typing import Any

import pytest

from ml_agent.repo.documents.notebook import read_notebook
from tests.pace import within
from tests.repo.documents.reading import only, prose, read


def code(source: Any, outputs: Any = ()) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": list(outputs), "source": source}


def markdown(*source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": list(source)}


def notebook(*cells: dict[str, Any], language: str = "python", **layout: Any) -> str:
    metadata = {"kernelspec": {"display_name": "x", "name": "k"}, "language_info": {"name": language, "version": "3"}}
    return json.dumps({"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 2}, **layout)


CELLS = (
    markdown("# Nets\n", "\n", "Text with `code`.\n", "```bash\n", "python train.py\n", "```"),
    code(
        ["import nets\n", "!pip install x\n", "nets.fit()"],
        [{"data": {"image/png": "iVBORw0KGgo" * 50, "source": ["import nets\n"], "x": {"source": "y"}}}],
    ),
    markdown("## Shell"),
    code(["%%bash\n", "\n", "python eval.py"]),
    {"cell_type": "raw", "metadata": {}, "source": ["python raw.py"]},
    code(""),
)


def test_cells_with_their_lines() -> None:
    text = notebook(*CELLS, indent=1)
    document = read(read_notebook, text)
    lines = text.split("\n")
    assert [(b.language, b.code, b.headings) for b in document.blocks] == [
        ("bash", "python train.py", ("Nets",)),
        ("python", "import nets\n!pip install x\nnets.fit()", ("Nets",)),
        ("bash", "python eval.py", ("Nets", "Shell")),
    ]
    for block in document.blocks:
        for offset, row in enumerate(block.code.split("\n")):
            assert lines[block.line - 1 + offset].strip().startswith(f'"{row}')
    # The same words stand in the outputs, above the source.
    assert lines.index(next(line for line in lines if "import nets" in line)) + 1 < document.blocks[1].line
    assert [(s.headings, lines[s.line - 1].strip()) for s in document.sections] == [
        (("Nets",), '"# Nets\\n",'),
        (("Nets", "Shell"), '"## Shell"'),
    ]
    assert prose(document) == "Text with code.\n"
    assert document.note == ""


def test_a_notebook_on_one_line_or_with_sources_as_strings() -> None:
    document = read(read_notebook, notebook(*CELLS))
    assert [block.line for block in document.blocks] == [1, 1, 1]
    text = notebook(code("a = 1\nb = 2"), code("c = 3"), indent=2)
    blocks = read(read_notebook, text).blocks
    assert [block.code for block in blocks] == ["a = 1\nb = 2", "c = 3"]
    assert ['"a = 1\\nb = 2"' in text.split("\n")[blocks[0].line - 1], '"c = 3"' in text.split("\n")[blocks[1].line - 1]] == [True, True]


def test_language_of_the_kernel() -> None:
    assert only(read(read_notebook, notebook(code("x <- 1"), language="R"))).language == "r"
    assert only(read(read_notebook, '{"cells": [{"cell_type": "code", "source": "x"}]}')).language == "python"


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", 0),
        ("[]", 0),
        ("not json", 0),
        ('{"cells": 3}', 0),
        ('{"cells": [', 0),
        ('{"cells": [{"cell_type": "code", "source": "a"}, {"cell_type": "code", "sour', 1),
        ('{"cells": [{"cell_type": "code", "source": "a"}, {"cell_type": }]}', 1),
        ('{"cells": [' + "[" * 100_000, 0),
    ],
)
def test_malformed_json_is_a_note(text: str, blocks: int) -> None:
    document = read(read_notebook, text)
    assert len(document.blocks) == blocks
    assert document.note


def test_odd_cells_are_passed_over() -> None:
    text = json.dumps(
        {"cells": [1, None, [], {}, {"cell_type": "code"}, code(None), code(3), code([1, "a", None]), {"cell_type": ["x"], "source": "y"}]}
    )
    document = read(read_notebook, text)
    assert only(document).code == "a"
    assert document.note == ""


@pytest.mark.timeout(30)
def test_megabytes_of_outputs_cost_little() -> None:
    text = notebook(*(code("a = 1", [{"data": {"image/png": "QUJD" * 500_000}}]) for _ in range(9)), indent=1)
    with within(3):  # 0.1 s on an idle core
        assert len(read(read_notebook, text).blocks) == 9
