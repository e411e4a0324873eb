"""Telling a failure of the answer from something that is missing here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.sandbox.base import ExecResult
from ml_agent.sandbox.outcome import TAIL_CHARACTERS, classify, judge, not_run, record


def ended(
    stderr: str = "", *, stdout: str = "", code: int | None = 1, signal: int | None = None, timed_out: bool = False, oom: bool = False
) -> ExecResult:
    return ExecResult(code, signal, stdout, stderr, 0, timed_out, oom, 1.5)


def raised(line: str, *frames: tuple[str, str]) -> str:
    shown = "".join(f'  File "{file}", line 3, in f\n    {code}\n' for file, code in frames or (("/r/train.py", "f()"),))
    return f"Traceback (most recent call last):\n{shown}{line}\n"


MISSING = {
    "ModuleNotFoundError: No module named 'torch'": "module torch",
    "ModuleNotFoundError: No module named 'sklearn.utils'": "module sklearn.utils",
    "ImportError: cannot import name 'container_abcs' from 'torch._six' (/p/site-packages/torch/_six.py)": "module torch._six",
    "ImportError: AutoModel requires the PyTorch library: pip install torch": "module torch",
    "ImportError: libGL.so.1: cannot open shared object file: No such file or directory": "library libGL.so.1",
    "OSError: libcuda.so.1: cannot open shared object file: No such file or directory": "GPU",
    "FileNotFoundError: [Errno 2] No such file or directory: 'data/x.csv'": "file data/x.csv",
    "FileNotFoundError: [Errno 2] Unable to open file (unable to open file: name = 'w.h5', errno = 2)": "file w.h5",
    "tensorflow.python.framework.errors_impl.NotFoundError: uncased/vocab.txt; No such file or directory": "file uncased/vocab.txt",
    "OSError: [E050] Can't find model 'en_core_web_sm'. It is no package": "file en_core_web_sm",
    "RuntimeError: Dataset not found. You can use download=True to download it": "data",
    "RuntimeError: Found no NVIDIA driver on your system. Please check": "GPU",
    "AssertionError: Torch not compiled with CUDA enabled": "GPU",
    "RuntimeError: No CUDA GPUs are available": "GPU",
    "socket.gaierror: [Errno -3] Temporary failure in name resolution": "network",
    "urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>": "network",
    "requests.exceptions.ConnectionError: Pool(host='example.org', port=443): Max retries exceeded": "network: example.org",
    "OSError: We couldn't connect to 'https://example.org' to load this file": "network: example.org",
    "OSError: [Errno 101] Network is unreachable": "network",
}


@pytest.mark.parametrize("line", MISSING)
def test_what_is_missing_is_named(line: str) -> None:
    assert classify(ended("epoch 1\n" + raised(line))) == ("environment", MISSING[line])


COMPLAINTS = {
    "bash: line 1: wget: command not found": (127, "program wget"),
    "sh: 1: exec: nosuch: not found": (127, "program nosuch"),
    "./run.sh: line 3: ffmpeg: command not found": (127, "program ffmpeg"),
    "./run.sh: 3: ffmpeg: not found": (127, "program ffmpeg"),
    "/usr/bin/env: ‘python3.6’: No such file or directory": (127, "program python3.6"),
    "./tool: error while loading shared libraries: libfoo.so.2: cannot open shared object file: No such file or directory": (
        127,
        "library libfoo.so.2",
    ),
    "wget: unable to resolve host address ‘example.org’": (4, "network: example.org"),
    "curl: (6) Could not resolve host: example.org": (6, "network: example.org"),
    "/usr/bin/python: No module named pytest": (1, "module pytest"),
    "/p/python: Error while finding module specification for 'a.b' (ModuleNotFoundError: No module named 'a')": (1, "module a"),
}


@pytest.mark.parametrize("line", COMPLAINTS)
def test_what_a_shell_or_a_tool_complains_of(line: str) -> None:
    code, missing = COMPLAINTS[line]
    assert classify(ended(line + "\n", code=code)) == ("environment", missing)


def test_pip_without_a_network() -> None:
    text = (
        "WARNING: Retrying after 'NewConnectionError('<...>: Failed to establish a new connection: [Errno -3]')': /simple/x/\n"
        "ERROR: Could not find a version that satisfies the requirement x (from versions: none)\n"
        "ERROR: No matching distribution found for x\n"
    )
    assert classify(ended(text)) == ("environment", "network")


FAILURES = [
    "ValueError: No module in the list",
    "KeyError: 'torch'",
    "FileNotFoundError: [Errno 2] No such file or directory: 'train.py'",
    "RuntimeError: size mismatch",
    "AttributeError: module 'torch' has no attribute 'x'",
    "PermissionError: [Errno 13] Permission denied: 'x'",
    "OSError: [Errno 30] Read-only file system: '/x'",
]


@pytest.mark.parametrize("line", FAILURES)
def test_a_failure_of_its_own(line: str) -> None:
    assert judge(ended(raised(line))) == ("failed", line, None, None)


EXHAUSTED = {
    "RuntimeError: CUDA out of memory. Tried to allocate 2 GiB": "memory",
    "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 2 TiB for an array": "memory",
    "MemoryError": "memory",
    "RuntimeError: [enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried 4 bytes": "memory",
    "OSError: [Errno 28] No space left on device": "disk",
    "OSError: [Errno 122] Disk quota exceeded: 'x.ckpt'": "disk",
    "RuntimeError: can't start new thread": "processes",
    "BlockingIOError: [Errno 11] Resource temporarily unavailable": "processes",
}


@pytest.mark.parametrize("line", EXHAUSTED)
def test_what_there_was_too_little_of(line: str) -> None:
    assert judge(ended("epoch 1\n" + raised(line))) == ("failed", line, None, EXHAUSTED[line])
    assert record(ended(f"{line}\n" + raised("KeyError: 'x'"))).exhausted is None  # what is merely printed decides nothing


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("bash: fork: retry: Resource temporarily unavailable", "processes"),
        ("./run.sh: 3: Cannot fork", "processes"),
        ("dd: error writing '/tmp/x': No space left on device", "disk"),
        ("terminate called after throwing an instance of 'std::bad_alloc'", "memory"),
    ],
)
def test_what_programs_other_than_python_say_of_it(line: str, what: str) -> None:
    assert judge(ended(line + "\n")).exhausted == what


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("usage: train.py [-h] [--lr LR]\ntrain.py: error: unrecognized arguments: --nosuch", 2),
        ("python: can't open file '/r/nosuch.py': [Errno 2] No such file or directory", 2),
        ("bash: line 1: ./nosuch.sh: No such file or directory", 127),
        ("bash: line 1: ./x.sh: Permission denied", 126),
        ("bash: -c: line 1: syntax error near unexpected token `('", 2),
        ("", 1),
    ],
)
def test_a_wrong_answer_is_a_failure(text: str, code: int) -> None:
    outcome, reason, missing, _ = judge(ended(text, code=code))
    assert (outcome, missing) == ("failed", None)
    assert reason


def test_a_module_or_file_that_the_repository_holds_is_a_failure() -> None:
    module = ended(raised("ModuleNotFoundError: No module named 'utils.data'"))
    assert classify(module, holds_module=lambda name: name == "utils.data") == ("failed", None)
    file = ended(raised("FileNotFoundError: [Errno 2] No such file or directory: 'conf/a.yaml'"))
    assert classify(file, holds_file=lambda path: path == "conf/a.yaml") == ("failed", None)
    assert classify(file) == ("environment", "file conf/a.yaml")


@pytest.mark.parametrize("code", ["open('out/log.txt', 'w')", "torch.save(x, path)", "frame.to_csv(path)"])
def test_a_folder_for_output_is_the_answers_to_make(code: str) -> None:
    text = raised("FileNotFoundError: [Errno 2] No such file or directory: 'out/log.txt'", ("/r/train.py", code))
    assert classify(ended(text)) == ("failed", None)


def test_a_program_that_python_cannot_start() -> None:
    text = raised(
        "FileNotFoundError: [Errno 2] No such file or directory: 'ffmpeg'",
        ("/r/x.py", "subprocess.run(['ffmpeg'])"),
        ("/usr/lib/python3.11/subprocess.py", "raise child_exception_type(errno_num, err_msg, err_filename)"),
    )
    assert classify(ended(text)) == ("environment", "program ffmpeg")


def test_text_that_is_printed_decides_nothing() -> None:
    text = raised("ModuleNotFoundError: No module named 'torch'")
    assert classify(ended(text, code=0)) == ("completed", None)
    assert classify(ended(text + "falling back\nstep 1\nstep 2\nstep 3\nloss is nan\n")) == ("failed", None)
    assert classify(ended(text + raised("ValueError: real"))) == ("failed", None)
    assert classify(ended("", stdout="bash: line 1: wget: command not found\n" + "x\n" * 20)) == ("failed", None)
    assert classify(ended(text + "usage: x\nx: error: bad\n", code=2)) == ("failed", None)


def test_a_chain_of_exceptions_ends_with_the_last() -> None:
    first = raised("ModuleNotFoundError: No module named 'faiss'")
    then = "\nDuring handling of the above exception, another exception occurred:\n\n"
    assert classify(ended(first + then + raised("ImportError: the index needs an extra"))) == ("environment", "module faiss")
    assert classify(ended(first + then + raised("ValueError: no index"))) == ("failed", None)
    resolved = raised("socket.gaierror: [Errno -2] Name or service not known")
    assert classify(ended(resolved + then + raised("requests.exceptions.ConnectionError: (host='example.org')"))) == (
        "environment",
        "network: example.org",
    )


def test_the_worker_counts_not_its_launcher() -> None:
    text = (
        raised("[rank0]: nothing")
        + raised("ModuleNotFoundError: No module named 'apex'")
        + raised("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ")
        + "=====\ntrain.py FAILED\n-----\nRoot Cause:\n  rank : 0\n  exitcode : 1\n====="
    )
    assert classify(ended(text)) == ("environment", "module apex")


def test_limits_and_signals() -> None:
    assert classify(ended(code=None, signal=15, timed_out=True)) == ("running_at_limit", None)
    outcome, reason, missing, exhausted = judge(ended(code=None, signal=9, oom=True))
    assert (outcome, missing, exhausted) == ("failed", None, "memory")
    assert "memory" in str(reason)
    assert judge(ended(code=None, signal=11)) == ("failed", "ended by SIGSEGV", None, None)


def test_the_record() -> None:
    made = record(ended("no\n", stdout="x" * 9000), ("a", "b"))
    assert len(made.output_tail) <= TAIL_CHARACTERS
    assert made.output_tail.endswith("x\nno")
    assert (made.made, made.seconds, made.exit_code, made.reason) == (("a", "b"), 1.5, 1, "no")
    assert record(ended("e" * 9000, stdout="o" * 9000)).output_tail.count("o") >= TAIL_CHARACTERS // 2 - 1
    assert record(ended("e" * 9000)).output_tail == "e" * TAIL_CHARACTERS
    assert not_run("why").outcome == "not_run"
    assert len(record(ended(), tuple(map(str, range(5000)))).made) == 1000


@given(st.text(), st.text(), st.sampled_from([0, 1, 2, 127, None]))
def test_any_text_has_an_outcome(stdout: str, stderr: str, code: int | None) -> None:
    made = record(ended(stderr, stdout=stdout, code=code, signal=None if code is not None else 9))
    assert (made.outcome == "environment") == (made.missing is not None)
    assert (made.outcome == "completed") == (code == 0)
    assert len(made.output_tail) <= TAIL_CHARACTERS


@pytest.mark.timeout(10)
@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "Traceback (most recent call last):\n" * 20_000,
        raised("E: " + "'" * 500_000),
        "open(" * 200_000,
        "a." * 300_000 + " not found",
    ],
)
def test_long_text_takes_no_time(text: str) -> None:
    record(ended(text))
