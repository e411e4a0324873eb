"""Samples and attempts for the scorers' tests."""

from typing import Any

from ml_agent.benchmarks.base import Attempt, Sample
from ml_agent.task import Answer, Language


def bash(output: str, asked: dict[str, Any], *, instruction: str = "", workdir: str = ".", prefix: str = "") -> Sample:
    return Sample("1/1", "tinynets", instruction, "bash", output, workdir, asked, prefix_code=prefix)


def python(output: str, asked: dict[str, Any]) -> Sample:
    return Sample("1/2", "tinynets", "", "python", output, ".", asked)


def attempt(code: str, language: Language = "bash", workdir: str = ".", **more: Any) -> Attempt:
    return Attempt("1/1", 0, "answered", Answer(language, code, workdir), **more)
