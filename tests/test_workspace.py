"""The private copy, running answers in it, and what they made."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ml_agent.errors import ToolError, UsageError
from ml_agent.sandbox import survey
from ml_agent.sandbox.options import Options
from ml_agent.task import Answer, Language
from ml_agent.workspace import Workspace

KINDS = [pytest.param("docker", marks=pytest.mark.docker), pytest.param("bubblewrap", marks=pytest.mark.bubblewrap), "local"]
Open = Callable[..., Workspace]


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where copies are made: empty again at the end of each test."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr("tempfile.tempdir", None)
    return place


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    place = tmp_path / "repository"
    (place / "examples" / "one").mkdir(parents=True)
    (place / "train.py").write_text("import sys\nprint('trained', sys.argv[1:])\nopen('model.bin', 'w').write('m')\n")
    (place / "examples" / "one" / "helper.py").write_text("word = 'helped'\n")
    (place / "notes.txt").write_text("old\n")
    return place


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(params=KINDS)
def workspace(request: pytest.FixtureRequest, repository: Path, scratch: Path) -> Iterator[Workspace]:
    before = contents(repository)
    with Workspace(repository, Options(sandbox=request.param, python=sys.executable)) as opened:
        yield opened
    assert contents(repository) == before
    assert list(scratch.iterdir()) == []


def test_a_bash_answer(workspace: Workspace) -> None:
    record = workspace.run_answer(Answer("bash", "python train.py --lr 0.1 && echo new >> notes.txt"), 20)
    assert (record.outcome, record.exit_code, record.missing, record.reason) == ("completed", 0, None, None)
    assert record.output_tail == "trained ['--lr', '0.1']"
    assert record.made == workspace.made() == ("model.bin", "notes.txt")
    assert 0 < record.seconds < 20


def test_a_python_answer_imports_from_its_folder(workspace: Workspace) -> None:
    code = "import helper, os\nprint(helper.word, os.path.basename(os.getcwd()))\nopen('out.txt', 'w').close()\nprint(__name__)"
    record = workspace.run_answer(Answer("python", code, "examples/one"), 20)
    assert record.output_tail == "helped one\n__main__"
    assert record.made == workspace.made() == ("examples/one/out.txt",)
    assert sorted(os.listdir(workspace.root / "examples" / "one")) == ["helper.py", "out.txt"]


def test_what_one_run_makes_the_next_sees(workspace: Workspace) -> None:
    assert workspace.run_answer(Answer("bash", "echo 1 > a"), 20).made == ("a",)
    second = workspace.run_answer(Answer("bash", "cat a; echo 2 > b"), 20)
    assert (second.output_tail, second.made) == ("1", ("b",))
    assert workspace.made() == ("a", "b")


def test_a_module_that_is_missing_and_one_that_is_elsewhere(workspace: Workspace) -> None:
    record = workspace.run_answer(Answer("python", "import no_such_module_here"), 20)
    assert (record.outcome, record.missing) == ("environment", "module no_such_module_here")
    record = workspace.run_answer(Answer("python", "import helper"), 20)
    assert (record.outcome, record.missing) == ("failed", None), "the folder is wrong: nothing is missing"


def test_a_file_that_is_missing_and_one_that_is_elsewhere(workspace: Workspace) -> None:
    assert workspace.run_answer(Answer("python", "open('data/x.csv')"), 20).missing == "file data/x.csv"
    assert workspace.run_answer(Answer("python", "open('../notes.txt')", "examples/one"), 20).outcome == "failed"


def test_running_at_the_limit(workspace: Workspace) -> None:
    record = workspace.run_answer(Answer("python", "import time\nprint('begun')\ntime.sleep(60)"), 1.0)
    assert (record.outcome, record.output_tail) == ("running_at_limit", "begun")
    assert sorted(os.listdir(workspace.root)) == ["examples", "notes.txt", "train.py"]


@pytest.mark.parametrize("workdir", ["nosuch", "..", "/", "train.py", "a\0"])
@pytest.mark.parametrize("language", ["bash", "python"])
def test_a_folder_that_is_none(workspace: Workspace, workdir: str, language: Language) -> None:
    with pytest.raises(ToolError):
        workspace.run_answer(Answer(language, "pass", workdir), 10)


@pytest.mark.parametrize("code", ["a\0b", "\ud800", "x" * 300_000])
def test_code_that_cannot_be_run(workspace: Workspace, code: str) -> None:
    with pytest.raises(ToolError):
        workspace.run_answer(Answer("bash", code), 10)


def test_python_code_that_is_no_text(workspace: Workspace) -> None:
    with pytest.raises(ToolError):
        workspace.run_answer(Answer("python", "print('\ud800')"), 10)
    assert workspace.made() == ()
    assert workspace.run_answer(Answer("python", "a\0b"), 10).outcome == "failed"


def test_a_file_with_the_name_of_the_answer_stays(workspace: Workspace) -> None:
    (workspace.root / ".ml_agent_answer.py").symlink_to("notes.txt")
    assert workspace.run_answer(Answer("python", "print('ran')"), 20).output_tail == "ran"
    assert (workspace.root / "notes.txt").read_text() == "old\n"


def test_what_a_run_does_to_hinder_removal(workspace: Workspace) -> None:
    code = "mkdir -p a/b && touch a/b/c && chmod 000 a/b a && ln -s / root && mkfifo fifo && chmod 000 ."
    assert workspace.run_answer(Answer("bash", code), 20).outcome == "completed"


def test_resolve(workspace: Workspace, repository: Path) -> None:
    assert workspace.resolve("train.py") == repository / "train.py"
    assert workspace.resolve(".") == repository
    root = workspace.root
    assert workspace.resolve("./examples/../train.py") == root / "train.py"
    assert workspace.resolve("nosuch") == root / "nosuch"
    (root / "out").symlink_to("/etc")
    for path in ("..", "../x", "/etc", "examples/../../x", "out/passwd", "a\0b", "x" * 5000):
        with pytest.raises(ToolError):
            workspace.resolve(path)


def test_keep(workspace: Workspace, repository: Path, tmp_path: Path) -> None:
    workspace.run_answer(
        Answer("bash", "mkdir -p out; echo 1 > out/log; echo 2 > notes.txt; ln -s /etc/passwd leak; ln -s /etc out/etc"), 20
    )
    place = tmp_path / "kept" / "here"
    workspace.keep(place)
    assert {str(path.relative_to(place)): path.read_text() for path in place.rglob("*") if path.is_file()} == {
        "out/log": "1\n",
        "notes.txt": "2\n",
    }
    assert not [path for path in place.rglob("*") if path.is_symlink()]
    workspace.keep(place)
    (tmp_path / "file").touch()
    for bad in (tmp_path / "file", repository, repository / "out"):
        with pytest.raises(UsageError):
            workspace.keep(bad)


def test_keep_does_not_fill_the_disk_with_holes(workspace: Workspace, tmp_path: Path) -> None:
    workspace.run_answer(Answer("bash", "truncate -s 15T holes"), 20)
    workspace.keep(tmp_path / "kept")
    status = (tmp_path / "kept" / "holes").stat()
    assert (status.st_size, status.st_blocks) == (15 << 40, 0)


def test_large_data_is_shown(workspace: Workspace, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "FILE_BYTES", 1000)
    (repository / "data.bin").write_bytes(b"d" * 2000)
    os.utime(repository / "data.bin", (5, 5))
    try:
        assert workspace.run_answer(Answer("bash", "wc -c < data.bin"), 20).output_tail.strip() == "2000"
        assert workspace.made() == ()
        assert workspace.resolve("data.bin") == repository / "data.bin"
        if workspace._options.sandbox != "local":
            assert workspace.run_answer(Answer("bash", "echo x >> data.bin"), 20).outcome == "failed"
    finally:
        (repository / "data.bin").unlink()


def test_none_runs_nothing_and_copies_nothing(repository: Path, scratch: Path) -> None:
    with Workspace(repository, Options(sandbox="none", python="/nosuch")) as workspace:
        languages: tuple[Language, ...] = ("bash", "python")
        for language in languages:
            record = workspace.run_answer(Answer(language, "touch x"), 5)
            assert record.outcome == "not_run"
            assert record.reason
        assert workspace.made() == ()
        assert list(scratch.iterdir()) == []


def test_bad_input(tmp_path: Path, repository: Path) -> None:
    for place in (tmp_path / "nosuch", repository / "train.py", Path("/")):
        with pytest.raises(UsageError):
            Workspace(place)
    with pytest.raises(UsageError, match="bubblewrap"):
        Workspace(repository, Options(sandbox="nosuch"))
    with Workspace(repository, Options(sandbox="local", python="/nosuch")) as workspace, pytest.raises(UsageError):
        workspace.run(["true"], timeout=5)


@pytest.mark.bubblewrap
def test_auto_runs_where_bubblewrap_does(repository: Path) -> None:
    with Workspace(repository) as workspace:
        record = workspace.run_answer(Answer("bash", "pwd"), 20)
        assert (record.outcome, record.output_tail) == ("completed", str(repository))


def test_auto_without_bubblewrap_runs_nothing(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nosuch.sock")
    with Workspace(repository) as workspace:
        record = workspace.run_answer(Answer("bash", "touch x"), 20)
        assert record.outcome == "not_run"
        assert "apt-get install bubblewrap" in str(record.reason)
        assert workspace.made() == ()


@pytest.mark.parametrize("sandbox_name", KINDS)
def test_the_users_data_is_shown(repository: Path, tmp_path: Path, sandbox_name: str) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "bird.txt").write_text("tweet")
    options = Options(sandbox_name, python=sys.executable, data=(f"{tmp_path / 'pictures'}:data/birds",))
    with Workspace(repository, options) as workspace:
        assert workspace.resolve("data/birds/bird.txt").read_text() == "tweet"
        assert workspace.run_answer(Answer("bash", "cat data/birds/bird.txt"), 20).output_tail == "tweet"
        assert workspace.resolve("data/birds/bird.txt") == tmp_path / "pictures" / "bird.txt"
        if sandbox_name != "local":
            assert "Read-only" in workspace.run_answer(Answer("bash", "touch data/birds/x"), 20).output_tail
        assert workspace.made() == ()
        with pytest.raises(ToolError):
            workspace.resolve("data/birds/../../../secret")
    assert not (repository / "data").exists()
