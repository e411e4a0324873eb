"""`python -m ml_agent` is `ml-agent`."""

import os
import sys
from contextlib import suppress


def _leave_the_working_folder() -> None:
    """`python -m` looks for modules, and for what distributions announce, in the working folder first: it may be a foreign repository."""
    with suppress(FileNotFoundError):  # it is gone, and so in no path
        if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:
            del sys.path[0]


if __name__ == "__main__":
    _leave_the_working_folder()

    from ml_agent.cli import main

    sys.exit(main())
