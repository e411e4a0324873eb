"""Remove a folder that untrusted code has written in."""

import os
import stat
from contextlib import suppress
from pathlib import Path


def remove_tree(folder: Path) -> list[str]:
    """Remove `folder` with all that is in it; the names of what could not be removed.

    Links are removed, never followed. Folders without permissions are opened up first. Each folder found is moved up
    next to its parent before it is emptied, so that no depth of nesting is too deep for a path or a stack.
    """
    failed: list[str] = []
    if folder.is_symlink() or not folder.exists():
        return failed
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    with suppress(OSError):
        folder.chmod(0o700)
    try:
        top = os.open(folder, flags)
    except OSError as error:
        return [str(error)]
    try:
        waiting = [""]
        count = 0
        while waiting:
            name = waiting.pop()
            try:
                current = os.open(name, flags, dir_fd=top) if name else os.dup(top)
            except OSError as error:
                failed.append(str(error))
                continue
            try:
                for entry in os.listdir(current):
                    try:
                        if stat.S_ISDIR(os.stat(entry, dir_fd=current, follow_symlinks=False).st_mode):
                            # Renaming a folder to another parent writes in it as well.
                            os.chmod(entry, 0o700, dir_fd=current)
                            count += 1
                            moved = f".removed-{os.getpid()}-{count}"
                            os.rename(entry, moved, src_dir_fd=current, dst_dir_fd=top)
                            waiting.append(moved)
                        else:
                            os.unlink(entry, dir_fd=current)
                    except OSError as error:
                        failed.append(str(error))
            finally:
                os.close(current)
            if name:
                with suppress(OSError):
                    os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    try:
        folder.rmdir()
    except OSError as error:
        failed.append(str(error))
    return failed
