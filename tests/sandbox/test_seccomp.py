"""The filter for system calls, as the kernel takes it."""

import errno
import os
from pathlib import Path

import pytest

from ml_agent.sandbox.bubblewrap import Bubblewrap
from ml_agent.sandbox.seccomp import make_filter
from tests.sandbox.support import SYSTEM

_NUMBERS = {
    "x86_64": {"add_key": 248, "keyctl": 250, "unshare": 272, "perf_event_open": 298, "setns": 308, "bpf": 321, "userfaultfd": 323},
    "aarch64": {"add_key": 217, "keyctl": 219, "unshare": 97, "perf_event_open": 241, "setns": 268, "bpf": 280, "userfaultfd": 282},
}


def test_a_machine_that_is_not_known_has_none() -> None:
    assert make_filter("vax") is None
    assert make_filter("aarch64") != make_filter("x86_64")


@pytest.mark.bubblewrap
def test_what_is_refused_and_what_is_not(tmp_path: Path) -> None:
    """Numbers that no kernel has are passed on, those of another interface are not: getpid is 39 on x86_64."""
    numbers = _NUMBERS.get(os.uname().machine)
    if numbers is None:
        pytest.skip("the numbers of its system calls are not known here")
    calls = {**numbers, "io_uring_setup": 425, "fsopen": 430, "none": 9999, "other interface": 0x40000000 + 39}
    code = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for name, number in {calls}.items():
    ctypes.set_errno(0)
    libc.syscall(number, 0, 0, 0, 0, 0, 0)
    print(name, ctypes.get_errno(), sep=":")
"""
    with Bubblewrap(tmp_path, SYSTEM) as sandbox:
        said = sandbox.exec(["python3", "-c", code], timeout=20).stdout
    found = {name: int(number) for name, number in (line.split(":") for line in said.splitlines())}
    assert found == {name: errno.ENOSYS if name in ("none", "other interface") else errno.EPERM for name in calls}
