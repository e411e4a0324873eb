"""Whatever an answer says, verification comes back, in time, with text that can be printed."""

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ml_agent.repo.index import RepoIndex
from ml_agent.task import Answer, Language
from ml_agent.verify import MAX_CHARACTERS, verify
from tests.pace import within
from tests.verify.support import repository

FILES = {
    "train.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float)\np.parse_args()",
    "lib/__init__.py": "def f(a, b=1): ...\nclass C: ...",
    "run.sh": "python train.py --lr $1",
}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> RepoIndex:
    return repository(tmp_path_factory.mktemp("repository"), FILES)


LANGUAGES: tuple[Language, ...] = ("bash", "python")
PIECES = st.sampled_from(
    [
        *("python ", "train.py ", "run.sh ", "-m ", "-c ", "lib", "cd ", "..", "/", "--lr ", "--lr=", "$X", "*", "<<EOF\n", "EOF\n"),
        *("for i in ", "do ", "done", "&& ", "; ", "|", ">", "\n", "$(", ")", "(", "{", "[", "'", '"', "`", "\\", "\0", "\ud800", "é"),
        *("import ", "from ", "import lib\n", "lib.f(", "lib.f(1, c=2)\n", "def f(", ":", "    "),
    ]
)
TEXTS = (
    st.text(max_size=60)
    | st.lists(PIECES, max_size=14).map("".join)
    | st.text(st.characters(categories=("Cs", "Cc", "Lu", "Po")), max_size=20)
)


@pytest.mark.parametrize("language", LANGUAGES)
@given(code=TEXTS, workdir=st.sampled_from([".", "lib", "nowhere", ""]) | st.text(max_size=5))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_never_raises(index: RepoIndex, language: Language, code: str, workdir: str) -> None:
    for finding in verify(Answer(language, code, workdir), index).findings:
        for text in (finding.message, finding.place, finding.source or "", finding.suggestion or ""):
            text.encode("utf-8")


HOSTILE = {
    "parentheses": "(" * 50_000,
    "substitutions": "$(" * 50_000,
    "python in parentheses": "python train.py " + "(" * 50_000,
    "backquotes": "`" * 50_001,
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", HOSTILE)
def test_deep_nesting_is_a_syntax_error_within_a_second(index: RepoIndex, language: Language, name: str) -> None:
    with within(1.0):
        check = verify(Answer(language, HOSTILE[name]), index)
    assert any(f.kind == "syntax" for f in check.findings)
    assert not check.ok


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["(" * 50_000 + "1" + ")" * 50_000, "{" * 50_000])
def test_nesting_that_bash_puts_up_with_is_still_mentioned(index: RepoIndex, language: Language, code: str) -> None:
    with within(1.0):
        check = verify(Answer(language, code), index)
    assert any(f.kind == "syntax" for f in check.findings)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "code",
    [
        "x" * 1_000_000,
        "python train.py " + "--lr 1 " * 150_000,
        "import lib\n" * 90_000,
        "echo a | " * 110_000,
        "-" * 199_000 + "1",
        "lib.f(" * 30_000,
    ],
)
def test_a_megabyte_comes_back_in_time(index: RepoIndex, language: Language, code: str) -> None:
    with within(3.0, time.process_time):
        check = verify(Answer(language, code), index)
    if len(code) > MAX_CHARACTERS:
        assert [(f.message, f.severity) for f in check.findings] == [("longer than 200,000 characters: not checked", "warning")]


@pytest.mark.parametrize("code", ["import lib\n" * 15_000, "lib.f(1)\n" * 20_000 + "import lib", "x = 1\n" * 30_000])
def test_long_python_that_is_read(index: RepoIndex, code: str) -> None:
    with within(3.0, time.process_time):
        verify(Answer("python", code), index)


@pytest.mark.parametrize(
    "code",
    ["python train.py " + "--lr 1 " * 20_000, "python train.py\n" * 10_000, "cd nowhere\n" * 15_000, "python nothing.py --lr 1\n" * 5_000],
)
def test_long_bash_that_is_read(index: RepoIndex, code: str) -> None:
    with within(5.0, time.process_time):
        check = verify(Answer("bash", code), index)
    assert len(check.findings) <= 50


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["python train.py\0", "\0", "\ud800", "python train.py --lr \udcff", "import lib\n'\ud800'"])
def test_nul_and_lone_surrogates(index: RepoIndex, language: Language, code: str) -> None:
    check = verify(Answer(language, code), index)
    if "\0" in code or language == "python":
        assert [f.kind for f in check.findings] == ["syntax"]


def test_findings_can_be_printed(index: RepoIndex) -> None:
    for answer in (Answer("bash", "python '\udcff.py' --lr '\udcff'"), Answer("bash", "ls", "\udcff"), Answer("python", "x = '\udcff'")):
        findings = verify(answer, index).findings
        assert findings
        for finding in findings:
            f"{finding.message}{finding.place}{finding.source}{finding.suggestion}".encode()


def test_a_repository_of_hostile_files(tmp_path: Path) -> None:
    index = repository(tmp_path, {"deep.py": "(" * 50_000, "pkg/__init__.py": "x = " + "-" * 100_000 + "1", "run.sh": "(" * 50_000})
    (tmp_path / "nul.py").write_bytes(b"\0" * 1000)
    assert verify(Answer("python", "import deep, pkg, nul\ndeep.x(1)\npkg.y\nnul.z"), index).findings == ()
    for code in ("python deep.py --lr 1", "python -m pkg", "bash run.sh 1", "python nul.py"):
        verify(Answer("bash", code), index)
