import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent import config, inputs
from ml_agent.errors import UsageError
from tests.commandline import environment


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\x00", "\x1b\x07", "\u200b", "\udcff"])
def test_a_task_without_words_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="the task is empty"):
        inputs.check_instruction(text)


@pytest.mark.parametrize("text", ["...", "🚀🔥", "--"])
def test_a_task_of_signs_is_not_called_empty(text: str) -> None:
    with pytest.raises(UsageError, match="the task holds no words"):
        inputs.check_instruction(text)


def test_a_task_may_be_long_but_not_a_file() -> None:
    assert len(inputs.check_instruction("x" * config.INSTRUCTION_CHARACTERS)) == config.INSTRUCTION_CHARACTERS
    with pytest.raises(UsageError, match="1,000,000 characters"):
        inputs.check_instruction("x" * 1_000_000)


def test_controls_leave_a_task_and_words_stay() -> None:
    assert (
        inputs.check_instruction(" train\x00 the\x1b[31m model\nfor 3 epochs\udcff 日本語 ")
        == "train  the [31m model\nfor 3 epochs  日本語"
    )


@given(st.text(max_size=200))
def test_an_instruction_is_refused_or_encodable(text: str) -> None:
    try:
        clean = inputs.check_instruction(text)
    except UsageError:
        assert not any(c.isalnum() for c in text)
        return
    clean.encode("utf-8")
    assert inputs.check_instruction(clean) == clean


def test_repositories_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    empty, unborn, bare = tmp_path / "empty", tmp_path / "unborn", tmp_path / "bare"
    empty.mkdir()
    (unborn / ".git").mkdir(parents=True)
    for name in ("objects", "refs"):
        (bare / name).mkdir(parents=True)
    (bare / "HEAD").write_text("ref: refs/heads/main\n")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    cases: dict[str | Path, str] = {
        tmp_path / "nowhere": "no such folder",
        file: "is a file",
        empty: "is empty",
        unborn: "nothing but .git",
        bare: "bare git repository",
        loop: "cannot read the folder",
        "a\x00b": "cannot read the folder",
        "x" * 5000: "cannot read the folder",
        file / "below": "is a file",
    }
    for path, message in cases.items():
        with pytest.raises(UsageError, match=message) as caught:
            inputs.check_repository(path)
        assert "\n" not in str(caught.value)


def test_a_repository_is_absolute_and_links_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "train.py").write_text("")
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    assert inputs.check_repository("link") == tmp_path.resolve() / "real"


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf])
def test_time_limits_that_are_none(seconds: float) -> None:
    with pytest.raises(UsageError, match="above zero"):
        inputs.check_time_limit(seconds)


def test_time_limits() -> None:
    assert inputs.check_time_limit(0.5) == 0.5
    assert inputs.check_time_limit(86_400) == 86_400


def test_an_output_folder_is_new_or_empty(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    repository = tmp_path / "repository"
    assert inputs.check_output(tmp_path / "new" / "deep", repository) == tmp_path / "new" / "deep"
    assert inputs.check_output(tmp_path / "empty", repository) == tmp_path / "empty"
    cases = {
        tmp_path: "not empty",
        tmp_path / "file": "is a file",
        tmp_path / "file" / "x": "is a file",
        repository / "out": "stands in the repository",
        tmp_path / "empty" / ".." / "repository": "stands in the repository",
        Path("a\0b"): "cannot use",
    }
    for path, message in cases.items():
        with pytest.raises(UsageError, match=message):
            inputs.check_output(path, repository)


def test_a_trajectory_is_a_new_file(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("")
    assert inputs.check_trajectory(tmp_path / "new") == tmp_path / "new"
    with pytest.raises(UsageError, match="is there already"):
        inputs.check_trajectory(tmp_path / "old")


@pytest.mark.parametrize("code", ["", " \n", "x" * (config.CODE_CHARACTERS + 1)])
def test_code_that_is_none(code: str) -> None:
    with pytest.raises(UsageError):
        inputs.check_code(code)


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("python train.py --lr 0.1", "bash"),
        ("cd x && ./run.sh", "bash"),
        ("ls", "bash"),
        ("LR=1", "bash"),
        ("for x in 1 2; do python a.py; done", "bash"),
        ("import torch", "python"),
        ("from a import b\nb(1)", "python"),
        ("fit(model, epochs=3)", "python"),
        ("python\x00", "bash"),
        ("(" * 50_000, "bash"),
        ("-" * 50_000 + "1", "bash"),
        ("a" + ".b" * 50_000, "bash"),
        ("1" + "+1" * 100_000, "bash"),
    ],
)
def test_the_language_of_code(code: str, language: str) -> None:
    assert inputs.guess_language(code) == language


def test_unreadable_folder_is_said(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root reads everything")
    (tmp_path / "closed").mkdir(mode=0o000)
    with pytest.raises(UsageError, match="Permission denied"):
        inputs.check_repository(tmp_path / "closed")


def test_an_output_folder_is_tried(tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    (tmp_path / "dangling").symlink_to("nowhere")
    cases: dict[str | Path, str] = {
        Path("/proc/x/y"): "cannot use",
        Path("/proc/self"): "is not empty",
        tmp_path / "dangling": "is a link to nothing",
        tmp_path / "dangling" / "x": "is a link to nothing",
        "": "is empty: give a path",
    }
    for path, message in cases.items():
        with pytest.raises(UsageError, match=message):
            inputs.check_output(path, repository)
    inputs.check_output(tmp_path / "a" / "b" / "c", repository)
    (tmp_path / "there").mkdir()
    inputs.check_output(tmp_path / "there", repository)
    assert {path.name for path in tmp_path.rglob("*")} == {"dangling", "there"}, "trying left something behind"


def test_an_output_folder_where_one_may_not_write() -> None:
    """Tried by a user, whom permissions bind also if the tests are root's."""
    code = """if True:
        import os, sys, tempfile
        from pathlib import Path
        from ml_agent import inputs
        from ml_agent.errors import UsageError
        if os.geteuid() == 0:
            os.seteuid(65534)
        for path in ("", "/new"):
            try:
                inputs.check_output(sys.argv[1] + path, Path("/repository"))
            except UsageError as error:
                print(error)
    """
    with tempfile.TemporaryDirectory() as closed:
        Path(closed).chmod(0o555)
        done = subprocess.run([sys.executable, "-c", code, closed], capture_output=True, text=True, env=environment())
    assert done.stdout.count("Permission denied") == 2, done.stdout + done.stderr


def test_code_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, here = tmp_path / "repository", tmp_path / "here"
    for folder in (repository, here):
        folder.mkdir()
        (folder / "both.py").write_text("")
    (repository / "theirs.py").write_text("")
    monkeypatch.chdir(here)
    words = ["both.py", "theirs.py", "./theirs.py", "nowhere.py", "python both.py", "both", str(repository / "theirs.py")]
    found = [inputs.code_file(word, repository) for word in words]
    assert found == [Path("both.py"), None, None, Path("nowhere.py"), None, None, repository / "theirs.py"]
    with pytest.raises(UsageError, match="No such file"):
        inputs.read_code(Path("nowhere.py"))
    (here / "latin.py").write_bytes(b"x = '\xe9'")
    with pytest.raises(UsageError, match="not UTF-8"):
        inputs.read_code(Path("latin.py"))
    with pytest.raises(UsageError, match="cannot read"):
        inputs.read_code(Path("a\0.py"))
