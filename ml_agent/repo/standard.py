"""The standard library of a version of Python that is not this one."""

import sys

_ADDED = {"contextvars": 7, "dataclasses": 7, "graphlib": 9, "zoneinfo": 9, "tomllib": 11, "annotationlib": 14, "compression": 14}
_REMOVED = {
    "macpath": 8,
    "dummy_threading": 9,
    **dict.fromkeys(("formatter", "parser", "symbol"), 10),
    "binhex": 11,
    **dict.fromkeys(("asynchat", "asyncore", "distutils", "imp", "smtpd"), 12),
    **dict.fromkeys("aifc audioop cgi cgitb chunk crypt imghdr lib2to3 mailcap msilib nis nntplib ossaudiodev pipes".split(), 13),
    **dict.fromkeys("sndhdr spwd sunau telnetlib uu xdrlib".split(), 13),
}
"""Module -> the minor version of Python 3 that first has it, or first lacks it."""
_ALWAYS = frozenset({"__main__", "_typeshed", "antigravity", "this", "idlelib", "test"})


def standard_modules(version: str) -> frozenset[str]:
    """Top-level modules of Python `version`, such as `3.9.2`."""
    major, minor = (int(part) for part in [*version.split("."), "0"][:2])
    if major < 3:
        return frozenset(sys.stdlib_module_names)
    names = sys.stdlib_module_names | _ADDED.keys() | _REMOVED.keys() | _ALWAYS
    return frozenset(n for n in names if _ADDED.get(n, 0) <= minor < _REMOVED.get(n, 1_000))


def removed_in(module: str) -> str:
    """`3.12`, the version of Python that no longer has this module; empty if all have it, or none had."""
    return f"3.{_REMOVED[module]}" if module in _REMOVED else ""
