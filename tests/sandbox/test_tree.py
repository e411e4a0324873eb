"""Finding the processes of a run without a control group."""

import os
import subprocess
import uuid
from pathlib import Path

from ml_agent.sandbox import tree
from tests.sandbox.support import token, wait_until_gone, wait_until_there


def test_an_orphan_of_its_own_session_is_found_by_its_mark() -> None:
    word, mark = token(), uuid.uuid4().hex
    code = "(setsid bash -c '(exec -a $WORD sleep 1000) &' &)"  # so that no shell on the way has the word on its command line
    subprocess.run(["bash", "-c", code], env={**os.environ, tree.MARK: mark, "WORD": word}, check=True)
    (orphan,) = wait_until_there(word, accept=1)
    assert orphan in tree.find(None, mark)
    assert orphan not in tree.find(None, uuid.uuid4().hex)
    assert tree.kill(None, mark)
    assert wait_until_gone(word, 1.0) == []


def test_generations_are_counted_from_the_top() -> None:
    word, mark = token(), uuid.uuid4().hex
    process = subprocess.Popen(["bash", "-c", f"bash -c '(exec -a {word} sleep 1000); :'; :"], env={**os.environ, tree.MARK: mark})
    try:
        while not [pid for pid in wait_until_there(word) if Path(f"/proc/{pid}/cmdline").read_text().startswith(word)]:
            pass
        found = tree.find(process.pid, mark)
        assert found[process.pid] == 0
        assert sorted(found.values())[:3] == [0, 1, 2]
        assert os.getpid() not in found
        tree.ask_to_end(process.pid, mark, keepers=1)
        assert process.wait(5) == 0, "the first generation was spared, and went on to its end"
    finally:
        tree.kill(process.pid, mark)
        process.wait()


def test_a_foreign_process_is_left_alone() -> None:
    other = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    try:
        assert tree.kill(None, uuid.uuid4().hex)
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()
