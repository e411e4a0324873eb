"""A process that reads files for another one: started as a program, it is told paths on its input and answers on its output.

What a grammar does to a file, up to a crash, a hang or all memory, happens here and not in the process that asked. See pool.py.

Frames go both ways: four bytes of length, big-endian, then that many bytes of marshal. In: a tuple of paths. Out: for each path in turn
(fault, value); the fault is None, or why there is no value. Before that, None: it is ready. A text says why this process cannot go on.
What all workers are given is in a file that is open.
"""

import gc
import marshal
import os
import resource
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import IO, Any, BinaryIO

from ml_agent.errors import InfrastructureError
from ml_agent.repo.files import FileTable

MEMORY_BYTES = 2 << 30


def read_frame(stream: BinaryIO) -> Any:
    """The next value; None at the end."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    data = stream.read(int.from_bytes(head, "big"))
    return marshal.loads(data)  # noqa: S302 - from the process that started this one


def frame(value: Any) -> bytes:
    data = marshal.dumps(value)
    return len(data).to_bytes(4, "big") + data


def lend(value: Any, file: IO[bytes]) -> None:
    """Write a value that marshal takes, for processes that have this file open as well."""
    file.write(marshal.dumps(value))
    file.flush()


def lent(number: int) -> Any:
    """What was written into a file that others read too, so that its position says nothing."""
    return marshal.loads(os.pread(number, os.fstat(number).st_size, 0))  # noqa: S302 - from the process that started this one


def main() -> None:
    """Arguments: `module:function` of (FileTable, path) -> what marshal takes, and the repository's root.

    With a third, the number of an open file with a value in it: `module:function` of (root, value) -> function of path.
    """
    module, _, name = sys.argv[1].partition(":")
    root = Path(os.fsdecode(os.fsencode(sys.argv[2])))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES if hard < 0 else min(MEMORY_BYTES, hard), hard))
    made = getattr(import_module(module), name)
    read = made(root, lent(int(sys.argv[3]))) if len(sys.argv) > 3 else partial(made, FileTable(root, cache_bytes=0))
    gc.freeze()
    gc.disable()  # readers make much that holds no circles; the others are looked for between two batches
    source, target = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else prints must not come between the frames
    target.write(frame(None))
    target.flush()
    while (paths := read_frame(source)) is not None:
        for path in paths:
            try:
                answer: object = (None, read(path))
            except InfrastructureError as error:
                answer = str(error)
            except Exception as error:  # noqa: BLE001 - whatever a file makes of its reader is that file's matter, and said
                answer = (f"{type(error).__name__}: {error}", None)
            target.write(frame(answer))
            target.flush()
        gc.collect(1)


if __name__ == "__main__":
    main()
