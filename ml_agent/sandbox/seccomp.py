"""A filter for system calls that no program of a repository needs and that reach past namespaces, for bubblewrap's `--seccomp`.

The kernel's key rings above all: no namespace hides those of the caller's session. The rest are large, hard to keep free of faults, and
of use to a run only in breaking out. What is refused ends with EPERM, as under Docker's own profile.
"""

import errno
import os
import struct

# linux/audit.h's name of an architecture, and the numbers that its calls have; those from 424 on are the same everywhere.
_EVERYWHERE = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
}
_MACHINES: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        {
            "pivot_root": 155,
            "mount": 165,
            "umount2": 166,
            "add_key": 248,
            "request_key": 249,
            "keyctl": 250,
            "unshare": 272,
            "perf_event_open": 298,
            "open_by_handle_at": 304,
            "setns": 308,
            "bpf": 321,
            "userfaultfd": 323,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "umount2": 39,
            "mount": 40,
            "pivot_root": 41,
            "unshare": 97,
            "add_key": 217,
            "request_key": 218,
            "keyctl": 219,
            "perf_event_open": 241,
            "open_by_handle_at": 265,
            "setns": 268,
            "bpf": 280,
            "userfaultfd": 282,
        },
    ),
}
_X32 = 0x40000000
"""From this number on the calls of x86_64 are those of another interface, which the list would miss."""
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # of classic BPF
_NUMBER_AT, _MACHINE_AT = 0, 4  # in struct seccomp_data
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000


def make_filter(machine: str | None = None) -> bytes | None:
    """The program, as an array of `struct sock_filter`; None for a machine (this one by default) whose numbers are not known."""
    known = _MACHINES.get(machine or os.uname().machine)
    if known is None:
        return None
    name, own = known
    numbers = sorted((own | _EVERYWHERE).values())
    # Jumps count from the step after. Calls of another architecture or interface do not exist; those of the list are forbidden.
    steps: list[tuple[int, int, int, int]] = [(_LOAD, 0, 0, _MACHINE_AT), (_EQUAL, 1, 0, name), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
    steps += [(_LOAD, 0, 0, _NUMBER_AT), (_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]
    steps += [(_EQUAL, len(numbers) - place, 0, number) for place, number in enumerate(numbers)]
    steps += [(_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE | errno.EPERM)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
