"""Options that programs take from dataclasses of libraries."""

from pathlib import Path

import pytest

from ml_agent.repo.entrypoints import EntryPoint, read_entry_point
from ml_agent.repo.entrypoints.library_fields import library_fields
from ml_agent.repo.files import walk

OWN = "@dataclass\nclass Own:\n    depth: int = 3\n"
INHERITED = "@dataclass\nclass Arguments(transformers.TrainingArguments):\n    depth: int = 3\n    learning_rate: float = 0.25\n"
HEAD = "import transformers\nfrom dataclasses import dataclass\nfrom transformers import HfArgumentParser, Seq2SeqTrainingArguments\n"


def entry(folder: Path, text: str) -> EntryPoint:
    (folder / "train.py").write_text(HEAD + text)
    found = read_entry_point(walk(folder), "train.py")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "rate", "line"),
    [
        (f"{OWN}HfArgumentParser((Own, Seq2SeqTrainingArguments)).parse_args_into_dataclasses()\n", "5e-05", 7),
        (f"{INHERITED}HfArgumentParser(Arguments).parse_args_into_dataclasses()\n", "0.25", 7),
    ],
)
def test_the_fields_of_a_known_class_are_options(tmp_path: Path, text: str, rate: str, line: int) -> None:
    found = entry(tmp_path, text)
    option = found.option("--learning_rate")
    assert option is not None
    assert (option.type, option.default, option.source) == ("float", rate, f"train.py:{line}")
    assert found.option("--depth") is not None
    assert found.option("--fp16") is not None
    assert (found.option("--predict_with_generate") is not None) is ("Seq2Seq" in text)
    assert found.open_ended
    assert not any(o.required for o in found.options)


def test_other_classes_and_libraries_are_not_known() -> None:
    assert library_fields("transformers.SomethingElse", "a.py:1") == []
    assert library_fields("elsewhere.TrainingArguments", "a.py:1") == []
    assert [field.name for field in library_fields("transformers.TrainingArguments", "a.py:1")][:1] == ["output_dir"]


@pytest.mark.parametrize("library", ["transformers", "owlery"])
def test_only_the_class_of_a_known_library_brings_options(tmp_path: Path, library: str) -> None:
    text = f"import {library}\n{OWN}HfArgumentParser((Own, {library}.TrainingArguments)).parse_args_into_dataclasses()\n"
    found = entry(tmp_path, text)
    assert found.option("--depth") is not None
    assert (found.option("--learning_rate") is not None) is (library == "transformers")
    assert found.open_ended
