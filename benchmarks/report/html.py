"""Writes the HTML report: one folder that opens from disk, without network, server or framework."""

import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ml_agent.benchmarks.base import Sample
from ml_agent.benchmarks.report import texts
from ml_agent.benchmarks.report.cells import Cell, cell
from ml_agent.benchmarks.report.figures import as_dict
from ml_agent.benchmarks.report.index_page import index_view
from ml_agent.benchmarks.report.links import blob_url, page_name, repository_url
from ml_agent.benchmarks.report.markdown import markdown
from ml_agent.benchmarks.report.model import Report
from ml_agent.benchmarks.report.order import ranking
from ml_agent.benchmarks.report.rendering import render
from ml_agent.benchmarks.report.sample_page import Shown, attempt_view
from ml_agent.errors import InfrastructureError, UsageError

_INSTRUCTION = 160
"""Characters of an instruction in the grid."""


def write_html(report: Report, folder: Path) -> int:
    """Write the report as `folder`, whole or not at all; an earlier report there is replaced. Returns the number of pages.

    Raises UsageError if something else is there, InfrastructureError if the disk refuses.
    """
    folder = folder.absolute()
    _check_free(folder)
    temporary = None
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        pages = _Writer(report, temporary).write()
        temporary.chmod(0o755)
        _replace(folder, temporary)
    except OSError as error:
        raise InfrastructureError(f"cannot write the report {folder}: {error.strerror or error}") from error
    finally:
        if temporary is not None:
            shutil.rmtree(temporary, ignore_errors=True)
    return pages


def _check_free(folder: Path) -> None:
    if not folder.exists() and not folder.is_symlink():
        return
    if folder.is_dir() and (not any(folder.iterdir()) or _is_report(folder)):
        return
    raise UsageError(f"{folder} is there and is no report of ours: name a new folder")


def _is_report(folder: Path) -> bool:
    try:
        told = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(told, dict) and "schema" in told and "suite" in told and (folder / "index.html").is_file()


def _replace(folder: Path, new: Path) -> None:
    if folder.exists():
        old = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
        folder.rename(old / "old")
        new.rename(folder)
        shutil.rmtree(old)
    else:
        new.rename(folder)


class _Writer:
    """Writes page by page: of the samples' attempts no more than one sample's are in memory."""

    def __init__(self, report: Report, folder: Path) -> None:
        self._report, self._folder, self._pages = report, folder, 0
        self._ranking = ranking(report.runs)
        self._samples = sorted(report.samples, key=lambda sample: _natural(sample.key))

    def write(self) -> int:
        (self._folder / "samples").mkdir()
        self._page("index.html", "index.html.j2", page="ranking", up="", **index_view(self._report, self._ranking, self._samples))
        columns = [{"label": row.label} for row in self._ranking]
        repositories = sorted({sample.repository for sample in self._samples})
        rows = self._rows()
        self._page("compare.html", "compare.html.j2", page="compare", up="", runs=columns, repositories=repositories, rows=rows)
        told = as_dict(self._report)
        (self._folder / "report.json").write_text(json.dumps(told, indent=1) + "\n", encoding="ascii")
        (self._folder / "report.md").write_text(markdown(self._report), encoding="utf-8", errors="backslashreplace")
        return self._pages

    def _page(self, path: str, template: str, **values: Any) -> None:
        suite = self._report.suite
        parts = render(template, suite_name=texts.line(f"{suite.name} {suite.version}", 80), suite_hash=suite.hash, **values)
        with (self._folder / path).open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(parts)
        self._pages += 1

    def _rows(self) -> Iterator[Mapping[str, Any]]:
        """The rows of the grid; the page of each sample is written on the way."""
        for number, sample in enumerate(self._samples):
            cells = self._sample(number, sample)
            yield {
                "key": sample.key,
                "href": f"samples/{page_name(sample.key)}",
                "repository": sample.repository,
                "type": sample.language,
                "instruction": texts.line(sample.instruction, _INSTRUCTION),
                "states": " ".join(one.state for one in cells),
                "cells": cells,
            }

    def _sample(self, number: int, sample: Sample) -> list[Cell]:
        repository = self._report.suite.repositories.get(sample.repository)
        runs, cells = [], []
        for index, row in enumerate(self._ranking):
            judged = row.run.judged(sample.key)
            cells.append(cell(judged, ranked=row.run.ranked))
            shown: Shown = {}
            attempts = [attempt_view(one, row.run, lambda source: blob_url(repository, source), f"step-{index}", shown) for one in judged]
            runs.append({"number": index, "label": row.label, "attempts": attempts, "cell": cells[-1]})
        self._page(
            f"samples/{page_name(sample.key)}",
            "sample.html.j2",
            page="sample",
            up="../",
            sample=sample,
            runs=runs,
            repository_url=repository_url(repository),
            repository_commit=repository.commit if repository else "",
            before=self._neighbour(number - 1),
            after=self._neighbour(number + 1),
        )
        return cells

    def _neighbour(self, number: int) -> Mapping[str, str] | None:
        if not 0 <= number < len(self._samples):
            return None
        return {"key": self._samples[number].key, "href": page_name(self._samples[number].key)}


def _natural(key: str) -> list[tuple[int, int, str]]:
    """`2/10` after `2/9`."""
    return [(0, int(part), "") if part.isdecimal() and len(part) < 19 else (1, 0, part) for part in re.split(r"(\d+)", key) if part]
