"""The folder of pages: whole or not at all, with nothing in it that points outside, and all foreign text escaped."""

import base64
import hashlib
import json
import os
import re
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ml_agent.benchmarks.base import Attempt, Sample, Verdict
from ml_agent.benchmarks.report.html import write_html
from ml_agent.benchmarks.report.links import page_name
from ml_agent.benchmarks.report.model import Judged, Report
from ml_agent.errors import InfrastructureError, UsageError
from ml_agent.task import Answer
from tests.benchmarks.report.hostile import ATTACKS
from tests.benchmarks.report.scored_runs import example_suite, scored

OWN_TAGS = set(
    "html head meta title style script body a header div strong nav main footer span h1 h2 h3 h4 p dl dt dd table thead tbody tr th td "
    "bdi svg line rect form label input select option button blockquote details summary pre code article ul ol li em q br wbr".split()
)


class Page(HTMLParser):
    """What a browser would see of one page."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.unclosed: list[str] = []
        self.text = ""
        self.inline: dict[str, str] = {}
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br", "wbr", "input", "line", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.unclosed.append(tag)

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("style", "script"):
            self.inline[self.open[-1]] = data
        else:
            self.text += data


def all_pages(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


def test_the_folder_holds_a_page_for_each_sample(pages: Path, report: Report) -> None:
    assert {path.name for path in pages.iterdir()} == {"index.html", "compare.html", "samples", "report.json", "report.md"}
    assert {path.name for path in (pages / "samples").iterdir()} == {page_name(sample.key) for sample in report.suite.samples}
    told = json.loads((pages / "report.json").read_text(encoding="ascii"))
    assert [run["policy"] for run in told["runs"]] == ["grounded", "react", "nothing"]
    assert (pages / "report.md").read_text(encoding="utf-8").startswith("# smoke 1\n")
    assert [path.name for path in pages.parent.iterdir()] == ["report"]  # nothing temporary is left


@pytest.mark.parametrize("which", ["pages", "hostile_pages"])
def test_pages_are_well_formed_and_hold_only_our_own_markup(which: str, request: pytest.FixtureRequest) -> None:
    for path in all_pages(request.getfixturevalue(which)):
        page = Page(path)
        assert (page.open, page.unclosed) == ([], []), path.name
        assert {tag for tag, _ in page.tags} <= OWN_TAGS
        for _, attributes in page.tags:
            assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "srcset", "action", "formaction")]
        if path.parent.name == "samples":
            assert "script" not in page.inline


@pytest.mark.parametrize("which", ["pages", "hostile_pages"])
def test_links_stay_in_the_folder_or_lead_to_https(which: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(which)
    outside = set()
    for path in all_pages(folder):
        page = Page(path)
        names = {attributes.get("id") for _, attributes in page.tags}
        for tag, attributes in page.tags:
            href = attributes.get("href")
            if href is None:
                continue
            assert tag == "a"
            if href.startswith("https://"):
                assert attributes["rel"] == "noopener noreferrer"
                outside.add(href)
                continue
            file, _, fragment = href.partition("#")
            target = (path.parent / file).resolve() if file else path
            assert target.is_relative_to(folder)
            assert target.is_file(), href
            if fragment and target == path:
                assert fragment in names
    if which == "pages":
        assert "https://github.com/example/tinynets/blob/0123456789abcdef0123456789abcdef01234567/train.py#L23" in outside
    else:
        assert outside == set()


def test_the_policy_allows_the_page_s_own_style_and_script_alone(pages: Path) -> None:
    for path in all_pages(pages):
        page = Page(path)
        (content,) = [a["content"] or "" for tag, a in page.tags if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"]
        rules = {rule.split()[0]: rule.split()[1:] for rule in content.split(";")}
        assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == ["'none'"]
        for rule, kind in (("style-src", "style"), ("script-src", "script")):
            if kind not in page.inline:
                assert rules[rule] == ["'none'"]
                continue
            digest = base64.b64encode(hashlib.sha256(page.inline[kind].encode()).digest()).decode()
            assert rules[rule] == [f"'sha256-{digest}'"]


def test_foreign_text_is_shown_and_not_obeyed(hostile_pages: Path) -> None:
    whole = "".join(Page(path).text for path in all_pages(hostile_pages / "samples"))
    for attack in ATTACKS[:8]:
        assert attack in whole
    assert r"\u202eright to left\u2066 hidden\u200b\xad\ufeff\x00\x07" in whole
    assert r"\ud800" in whole
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e\u2066\ud800-\udfff]", whole)
    assert str(7 * 191) not in whole


def test_a_path_that_leaves_the_run_s_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text('{"event": "header", "schema": 1}\nSECRET\n', encoding="utf-8")
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    suite = example_suite()
    paths = ("../secret.jsonl", str(tmp_path / "secret.jsonl"), "link.jsonl", "none.jsonl", "\0")
    key = suite.samples[0].key
    judged = {key: [Judged(Attempt(key, n, "answered", trajectory=path), Verdict(True, "passed")) for n, path in enumerate(paths)]}
    write_html(_report(scored(suite, "p", judged, ranked=False, folder=folder), suite.samples), tmp_path / "report")
    text = Page(tmp_path / "report" / "samples" / page_name(key)).text
    assert text.count("outside the run's folder") == 3
    assert text.count("No trajectory:") == 2
    assert "SECRET" not in text


def _report(run: object, samples: Sequence[Sample]) -> Report:
    suite = example_suite()
    return Report(suite, "static", "1", (run,), tuple(samples))  # type: ignore[arg-type]


def test_what_attempts_have_in_common_stands_once(pages: Path) -> None:
    text = Page(pages / "samples" / page_name("1/1")).text
    assert text.count("Train a classifier on a synthetic data set and report its accuracy") == 1  # of three trajectories that read it
    assert text.count("As in Alternative 1, step 1.") >= 2


def test_an_earlier_report_is_replaced_and_nothing_else_is(report: Report, tmp_path: Path) -> None:
    folder = tmp_path / "a" / "report"
    write_html(report, folder)
    (folder / "samples" / "stale.html").write_text("old", encoding="utf-8")
    assert write_html(replace(report, runs=report.runs[:1]), folder) == 2 + len(report.samples)
    assert not (folder / "samples" / "stale.html").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    write_html(report, mine)  # an empty folder is free
    for name in ("thesis.tex", "report.json"):
        other = tmp_path / name.partition(".")[0]
        other.mkdir(exist_ok=True)
        (other / name).write_text("{}", encoding="utf-8")
        with pytest.raises(UsageError, match="no report of ours"):
            write_html(report, other)
        assert [path.name for path in other.iterdir()] == [name]
    with pytest.raises(UsageError, match="no report of ours"):
        write_html(report, tmp_path / "thesis" / "thesis.tex")


def test_what_fails_on_the_way_leaves_the_earlier_report(report: Report, tmp_path: Path) -> None:
    write_html(report, tmp_path / "report")
    before = (tmp_path / "report" / "index.html").read_bytes()

    def broken(key: str) -> Sequence[Judged]:
        raise UsageError("a damaged attempt")

    with pytest.raises(UsageError, match="damaged"):
        write_html(replace(report, runs=(replace(report.runs[0], judged=broken),)), tmp_path / "report")
    assert (tmp_path / "report" / "index.html").read_bytes() == before
    assert os.listdir(tmp_path) == ["report"]


def test_a_disk_that_refuses_is_infrastructure(report: Report, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InfrastructureError, match="cannot write the report"):
        write_html(report, tmp_path / "file" / "report")


def test_memory_is_flat_in_the_number_of_samples(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        samples = tuple(replace(example_suite().samples[0], key=f"1/{n}") for n in range(count))
        code = "x" * 20_000

        def judged(key: str) -> list[Judged]:
            return [Judged(Attempt(key, n, "answered", Answer("bash", code)), Verdict(True, "passed")) for n in range(5)]

        run = replace(scored(replace(example_suite(), samples=samples), "p", {}, ranked=True), judged=judged)
        tracemalloc.start()
        write_html(_report(run, samples), tmp_path / str(count))
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(2)
    few, many = peak(20), peak(200)
    assert many < few + 1_000_000  # the pages themselves are 200 times 100 kB
