"""Ask a Python interpreter about itself, without letting it import or run anything that is installed."""

import json
import os
import uuid
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ml_agent.errors import InfrastructureError, ToolError
from ml_agent.sandbox import process

_SECONDS = 10.0
# `site` is imported but not run: that would execute the lines of .pth files and sitecustomize.
_QUESTION = """
import json, os, sys
try:
    import site
    folders = site.getsitepackages()
    user = site.getusersitepackages()
except Exception:
    folders, user = [], ""
import sysconfig
print(json.dumps({
    "executable": sys.executable, "version": ".".join(map(str, sys.version_info[:3])), "prefix": sys.prefix,
    "base_prefix": getattr(sys, "base_prefix", sys.prefix), "base_exec_prefix": getattr(sys, "base_exec_prefix", sys.exec_prefix),
    "stdlib": [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")], "site": folders, "user_site": user or "",
    "library": os.path.join(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("LDLIBRARY") or ""),
}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """What a base interpreter said of itself; all paths absolute."""

    executable: str
    version: str
    base_prefix: str
    stdlib: tuple[str, ...]
    site_packages: tuple[str, ...]
    user_site: str
    library: str
    """Its shared library, or ''."""

    @property
    def minor(self) -> str:
        """`3.11` of `3.11.7`."""
        return ".".join(self.version.split(".")[:2])


@lru_cache(maxsize=64)
def ask(path: str, programs: str) -> Interpreter | str:
    """The interpreter at `path`, or in a few words why it is none. Kept for the life of this process.

    `programs`: its PATH, as what stands at `path` may be a script that looks for more. It starts in `/` with -I -S -E, so neither the
    working folder nor PYTHON* variables nor site-packages count.
    """
    try:
        finished = process.run(
            [path, "-I", "-S", "-E", "-c", _QUESTION],
            env={**os.environ, "PATH": programs},
            timeout=_SECONDS,
            mark=uuid.uuid4().hex,
            cwd=Path("/"),
            limit=1 << 16,
        )
    except (InfrastructureError, ToolError) as error:
        return f"it cannot be started ({error.__cause__ or error})"
    if finished.timed_out:
        return f"it did not answer within {_SECONDS:g} seconds"
    try:
        said = json.loads(finished.stdout.strip().splitlines()[-1])
        return Interpreter(
            executable=said["executable"] or path,
            version=said["version"],
            base_prefix=said["base_prefix"],
            stdlib=tuple(dict.fromkeys(said["stdlib"])),
            site_packages=tuple(said["site"]),
            user_site=said["user_site"],
            library=said["library"],
        )
    except (ValueError, IndexError, KeyError, TypeError):
        return "it is no Python 3"
