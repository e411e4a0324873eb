"""What a machine lacks, told from the last words of a failed program."""

import re
from collections.abc import Callable

from ml_agent.sandbox.last_words import LastWords

Holds = Callable[[str], bool]
"""Whether the repository itself holds the module of that dotted name, or the file of that path: then nothing is missing."""


def _any(*patterns: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile("|".join(patterns), flags)


_MODULE = re.compile(r"No module named '?([\w.]+)'?")
_MODULE_NAME = re.compile(r"cannot import name '(\w+)' from (?:partially initialized module )?'([\w.]+)'")
_INSTALL = re.compile(r"pip3? install (?:-\S+ )*['\"`]?([A-Za-z][\w.-]*)|['\"`]([A-Za-z][\w.-]*)['\"`]")
_LIBRARY = re.compile(r"([\w.+-]+\.so[\w.]*): cannot open shared object file")
_FILE = _any(
    r"\[Errno 2\][^']*'([^']+)'",
    r"([^\s;]+); No such file or directory",
    r"Can't find model '([^']+)'",
    r"[Uu]nable to open file[^']*'([^']+)'",
    r"([^\s:'\"]+\.\w{1,6}) (?:not found|does not exist)\.?$",
)
_GPU = _any(
    "no NVIDIA driver",
    "No CUDA GPUs are available",
    "not compiled with CUDA",
    "no CUDA-capable device",
    "CUDA driver version is insufficient",
    r"torch\.cuda\.is_available\(\) is False",
    "Device API (?:cuda|gpu) is not enabled",
    "CUDA (?:is )?not available",
    "Unable to initialize backend '(?:cuda|gpu|rocm)'",
    "NVML",
    "No GPUs? (?:is |are |was |were )?(?:found|available|detected)",
    r"cuda runtime error \((?:35|38|100)\)",
    flags=re.IGNORECASE,
)
_NETWORK = _any(
    "name resolution",
    "Name or service not known",
    "Network is unreachable",
    "No address associated",
    "NameResolutionError",
    "unable to resolve host",
    "Could not resolve host",
    "Failed to resolve",
    "Failed to establish a new connection",
    "No route to host",
    "couldn't connect to",
    "Max retries exceeded",
    flags=re.IGNORECASE,
)
_NETWORK_KINDS = frozenset({"URLError", "ConnectionError", "gaierror", "OSError", "LocalEntryNotFoundError", "HTTPError", "ConnectTimeout"})
_HOST = _any(
    "host='([^']+)'",
    r"https?://([^/\s:'\"]+)",
    r"resolve (?:host address|hostname|host):? [‘'\"]?([\w.-]+)",
    r"([\w.-]+): Name or service not known",
)
_PROGRAM = _any(
    r"^(?:\S*/)?(?:ba|da|z|)sh: (?:line )?\d+: (?:exec: )?([^:\s]+): (?:command )?not found$",
    r"^\S+: line \d+: ([^:\s]+): command not found$",
    r"^\S+: \d+: (?:exec: )?([^:\s]+): not found$",
    r"env: [‘'\"]?([\w.+-]+)[’'\"]?: No such file or directory$",
)
# Files that a repository is made of, not data: those were named wrongly.
_OWN_KINDS = (".py", ".sh", ".bash", ".ipynb", ".pyx")
# A statement that was about to write: what is missing is a folder for its output, which is the answer's to make.
_WRITES = _any(
    r"open\([^#]*,\s*(?:mode\s*=\s*)?['\"][wax]",
    r"\bsave",
    r"\.to_\w+\(",
    "mkdir",
    "makedirs",
    "FileHandler",
    "SummaryWriter",
    r"\bdump",
    "chdir",
)


def find_missing(words: LastWords, holds_module: Holds, holds_file: Holds) -> str | None:
    """What is lacking, in the words of ExecutionRecord.missing; None if the failure is the program's own."""
    if program := _PROGRAM.search(words.line):
        name = _group(program)
        return f"program {name}" if "/" not in name else None
    if library := _LIBRARY.search(words.line):
        return "GPU" if library[1].startswith(("libcuda.so", "libnvidia")) else f"library {library[1]}"
    if _is_network(words):
        host = _HOST.search(words.line) or _HOST.search(words.chain)
        return f"network: {_group(host)}" if host else "network"
    if _GPU.search(words.line):
        return "GPU"
    if words.kind in ("ModuleNotFoundError", "ImportError", ""):
        return _missing_module(words, holds_module)
    if "Dataset not found" in words.line:
        return "data"
    if words.kind in ("FileNotFoundError", "OSError", "NotFoundError"):
        return _missing_file(words, holds_file)
    return None


def _group(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group)


def _is_network(words: LastWords) -> bool:
    if _NETWORK.search(words.line):
        return True
    by_chain = words.kind in _NETWORK_KINDS or "No matching distribution found" in words.line
    return by_chain and _NETWORK.search(words.chain) is not None


def _missing_module(words: LastWords, holds_module: Holds) -> str | None:
    if name := _MODULE_NAME.search(words.line):
        return None if holds_module(name[2]) else f"module {name[2]}"
    found = _MODULE.search(words.line)
    if found is None and words.kind == "ImportError":
        # `raise ImportError("please install x")` after a failed import: that import's error has the name.
        found = next(reversed(list(_MODULE.finditer(words.chain))), None)
        if found is None:
            advice = _INSTALL.search(words.line)
            return f"module {_group(advice)}" if advice and not holds_module(_group(advice)) else None
    return None if found is None or holds_module(found[1]) else f"module {found[1]}"


def _missing_file(words: LastWords, holds_file: Holds) -> str | None:
    found = _FILE.search(words.line)
    if found is None:
        return None
    path = _group(found)
    if words.in_subprocess and "/" not in path:
        return f"program {path}"
    if path.endswith(_OWN_KINDS) or holds_file(path) or _WRITES.search(words.source):
        return None
    return f"file {path}"
