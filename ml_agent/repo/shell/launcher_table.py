"""Commands that run other commands, and how to tell their own options from the command that they run."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wrapper:
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


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ANY = Wrapper()
_MPI = Wrapper(
    flags=words("--allow-run-as-root --oversubscribe --report-bindings --tag-output -v --verbose -q --quiet --use-hwthread-cpus"),
    valued=words(
        "-n -np --np -c -H --host -host -hostfile --hostfile -machinefile --machinefile -f -x -genv -ppn -npernode --bind-to --map-by"
    ),
    unknown_valued=True,
)
_LAUNCH_FLAGS = words(
    "--standalone --use_env --use-env --run_path --run-path --no_local_rank --no-local-rank "  # torch
    "--multi_gpu --multi-gpu --cpu --tpu --mps --use_deepspeed --use_fsdp --use_megatron_lm --same_network --debug -q "  # accelerate
    "--tpu_use_cluster --tpu_use_sudo --dynamo_use_fullgraph --dynamo_use_dynamic "
    "--no_ssh --no_ssh_check --save_pid --elastic_training --bind_cores_to_rank --enable_each_rank_log"  # deepspeed
)
_MODULE_FLAGS = words("-m --module")
_LAUNCH = Wrapper(
    python=True, flags=_LAUNCH_FLAGS, module=_MODULE_FLAGS, command_flags=words("--no_python --no-python"), unknown_valued=True
)
_TRACED = Wrapper(
    python=True,
    valued=words("-o --outfile -s --sort -p --prof-mod --rcfile --source --include --omit --interval -k"),
    module=_MODULE_FLAGS,
)
_ENVIRONMENT = Wrapper(valued=words("-n --name -p --prefix --cwd --env -e --environment --manifest-path"))

WRAPPERS: dict[str, Wrapper] = {
    **dict.fromkeys(
        ("nohup", "command", "builtin", "exec", "setsid", "catchsegv", "eatmydata", "unbuffer", "doas", "caffeinate", "chronic"),
        _ANY,
    ),
    "time": Wrapper(valued=words("-f --format -o --output")),
    "env": Wrapper(valued=words("-u --unset -C --chdir -S")),
    "sudo": Wrapper(valued=words("-u -g -h -p -C -D -R -T")),
    "nice": Wrapper(valued=words("-n")),
    "ionice": Wrapper(valued=words("-c -n -p")),
    "chrt": Wrapper(positionals=1),
    "stdbuf": Wrapper(valued=words("-i -o -e")),
    "timeout": Wrapper(valued=words("-k -s --kill-after --signal"), positionals=1),
    "taskset": Wrapper(positionals=1),
    "numactl": Wrapper(valued=words("-C -N -m -l -i -p"), unknown_valued=False),
    "xvfb-run": Wrapper(valued=words("-e -f -n -p -s -w")),
    "vglrun": Wrapper(valued=words("-d -c")),
    "strace": Wrapper(valued=words("-o -e -p -s -u -E -P")),
    "ltrace": Wrapper(valued=words("-o -e -p -s -u")),
    "valgrind": _ANY,
    "gdb": Wrapper(valued=words("-ex -x -iex")),
    "cuda-gdb": Wrapper(valued=words("-ex -x -iex")),
    "compute-sanitizer": _ANY,
    "nvprof": Wrapper(valued=words("-o --output-profile --metrics --events -m -e")),
    "nsys profile": Wrapper(
        valued=words("-o --output -t --trace -c -s -w -f --sample --force-overwrite --stats --delay --duration --gpu-metrics-device")
    ),
    "ncu": Wrapper(valued=words("-o --export -k --kernel-name -c --launch-count -s --launch-skip --set --section --metrics")),
    "watch": Wrapper(valued=words("-n -d --interval")),
    "xargs": Wrapper(valued=words("-n -I -P -L -d -a -s -E")),
    "parallel": Wrapper(valued=words("-j --jobs -N -I --delay")),
    "poetry run": _ANY,
    "pipenv run": _ANY,
    "pdm run": _ANY,
    "rye run": _ANY,
    "hatch run": _ANY,
    "uv run": Wrapper(
        valued=words("--with --python -p --extra --group --package --project --directory --env-file --with-requirements --index-url -m"),
        python=False,
    ),
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
    "streamlit run": Wrapper(python=True, unknown_valued=True),
    "accelerate launch": _LAUNCH,
    "torchrun": _LAUNCH,
    "composer": _LAUNCH,
    "deepspeed": _LAUNCH,
    "mpirun": _MPI,
    "mpiexec": _MPI,
    "orterun": _MPI,
    "horovodrun": Wrapper(
        valued=words("-np -p -H --hostfile -hostfile --network-interface --start-timeout --output-filename"), unknown_valued=True
    ),
    "srun": Wrapper(
        valued=words("-N -n -c -p -J -A -t -w -x -o -e -D -G -q -C -m -d -i"),
        flags=words("--exclusive --pty --overlap --unbuffered -u -l --label -v -Q --quiet --overcommit -O -s --preserve-env -E -K -Z"),
        unknown_valued=True,
    ),
    "sbatch": Wrapper(
        valued=words("-N -n -c -p -J -A -t -w -x -o -e -D -G -q -C -d -a"),
        flags=words("--exclusive --parsable -W --wait -Q"),
        unknown_valued=True,
    ),
    **dict.fromkeys(("singularity exec", "apptainer exec"), Wrapper(valued=words("-B --bind --env --pwd -W -H"), positionals=1)),
}

MODULE_WRAPPERS: dict[str, Wrapper] = {
    **dict.fromkeys(
        (
            "torch.distributed.launch",
            "torch.distributed.run",
            "torchelastic.distributed.launch",
            "accelerate.commands.launch",
            "paddle.distributed.launch",
        ),
        _LAUNCH,
    ),
    **dict.fromkeys(
        ("cProfile", "profile", "pdb", "ipdb", "pudb", "trace", "memory_profiler", "kernprof", "coverage run", "line_profiler", "scalene"),
        _TRACED,
    ),
    "torch.utils.bottleneck": _TRACED,
    "torch.backends.xeon.run_cpu": _LAUNCH,
    "deepspeed": _LAUNCH,
    "debugpy": Wrapper(python=True, valued=words("--listen --connect --log-to"), module=_MODULE_FLAGS),
}

PYTHON = re.compile(r"(?:.*/)?(?:python|pypy|pythonw|jython|ipython|bpython)(?:\d+(?:\.\d+)*)?t?(?:\.exe)?|(?:.*/)?py(?:\.exe)?")
PYTHON_VALUED = words("-W -X --check-hash-based-pycs -Q")
SHELLS = words("bash sh zsh dash ksh")
SHELL_VALUED = words("-o +o -O +O --rcfile --init-file")
OTHERS: dict[str, frozenset[str]] = {
    "perl": words("-I -M"),
    "ruby": words("-I -r"),
    "node": words("-r --require"),
    "julia": words("-p -t -J -L"),
    "Rscript": frozenset(),
    "lua": words("-l"),
    "luajit": words("-l"),
    "th": frozenset(),
}
"""Interpreters of other languages, with their options that take the next word."""
INTERPRETERS = {"py": "python", "pyw": "python", "sh": "bash", "bash": "bash"}
"""By the ending of a file's name."""
OPENERS = words("uv pdm rye hatch sbatch")
"""Wrappers that open a script by its name, wherever a shell would look and whether or not it is executable."""
PROGRAM = re.compile(r"[^\s=]*\.(?:py|pyw|sh|bash|zsh|ipynb|pl|R|jl|lua)")
