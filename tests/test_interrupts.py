"""Signals go to the process, so each case is one."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest


def start(code: str) -> "subprocess.Popen[str]":
    head = (
        "import os, signal, sys, time\n"
        "from ml_agent.errors import Cancelled, LimitReached\n"
        "from ml_agent.interrupts import cancellable, deadline\n"
    )
    command = [sys.executable, "-c", head + textwrap.dedent(code)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def outcome(code: str) -> str:
    out, err = start(code).communicate(timeout=20)
    return out + err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_becomes_cancelled_and_everything_is_cleaned(number: signal.Signals) -> None:
    process = start(
        """
        try:
            with cancellable():
                try:
                    print("ready", flush=True)
                    time.sleep(30)
                finally:
                    time.sleep(0.3)  # a second signal meets the cleaning up
                    print("cleaned", flush=True)
        except Cancelled as error:
            print(error)
        """
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    time.sleep(0.1)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert out == f"cleaned\n{number.name}\n"
    assert "cleaning up" in err
    assert process.returncode == 0


def test_a_third_signal_ends_it_at_once() -> None:
    process = start(
        """
        with cancellable():
            try:
                print("ready", flush=True)
                time.sleep(30)
            finally:
                time.sleep(30)
        """
    )
    assert process.stdout is not None
    process.stdout.readline()
    for _ in range(3):
        process.send_signal(signal.SIGTERM)
        time.sleep(0.2)
    process.communicate(timeout=10)
    assert process.returncode == -signal.SIGTERM


def test_what_is_ignored_stays_ignored() -> None:
    """As under nohup."""
    code = """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with cancellable():
        os.kill(os.getpid(), signal.SIGHUP)
        print("still here")
    """
    assert outcome(code) == "still here\n"


def test_handlers_are_put_back() -> None:
    code = """
    before = signal.getsignal(signal.SIGINT)
    with cancellable():
        assert signal.getsignal(signal.SIGINT) is not before
    print(signal.getsignal(signal.SIGINT) is before)
    """
    assert outcome(code) == "True\n"


def test_a_deadline_interrupts_work_that_looks_at_no_clock() -> None:
    code = """
    start = time.monotonic()
    try:
        with deadline(0.2):
            while True:
                sum(range(1000))
    except LimitReached as error:
        print(error.limit, time.monotonic() - start < 2)
    time.sleep(0.3)
    """
    assert outcome(code) == "seconds True\n"


def test_a_deadline_that_is_met_leaves_nothing_behind() -> None:
    code = """
    with deadline(0.2):
        pass
    time.sleep(0.4)
    print(signal.getsignal(signal.SIGALRM) is signal.SIG_DFL)
    """
    assert outcome(code) == "True\n"


@pytest.mark.parametrize("case", ["signal.setitimer(signal.ITIMER_REAL, 5)", "seconds = float('inf')"])
def test_a_deadline_gives_way(case: str) -> None:
    code = f"""
    seconds = 0.1
    {case}
    with deadline(seconds):
        time.sleep(0.4)
    print("not interrupted", signal.getitimer(signal.ITIMER_REAL)[0] > 0)
    """
    assert outcome(code).startswith("not interrupted")


def test_elsewhere_than_in_the_main_thread_nothing_is_set() -> None:
    code = """
    import threading
    def work():
        with deadline(0.1):
            time.sleep(0.4)
        print("done")
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    """
    assert outcome(code) == "done\n"


def test_a_deadline_that_is_swallowed_comes_again() -> None:
    code = """
    def swallow():
        try:
            while True:
                sum(range(1000))
        except Exception:
            return "swallowed"
    try:
        with deadline(0.2):
            print(swallow())
            while True:
                sum(range(1000))
    except LimitReached:
        print("once more")
    """
    assert outcome(code) == "swallowed\nonce more\n"


def test_a_deadline_does_not_disturb_what_cleans_up() -> None:
    code = """
    try:
        with deadline(0.2):
            try:
                while True:
                    sum(range(1000))
            finally:
                end = time.monotonic() + 2.5
                while time.monotonic() < end:
                    sum(range(1000))
                print("cleaned")
    except LimitReached:
        print("over")
    """
    assert outcome(code) == "cleaned\nover\n"


def test_elsewhere_than_in_the_main_thread_signals_are_left_alone() -> None:
    code = """
    import threading
    def work():
        with cancellable():
            print("working")
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    """
    assert outcome(code) == "working\n"
