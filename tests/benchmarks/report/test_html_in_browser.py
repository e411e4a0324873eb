"""The pages in a real browser: they look as they should, work by keyboard and without scripts, and nothing foreign runs."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from ml_agent.benchmarks.report.links import page_name
from ml_agent.benchmarks.report.model import Report
from tests.benchmarks.report.browser import Browser

pytestmark = pytest.mark.chromium

WIDTHS = (1440, 390)

CONTRAST = """
(() => {
  const light = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const parse = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length === 3 ? [...n, 1] : n; };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour[3] === 1) return colour;
    }
    return [255, 255, 255, 1];
  };
  const low = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || ["STYLE", "SCRIPT"].includes(element.tagName)) continue;
    const [one, two] = [luminance(parse(getComputedStyle(element).color)), luminance(behind(element))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (ratio < 4.5) low.push(element.className + " " + ratio.toFixed(2) + " " + walker.currentNode.data.trim().slice(0, 40));
  }
  return low;
})()
"""
OUTSIDE = """
(() => {
  const bad = [];
  const width = document.documentElement.clientWidth;
  for (const element of document.querySelectorAll("main *, header *, footer *")) {
    if (!element.checkVisibility() || element.closest(".unseen, .skip") || element.closest("svg")) continue;
    const box = element.getBoundingClientRect();
    if ((box.right > width + 1 || box.left < -1) && !element.closest(".scroll")) bad.push(element.tagName + "." + element.className);
  }
  return bad.slice(0, 10);
})()
"""
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def shown_rows(browser: Browser) -> list[str]:
    rows = "Array.from(document.querySelectorAll('#rows tr')).filter((row) => row.checkVisibility())"
    keys: list[str] = browser.value(f"{rows}.map((row) => row.querySelector('th a').textContent)")
    return keys


def first_pages(folder: Path) -> list[Path]:
    return [folder / "index.html", folder / "compare.html", min((folder / "samples").iterdir())]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dark", [False, True])
def test_pages_fit_are_legible_and_fetch_nothing(browser: Browser, pages: Path, width: int, dark: bool) -> None:
    for path in first_pages(pages):
        browser.open(path, width=width, dark=dark)
        browser.value(OPEN_ALL)
        assert browser.value("document.documentElement.scrollWidth") == width
        assert browser.value(OUTSIDE) == []
        assert browser.value(CONTRAST) == []
        background = browser.value("getComputedStyle(document.body).backgroundColor")  # the style is not stopped by the page's policy
        assert background == ("rgb(20, 21, 24)" if dark else "rgb(250, 249, 246)")
        assert browser.requests == [path.as_uri()]
        assert browser.console == []


def test_the_drawn_interval_is_that_of_the_figures(browser: Browser, pages: Path) -> None:
    browser.open(pages / "index.html")
    first, second = "tbody tr:nth-child(1) .drawn svg", "tbody tr:nth-child(2) .drawn svg"
    box = f"(() => {{ const b = document.querySelector('{second}').getBoundingClientRect(); return [b.left, b.width]; }})()"
    left, width = browser.value(box)
    drawn = browser.value(f"document.querySelector('{second} .bar').getBoundingClientRect().width")
    assert drawn == pytest.approx(0.2 * width, abs=1.5)
    low, high = browser.value(
        f"(() => {{ const b = document.querySelector('{second} .whisker').getBoundingClientRect(); return [b.left, b.right]; }})()"
    )
    assert (low - left, high - left) == (pytest.approx(0.07 * width, abs=2), pytest.approx(0.33 * width, abs=2))
    assert browser.value(f"document.querySelector('{first} .bar').getBoundingClientRect().width") == pytest.approx(width, abs=1.5)
    assert browser.value("document.querySelectorAll('tbody tr:nth-child(3) .drawn svg .bar').length") == 0
    texts = browser.value("Array.from(document.querySelectorAll('table.ranking .place'), (cell) => cell.textContent)")
    assert texts == ["Place", "1", "2", "n/a"]


def test_the_structure_is_one_for_assistive_technology(browser: Browser, pages: Path) -> None:
    for path in first_pages(pages):
        browser.open(path)
        assert browser.value("document.documentElement.lang") == "en"
        assert browser.value("document.querySelectorAll('main').length + document.querySelectorAll('h1').length") == 2
        levels = browser.value("Array.from(document.querySelectorAll('h1, h2, h3, h4'), (one) => Number(one.tagName[1]))")
        assert levels[0] == 1
        assert all(after - before <= 1 for before, after in pairwise(levels)), levels
        assert browser.value("Array.from(document.querySelectorAll('th')).every((one) => one.scope)")
        assert browser.value("Array.from(document.querySelectorAll('input, select')).every((one) => one.labels.length === 1)")
        assert browser.value("Array.from(document.querySelectorAll('a')).every((one) => one.textContent.trim())")
        identities = browser.value("Array.from(document.querySelectorAll('[id]'), (one) => one.id)")
        assert len(set(identities)) == len(identities)
    browser.open(pages / "compare.html", width=390)  # tables that are laid out as cards stay tables
    tree = browser.call("Accessibility.getFullAXTree")["nodes"]
    roles = [node["role"]["value"] for node in tree if "role" in node]
    assert roles.count("table") == 1
    assert roles.count("row") == 13
    assert roles.count("rowheader") == 12


def test_all_can_be_reached_by_keyboard(browser: Browser, pages: Path) -> None:
    browser.open(pages / "compare.html")
    browser.key("Tab", 9)
    assert browser.value("document.activeElement.textContent") == "Skip to the content"
    assert browser.value("document.activeElement.getBoundingClientRect().left") >= 0
    reached = []
    for _ in range(14):
        browser.key("Tab", 9)
        reached.append(
            browser.value("document.activeElement.name || document.activeElement.textContent.trim() || document.activeElement.tagName")
        )
        assert browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for name in ("Ranking", "words", "repository", "agreement", "run-0", "run-2", "Show all", "1/1"):
        assert name in reached
    browser.open(min((pages / "samples").iterdir()))
    browser.value("document.querySelector('details summary').focus()")
    browser.key("Enter", 13, "\r")
    assert browser.value("document.querySelector('details').open")


def test_the_grid_is_filtered(browser: Browser, pages: Path, report: Report) -> None:
    browser.open(pages / "compare.html")
    keys = [sample.key for sample in report.samples]
    assert shown_rows(browser) == keys
    choose = "(name, value) => { const field = document.forms.filters.elements[name]; field.value = value; "
    choose += "field.dispatchEvent(new Event('input', {bubbles: true})); }"
    browser.value(f"({choose})('type', 'python')")
    assert shown_rows(browser) == ["2/10", "2/11", "2/12"]
    assert browser.value("document.getElementById('count').textContent") == "3 of 12 samples"
    browser.value(f"({choose})('run-1', 'infrastructure')")
    assert shown_rows(browser) == ["2/10"]
    assert browser.value("location.hash") == "#type=python&run-1=infrastructure"
    browser.value("document.querySelector('button[type=reset]').click()")
    browser.value("new Promise((done) => setTimeout(done, 20))")
    assert shown_rows(browser) == keys
    browser.value("document.forms.filters.elements.words.focus()")
    browser.call("Input.insertText", text="MOONS 0.05")
    assert shown_rows(browser) == ["1/1"]
    browser.open(pages / "compare.html", fragment="#agreement=differ&run-1=later&__proto__=x&elements=1")  # an address that was passed on
    assert set(shown_rows(browser)) == {"1/2", "1/3", "1/4", "1/6", "2/7", "2/8", "2/11", "2/12"}
    assert browser.console == []


def test_without_scripts_all_is_there(browser: Browser, pages: Path, report: Report) -> None:
    browser.open(pages / "compare.html", scripts=False)
    assert shown_rows(browser) == [sample.key for sample in report.samples]
    assert browser.value("getComputedStyle(document.getElementById('filters')).display") == "none"
    browser.open(min((pages / "samples").iterdir()), scripts=False)
    browser.value("document.querySelector('summary').focus()")
    browser.key("Enter", 13, "\r")
    assert browser.value("document.querySelector('details').open")


def test_a_cell_leads_to_what_the_policy_did(browser: Browser, pages: Path) -> None:
    browser.open(pages / "compare.html")
    target = browser.value("document.querySelector('#rows tr:nth-child(2) td:nth-child(4) a').href")
    file, _, fragment = target.partition("#")
    browser.open(Path(file.removeprefix("file://")), fragment=f"#{fragment}")
    assert browser.value("document.querySelector(':target').textContent") == "react"
    text = browser.value("document.body.innerText")
    assert "Fit softmax regression to the blobs for 5 epochs, with seed 3." in text
    assert "train.py takes no option --learning-rate" in text
    assert "nearest: --lr 0.1" in text
    browser.value(OPEN_ALL)
    text = browser.value("document.body.innerText")
    assert re.search(r"Step \d+ .*Submit", text)
    assert "error: no option --learning-rate 0.1" in text  # without the colours
    assert browser.value("document.querySelector('a[rel=next]').textContent") == "1/3 →"


def test_what_is_referred_to_opens(browser: Browser, pages: Path) -> None:
    browser.open(pages / "samples" / page_name("1/1"))
    link = "Array.from(document.querySelectorAll('a')).find((one) => one.textContent === 'Alternative 1, step 1')"
    target = browser.value(f"{link}.hash")
    assert not browser.value(f"document.querySelector('{target}').checkVisibility()")
    browser.value(f"{link}.click()")
    assert browser.value(f"document.querySelector('{target}').checkVisibility()")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_foreign_runs_or_leaves_its_box(browser: Browser, hostile_pages: Path, width: int) -> None:
    for path in [hostile_pages / "index.html", hostile_pages / "compare.html", *sorted((hostile_pages / "samples").iterdir())]:
        browser.open(path, width=width)
        browser.value(OPEN_ALL)
        assert browser.value("typeof window.hacked") == "undefined", path.name
        assert browser.value("document.images.length + document.querySelectorAll('[autofocus], [onload], [onerror]').length") == 0
        assert browser.value("document.documentElement.scrollWidth") == width, path.name
        assert browser.value(OUTSIDE) == [], path.name
        assert browser.requests == [path.as_uri()]
        assert browser.console == []


def test_what_got_past_the_escaping_would_be_stopped_by_the_policy(browser: Browser, hostile_pages: Path, tmp_path: Path) -> None:
    """The test above can see an attack succeed; and a fault in a template alone would not let one."""
    page = hostile_pages / "samples" / page_name("<script>window.hacked=1</script>/0")
    attack = '<script>window.hacked=1</script><img src="file:///etc/hostname" onerror="window.hacked=1"><p style="position:fixed">'
    broken = page.read_text(encoding="utf-8").replace("&lt;script&gt;window.hacked=1&lt;/script&gt;", attack)
    unescaped, unguarded = tmp_path / "unescaped.html", tmp_path / "unguarded.html"
    unescaped.write_text(broken, encoding="utf-8")
    unguarded.write_text(broken.replace('http-equiv="Content-Security-Policy"', 'name="x"'), encoding="utf-8")
    browser.open(unguarded)
    assert browser.value("window.hacked") == 1
    browser.open(unescaped)
    assert browser.value("typeof window.hacked") == "undefined"
    assert browser.value("document.images[0].naturalWidth") == 0
    assert browser.value("getComputedStyle(document.querySelector('img + p')).position") == "static"
    assert browser.console  # it says what it stopped
