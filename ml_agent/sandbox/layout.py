"""The tree that a run sees, the same in every sandbox that shows one of its own: what of the system, which files, and what stands where."""

import os
from pathlib import Path

from ml_agent.sandbox.base import Mount

ID = "65534"
"""User and group that a run has inside, or that its files have for root outside."""
HOME = "/tmp/home"
HOST = "sandbox"
SYSTEM = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""Besides /usr: folders, or links into it."""
ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "alternatives", "mime.types", "services", "protocols")
"""What of /etc is shown; all of it is public."""
ETC_NETWORK = ("ssl", "pki", "ca-certificates", "crypto-policies")
"""What of /etc is shown as well to runs that have the network: the certificates that servers are known by."""
STORES = ("/nix/store", "/gnu/store")
MADE = {
    "/etc/passwd": f"root:x:0:0:root:/:/bin/sh\nnobody:x:{ID}:{ID}:nobody:{HOME}:/bin/sh\n",
    "/etc/group": f"root:x:0:\nnogroup:x:{ID}:\n",
    "/etc/hosts": f"127.0.0.1 localhost {HOST}\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
"""Files of our own: path -> text."""


def etc(network: bool) -> tuple[str, ...]:
    """The names in /etc that are shown, as paths."""
    return tuple(f"/etc/{name}" for name in (*ETC, *(ETC_NETWORK if network else ())))


def made(network: bool) -> dict[str, str]:
    """Our own files, path -> text. With the network, names are asked for as this machine does."""
    if not network:
        return MADE
    return {**MADE, "/etc/nsswitch.conf": MADE["/etc/nsswitch.conf"].replace("hosts: files", "hosts: files dns")}


def is_plain(workspace: Path, relative: str) -> bool:
    """Whether no link leads to that place: the sandbox makes what is missing there, and a run may have put a link that leads out."""
    here = workspace
    for part in relative.split("/"):
        here /= part
        if here.is_symlink():
            return False
    return True


def place(inside: str | None, workspace: Path) -> str:
    """Where to show the workspace: `inside`, unless it would hide a part of the system's tree."""
    fallback = f"/work/{workspace.name}"
    if inside is None:
        return fallback
    taken = ("/usr", "/proc", "/dev", "/etc", "/tmp", "/sys", HOME, *SYSTEM, *STORES)
    path = os.path.normpath(inside)
    if not path.startswith("/") or path == "/" or path in taken or path.startswith(("/proc/", "/dev/", "/sys/")):
        return fallback
    return path


def moved(mount: Mount, inside: str | None, root: str) -> Mount:
    if inside is None or inside == root or not mount.target.startswith(inside + "/"):
        return mount
    return Mount(mount.source, root + mount.target[len(inside) :])
