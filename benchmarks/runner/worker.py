"""A process that makes attempts: started as a program, it is told units on its input, one JSON object a line, and answers on its output.

The first line is the run's options. Whatever a policy does to its process, up to a crash, happens here. When its input ends, so does the
process, with all that it has started: the runner is gone, or has no more work.
"""

import json
import os
import queue
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import Any, TextIO

from ml_agent.benchmarks.codec import attempt_to_json
from ml_agent.benchmarks.runner.attempt import Attempts, DiskFull
from ml_agent.benchmarks.runner.options import RunOptions
from ml_agent.benchmarks.runner.wire import END_SECONDS, read_unit
from ml_agent.errors import Cancelled, InfrastructureError, UsageError
from ml_agent.interrupts import cancellable
from ml_agent.sandbox import tree


def _listen(source: TextIO, units: "queue.SimpleQueue[dict[str, Any] | None]") -> None:
    for line in source:
        units.put(json.loads(line))
    units.put(None)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_SECONDS)
    tree.kill(None, os.environ.get(tree.MARK, ""), seconds=1.0)  # all that bear the mark, but for this process
    os._exit(1)


def _answer(attempts: Attempts, value: dict[str, Any]) -> dict[str, Any]:
    try:
        attempt, cause = attempts.make(*read_unit(value))
    except UsageError as error:
        return {"refused": "usage", "message": str(error)}
    except DiskFull as error:
        return {"refused": "infrastructure", "message": str(error)}
    return {"attempt": attempt_to_json(attempt), "cause": cause}


def main() -> None:
    # Both are dup'ed where no child inherits them; what a policy prints or reads must not come between the lines.
    source = os.fdopen(os.dup(0), encoding="utf-8")
    target = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    units: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, units), daemon=True).start()
    with suppress(Cancelled, BrokenPipeError), cancellable():
        options = units.get()
        if options is None:
            return
        attempts = Attempts(RunOptions.from_json(options))
        try:
            while (value := units.get()) is not None:
                print(json.dumps(_answer(attempts, value)), file=target, flush=True)
        finally:
            attempts.close()


if __name__ == "__main__":
    sys.setswitchinterval(0.001)  # the listening thread is heard even while a policy computes
    try:
        main()
    except InfrastructureError as error:
        sys.exit(str(error))
