"""The image a container is made from: a bare tree of our own, or one that the user names.

Our own is a few kilobytes: folders, links and files such as /etc/passwd. The system's programs and libraries and the Environment are
mounted over it from this machine, read-only. So there is nothing to download, and the interpreter meets the very libraries that it was
built for. It is imported once, under a tag that is the hash of its content.
"""

import hashlib
import io
import os
import tarfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ml_agent.errors import SandboxUnavailable
from ml_agent.sandbox.common import quote
from ml_agent.sandbox.docker_engine import faults
from ml_agent.sandbox.docker_exec import Programs
from ml_agent.sandbox.docker_owner import LABEL
from ml_agent.sandbox.layout import SYSTEM, etc, made

if TYPE_CHECKING:
    from docker import APIClient

REPOSITORY = "ml-agent-base"
_FOLDERS = {"/tmp": 0o1777, "/run": 0o755, "/proc": 0o755, "/dev": 0o755, "/sys": 0o755, "/etc": 0o755, "/usr": 0o755}
# What an engine of one architecture runs as well, as it has it in its own words.
_RUNS = {"amd64": ("amd64", "386"), "arm64": ("arm64", "arm")}


def ensure_base(api: "APIClient", links: Mapping[str, str], user: str, *, network: bool = False) -> str:
    """The name of our own image with these symbolic links (path -> target), made if it is not there yet."""
    tree = _tree(links, user, network)
    tag = hashlib.sha256(tree).hexdigest()[:24]
    name = f"{REPOSITORY}:{tag}"
    from docker.errors import ImageNotFound

    with faults("make the image for runs", SandboxUnavailable):
        try:
            api.inspect_image(name)
        except ImageNotFound:
            api.import_image_from_data(tree, repository=REPOSITORY, tag=tag, changes=[f"LABEL {LABEL}=base"])
    return name


def _tree(links: Mapping[str, str], user: str, network: bool) -> bytes:
    """A tar archive, the same for the same content."""
    all_links = {path: os.readlink(path) for path in (*SYSTEM, *etc(network)) if os.path.islink(path)} | dict(links)
    buffer = io.BytesIO()
    # Names are bytes: those of a user's folders need not be text.
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT, errors="surrogateescape") as tree:
        for path, mode in _FOLDERS.items():
            tree.addfile(_entry(path, tarfile.DIRTYPE, mode))
        for path, text in made(network).items():
            if path == "/etc/passwd":
                text += f"user:x:{user}:user:/tmp/home:/bin/sh\n"
            data = text.encode()
            entry = _entry(path, tarfile.REGTYPE, 0o644)
            entry.size = len(data)
            tree.addfile(entry, io.BytesIO(data))
        for path, target in sorted(all_links.items()):
            entry = _entry(path, tarfile.SYMTYPE, 0o777)
            entry.linkname = target
            tree.addfile(entry)
    return buffer.getvalue()


def _entry(path: str, kind: bytes, mode: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(path.lstrip("/"))
    entry.type, entry.mode = kind, mode
    return entry


def check_image(api: "APIClient", name: str) -> dict[str, str]:
    """The variables that the user's image `name` sets. Raises SandboxUnavailable if it is not there or not for this machine."""
    from docker.errors import APIError, ImageNotFound

    with faults(f"look at the image {name}", SandboxUnavailable):
        try:
            image: dict[str, Any] = api.inspect_image(name)
        except ImageNotFound:
            raise SandboxUnavailable(f"the Docker engine has no image {name!r}: run `docker pull {name}`, or build it") from None
        except APIError as error:
            if error.status_code != 400:
                raise
            raise SandboxUnavailable(f"{name!r} is no name of an image: give one such as python:3.11") from None
        engine = str(api.version()["Arch"])
    built = str(image.get("Architecture") or engine)
    if built not in _RUNS.get(engine, (engine,)):
        raise SandboxUnavailable(f"the image {name!r} is for {built}, this engine runs {engine}: get it with `--platform linux/{engine}`")
    pairs = (entry.partition("=") for entry in (image.get("Config") or {}).get("Env") or ())
    return {key: value for key, _, value in pairs}


def probe(python: str) -> bytes:
    """A script that says what the user's image has, for `read_probe`."""
    return (
        b"{ echo; exec 2>/dev/null </dev/null\n"
        b"command -v env || echo; command -v timeout || echo\n"
        b"timeout -k 1.0 5.5 true && echo -k; " + quote(os.fsencode(python)) + b" -c 'import ctypes, ssl, zlib' && echo python\n"
        b"exit 0; }\n"
    )


def read_probe(said: str) -> tuple[Programs, bool]:
    """The image's programs, and whether that Python starts in it. Raises SandboxUnavailable if it lacks what is needed."""
    lines = [*said.splitlines(), "", ""]
    if not lines[0]:
        raise SandboxUnavailable("it has no env")
    return Programs(lines[0], lines[1] if "-k" in lines else None), "python" in lines
