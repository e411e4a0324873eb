"""Which word of a command names the program that is really run, behind interpreters, launchers and wrappers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ml_agent.repo.shell_words import Word


@dataclass(frozen=True, slots=True)
class Target:
    """The program of a command."""

    kind: Literal["file", "module"]
    value: str
    """The path as written without a `./` or `$PWD/` in front, or the module's dotted name."""
    index: int
    """Which word names it; its own arguments come after."""
    launcher: tuple[str, ...]
    """The words before it."""


@dataclass(frozen=True, slots=True)
class _Wrapper:
    """A command that runs another command, given behind its own options."""

    valued: frozenset[str] = frozenset()
    """Options whose value is the next word."""
    flags: frozenset[str] = frozenset()
    """Options without a value, where `unknown_valued` would misread them."""
    positionals: int = 0
    """Its own arguments before the command."""
    python: bool = False
    """What it starts is a Python script rather than any command."""
    module: frozenset[str] = frozenset()
    """Flags that make the program a module's name."""
    command_flags: frozenset[str] = frozenset()
    """Flags that make the program any command."""
    unknown_valued: bool = False
    """An option that is in no list takes the next word, unless that looks like an option or a program."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ANY = _Wrapper()
_MPI = _Wrapper(
    flags=_words("--allow-run-as-root --oversubscribe --report-bindings --tag-output -v --verbose -q --quiet --use-hwthread-cpus --nooversubscribe"),
    valued=_words("-n -np --np -c -H --host -host -hostfile --hostfile -machinefile --machinefile -f -x -genv -ppn -npernode --bind-to --map-by -p -l -envlist"),
    unknown_valued=True,
)
_LAUNCH_FLAGS = _words(
    "--standalone --use_env --use-env --multi_gpu --multi-gpu --cpu --tpu --mps --use_deepspeed --use_fsdp --use_megatron_lm --same_network --debug -q --quiet "
    "--tpu_use_cluster --tpu_use_sudo --dynamo_use_fullgraph --dynamo_use_dynamic --rdzv_same_network --run_path --run-path --force_multi --no_local_rank "
    "--no_ssh --no_ssh_check --save_pid --elastic_training --bind_cores_to_rank --enable_each_rank_log --multi-node --multi_node --auto --huggingface"
)
_MODULE_FLAGS = _words("-m --module")
_LAUNCH = _Wrapper(python=True, flags=_LAUNCH_FLAGS, module=_MODULE_FLAGS, command_flags=_words("--no_python --no-python"), unknown_valued=True)
_TRACED = _Wrapper(python=True, valued=_words("-o --outfile -s --sort -p --prof-mod --rcfile --source --include --omit --interval -k"), module=_MODULE_FLAGS)
_ENVIRONMENT = _Wrapper(valued=_words("-n --name -p --prefix --cwd --env -e --environment --manifest-path"))

_WRAPPERS: dict[str, _Wrapper] = {
    **dict.fromkeys(("nohup", "command", "builtin", "exec", "setsid", "catchsegv", "eatmydata", "unbuffer", "doas", "caffeinate", "chronic", "torchx"), _ANY),
    "time": _Wrapper(valued=_words("-f --format -o --output")),
    "env": _Wrapper(valued=_words("-u --unset -C --chdir -S")),
    "sudo": _Wrapper(valued=_words("-u -g -h -p -C -D -R -T")),
    "nice": _Wrapper(valued=_words("-n")),
    "ionice": _Wrapper(valued=_words("-c -n -p")),
    "chrt": _Wrapper(positionals=1),
    "stdbuf": _Wrapper(valued=_words("-i -o -e")),
    "timeout": _Wrapper(valued=_words("-k -s --kill-after --signal"), positionals=1),
    "taskset": _Wrapper(positionals=1),
    "numactl": _Wrapper(valued=_words("-C -N -m -l -i -p"), unknown_valued=False),
    "xvfb-run": _Wrapper(valued=_words("-e -f -n -p -s -w")),
    "vglrun": _Wrapper(valued=_words("-d -c")),
    "strace": _Wrapper(valued=_words("-o -e -p -s -u -E -P")),
    "ltrace": _Wrapper(valued=_words("-o -e -p -s -u")),
    "valgrind": _ANY,
    "gdb": _Wrapper(valued=_words("-ex -x -iex")),
    "cuda-gdb": _Wrapper(valued=_words("-ex -x -iex")),
    "compute-sanitizer": _ANY,
    "nvprof": _Wrapper(valued=_words("-o --output-profile --metrics --events -m -e")),
    "nsys profile": _Wrapper(valued=_words("-o --output -t --trace -c -s -w -f --sample --force-overwrite --stats --delay --duration --gpu-metrics-device")),
    "ncu": _Wrapper(valued=_words("-o --export -k --kernel-name -c --launch-count -s --launch-skip --set --section --metrics")),
    "watch": _Wrapper(valued=_words("-n -d --interval")),
    "xargs": _Wrapper(valued=_words("-n -I -P -L -d -a -s -E")),
    "parallel": _Wrapper(valued=_words("-j --jobs -N -I --delay")),
    "poetry run": _ANY,
    "pipenv run": _ANY,
    "pdm run": _ANY,
    "rye run": _ANY,
    "hatch run": _ANY,
    "uv run": _Wrapper(valued=_words("--with --python -p --extra --group --package --project --directory --env-file --with-requirements --index-url -m"), python=False),
    "pixi run": _ENVIRONMENT,
    "conda run": _ENVIRONMENT,
    "mamba run": _ENVIRONMENT,
    "micromamba run": _ENVIRONMENT,
    "coverage run": _TRACED,
    "kernprof": _TRACED,
    "pyinstrument": _TRACED,
    "viztracer": _TRACED,
    "scalene": _TRACED,
    "memray run": _TRACED,
    "debugpy": _TRACED,
    "streamlit run": _Wrapper(python=True, unknown_valued=True),
    "accelerate launch": _LAUNCH,
    "torchrun": _LAUNCH,
    "composer": _LAUNCH,
    "deepspeed": _LAUNCH,
    "mpirun": _MPI,
    "mpiexec": _MPI,
    "orterun": _MPI,
    "horovodrun": _Wrapper(valued=_words("-np -p -H --hostfile -hostfile --network-interface --start-timeout --output-filename"), unknown_valued=True),
    "srun": _Wrapper(
        valued=_words("-N -n -c -p -J -A -t -w -x -o -e -D -G -q -C -m -d -i"),
        flags=_words("--exclusive --pty --overlap --unbuffered -u -l --label -v -Q --quiet --overcommit -O -s --preserve-env -E -K -Z"),
        unknown_valued=True,
    ),
    "sbatch": _Wrapper(valued=_words("-N -n -c -p -J -A -t -w -x -o -e -D -G -q -C -d -a"), flags=_words("--exclusive --parsable -W --wait -Q"), unknown_valued=True),
    **dict.fromkeys(("singularity exec", "apptainer exec"), _Wrapper(valued=_words("-B --bind --env --pwd -W -H"), positionals=1)),
}

_MODULE_WRAPPERS: dict[str, _Wrapper] = {
    **dict.fromkeys(("torch.distributed.launch", "torch.distributed.run", "accelerate.commands.launch", "paddle.distributed.launch"), _LAUNCH),
    **dict.fromkeys(("cProfile", "profile", "pdb", "ipdb", "pudb", "trace", "memory_profiler", "kernprof", "coverage run", "line_profiler", "scalene"), _TRACED),
    "torch.utils.bottleneck": _TRACED,
    "torch.backends.xeon.run_cpu": _LAUNCH,
    "deepspeed": _LAUNCH,
    "debugpy": _Wrapper(python=True, valued=_words("--listen --connect --log-to"), module=_MODULE_FLAGS),
}

_PYTHON = re.compile(r"(?:.*/)?(?:python|pypy|pythonw|jython|ipython|bpython)(?:\d+(?:\.\d+)*)?t?(?:\.exe)?|(?:.*/)?py(?:\.exe)?")
_PYTHON_VALUED = _words("-W -X --check-hash-based-pycs -Q")
_SHELLS = _words("bash sh zsh dash ksh")
_SHELL_VALUED = _words("-o +o -O +O --rcfile --init-file")
_OTHERS: dict[str, frozenset[str]] = {
    "perl": _words("-I -M"), "ruby": _words("-I -r"), "node": _words("-r --require"), "julia": _words("-p -t -J -L"), "Rscript": _words("-e"), "luajit": _words("-l"), "lua": _words("-l"), "th": frozenset(),
}  # fmt: skip
_PROGRAM = re.compile(r"[^\s=]*\.(?:py|pyw|sh|bash|zsh|ipynb|pl|R|jl|lua)")
_NUMERIC_POSITIONAL = re.compile(r"[\w.,+-]+")


def run_target(words: Sequence[Word] | Sequence[str]) -> Target | None:
    """The program that a command runs, if it is a file or a module; None for commands such as `pip install x`."""
    texts = tuple(w if isinstance(w, str) else w.text for w in words)
    found = _any(texts, 0)
    if found is None:
        return None
    kind, index = found
    value = texts[index] if kind == "module" else _plain(texts[index])
    return Target(kind, value, index, texts[:index]) if value else None


def inline_script(words: Sequence[Word]) -> int | None:
    """The index of the word that is a script itself: behind `bash -c` or `eval`."""
    texts = tuple(w.text for w in words)
    start = _skip_wrappers(texts, 0)
    if start >= len(texts) - 1:
        return None
    if texts[start] == "eval" and start + 2 == len(texts):
        return start + 1
    if _base(texts[start]) in _SHELLS:
        for index in range(start + 1, len(texts) - 1):
            if re.fullmatch(r"-[a-z]*c", texts[index]):
                return index + 1
            if not texts[index].startswith("-"):
                break
    return None


_Found = tuple[Literal["file", "module"], int]


def _any(texts: tuple[str, ...], index: int) -> _Found | None:
    """The program of any command that starts at `index`."""
    index = _skip_wrappers(texts, index)
    if index >= len(texts):
        return None
    if index < 0:
        return _script(texts, ~index)
    name = _base(texts[index])
    if _PYTHON.fullmatch(texts[index]):
        return _python(texts, index + 1)
    if name in _SHELLS:
        return _interpreter(texts, index + 1, _SHELL_VALUED)
    if texts[index] in ("source", "."):
        return _file(texts, index + 1)
    if name in _OTHERS:
        return _interpreter(texts, index + 1, _OTHERS[name])
    if (wrapper := _wrapper(texts, index)) and wrapper[0].python:
        return _launched(texts, wrapper[1], wrapper[0])
    return _file(texts, index) if "/" in texts[index] or _PROGRAM.fullmatch(texts[index]) else None


def _skip_wrappers(texts: tuple[str, ...], index: int) -> int:
    """Where the command behind `env`, `nohup`, `mpirun -np 2`, ... starts."""
    for _ in range(len(texts)):
        while index < len(texts) and re.match(r"[A-Za-z_]\w*=", texts[index]):
            index += 1
        found = _wrapper(texts, index)
        if found is None or found[0].python:
            return index
        wrapper, index = found
        index = _skip_options(texts, index, wrapper)
        while index < len(texts) and re.match(r"[A-Za-z_]\w*=", texts[index]):
            index += 1
        index += wrapper.positionals
    return len(texts)


def _wrapper(texts: tuple[str, ...], index: int) -> tuple[_Wrapper, int] | None:
    if index >= len(texts):
        return None
    name = _base(texts[index])
    if index + 1 < len(texts) and (pair := _WRAPPERS.get(f"{name} {texts[index + 1]}")):
        return pair, index + 2
    return (single, index + 1) if (single := _WRAPPERS.get(name)) else None


def _skip_options(texts: tuple[str, ...], index: int, wrapper: _Wrapper) -> int:
    while index < len(texts) and texts[index].startswith("-") and len(texts[index]) > 1:
        option = texts[index]
        if option == "--":
            return index + 1
        if option in wrapper.module or option in wrapper.command_flags:
            return index
        index += 1
        following = texts[index] if index < len(texts) else ""
        takes = option in wrapper.valued or (
            wrapper.unknown_valued
            and option not in wrapper.flags
            and "=" not in option
            and not following.startswith("-")
            and not _PROGRAM.fullmatch(following)
            and not _PYTHON.fullmatch(following)
        )
        if takes and "=" not in option:
            index += 1
        if option in ("-x", "-genv") and takes and option == "-genv":
            index += 1
    return index


def _launched(texts: tuple[str, ...], index: int, wrapper: _Wrapper) -> _Found | None:
    """The program of a launcher that starts Python scripts."""
    module = command = False
    while True:
        index = _skip_options(texts, index, wrapper)
        if index < len(texts) and texts[index] in wrapper.module:
            module, index = True, index + 1
        elif index < len(texts) and texts[index] in wrapper.command_flags:
            command, index = True, index + 1
        else:
            break
    if index >= len(texts):
        return None
    if command:
        return _any(texts, index)
    if module:
        return "module", index
    if _PYTHON.fullmatch(texts[index]):
        return _python(texts, index + 1)
    return _script(texts, index)


def _python(texts: tuple[str, ...], index: int) -> _Found | None:
    while index < len(texts) and texts[index].startswith("-"):
        option = texts[index]
        if option == "-":
            return None
        if not option.startswith("--"):
            cluster = re.match(r"-[bBdEhiIOPqRsSuvVx?\d.]*(?:([cm])(.*))?", option, re.DOTALL)
            if cluster and cluster[1] == "c":
                return None
            if cluster and cluster[1] == "m" and not cluster[2]:
                return _module(texts, index + 1)
        index += 2 if option in _PYTHON_VALUED else 1
    return _script(texts, index)


def _module(texts: tuple[str, ...], index: int) -> _Found | None:
    if index >= len(texts):
        return None
    wrapper = _MODULE_WRAPPERS.get(texts[index])
    start = index + 1
    if wrapper is None and index + 1 < len(texts):
        wrapper, start = _MODULE_WRAPPERS.get(f"{texts[index]} {texts[index + 1]}"), index + 2
    return _launched(texts, start, wrapper) if wrapper else ("module", index)


def _interpreter(texts: tuple[str, ...], index: int, valued: frozenset[str]) -> _Found | None:
    while index < len(texts) and texts[index][:1] in "-+" and len(texts[index]) > 1:
        if re.fullmatch(r"-[a-z]*[ce]", texts[index]) and texts[index] != "-e" or texts[index] == "-e" and valued is not _SHELL_VALUED:
            return None
        index += 2 if texts[index] in valued else 1
    return _file(texts, index)


def _script(texts: tuple[str, ...], index: int) -> _Found | None:
    return _file(texts, index)


def _file(texts: tuple[str, ...], index: int) -> _Found | None:
    return ("file", index) if index < len(texts) and texts[index] not in ("", "-") else None


def _base(text: str) -> str:
    return text.rpartition("/")[2]


def _plain(path: str) -> str:
    for here in ("$PWD/", "${PWD}/", "$(pwd)/", "`pwd`/"):
        path = path.removeprefix(here)
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path
