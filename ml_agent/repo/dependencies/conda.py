"""Environments of conda: environment.yml, with the part for pip in it."""

import re

import yaml

from ml_agent.repo.dependencies.base import Collector, Source
from ml_agent.repo.dependencies.requirements_txt import RequirementsReader
from ml_agent.repo.dependencies.versions import from_conda

_ENTRY = re.compile(r"(?:[\w./-]+::)?([A-Za-z0-9_][\w.-]*)(?:\[[^\]]*\])?\s*(.*)", re.DOTALL)
_DEPENDENCIES = re.compile(r"^[\"']?dependencies[\"']?\s*:", re.MULTILINE)
_FOR_PIP = {"pytorch": "torch", "pytorch-cpu": "torch", "pytorch-gpu": "torch", "opencv": "opencv-python", "py-opencv": "opencv-python"}
_FOR_PIP |= {"faiss": "faiss-cpu", "msgpack-python": "msgpack", "pytables": "tables", "python-graphviz": "graphviz", "pyqt": "PyQt5"}
_FOR_PIP |= {"matplotlib-base": "matplotlib", "seaborn-base": "seaborn", "tensorflow-base": "tensorflow", "protobuf-python": "protobuf"}
"""Names that conda has for distributions which are called otherwise on PyPI."""
_NOT_PYTHON = re.compile(
    r"_.*|lib.+|r-.+|cuda.*|cudnn|cudatoolkit.*|nccl|magma.*|pytorch-cuda|pytorch-mutex|mkl|mkl-include|blas|openblas|gcc.*|gxx.*|gfortran.*"
    r"|clang.*|(?:c|cxx|fortran)-compiler|compilers|binutils.*|ld_impl.*|sysroot.*|kernel-headers.*|make|cmake|automake|autoconf|pkg-config"
    r"|git|git-lfs|curl|wget|ffmpeg|x264|x265|openssl|ca-certificates|sqlite|readline|tk|zlib|xz|bzip2|zstd|lz4-c|ncurses|jpeg|tbb|icu|hdf5"
    r"|giflib|freetype|fontconfig|expat|glib|gettext|gmp|mpfr|intel-openmp|nodejs|openjdk|openmpi|mpi|perl|lame|nettle|gnutls|openh264|qt.*"
    r"|boost-cpp|bazel|swig|graphviz|eigen|parallel|tmux|htop|vim|screen|unzip|tree|llvm-openmp"
)
_PLAIN = frozenset({"mkl-service", "mkl-fft", "mkl-random", "libclang", "librosa", "libsvm", "libcst", "libtmux", "qtpy", "qtconsole"})


def read_conda(found: Collector, path: str, group: str = "") -> None:
    """A YAML file that is no environment is left alone. Values are not constructed: aliases cannot blow it up."""
    text = found.text(path)
    if text is None or not _DEPENDENCIES.search(text.text):
        return
    try:
        root = yaml.compose(text.text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        found.fault(path, f"it is no YAML: {str(error) or 'nested too deeply'}")
        return
    listed = _value(root, "dependencies")
    if not isinstance(listed, yaml.SequenceNode):
        found.fault(path, "`dependencies` is no list")
        return
    source = Source(path, "conda")
    for node in listed.value:
        line = node.start_mark.line + 1
        if isinstance(node, yaml.ScalarNode):
            _entry(found, source, str(node.value), line, group)
        elif isinstance(pip := _value(node, "pip"), yaml.SequenceNode):
            reader = RequirementsReader(found, source, group)
            for entry in pip.value:
                if isinstance(entry, yaml.ScalarNode) and (written := str(entry.value).strip()):
                    reader.line(written, path, entry.start_mark.line + 1)
        else:
            found.fault(f"{path}:{line}", "an entry that is neither a package nor a list for pip")


def _value(node: yaml.Node | None, key: str) -> yaml.Node | None:
    if not isinstance(node, yaml.MappingNode):
        return None
    return next((value for name, value in node.value if isinstance(name, yaml.ScalarNode) and name.value == key), None)


def _entry(found: Collector, source: Source, written: str, line: int, group: str) -> None:
    entry = _ENTRY.fullmatch(written.strip())
    if entry is None:
        found.fault(f"{source.path}:{line}", f"`{written}` is no package of conda")
        return
    name, version = entry[1].lower(), from_conda(entry[2])
    if name == "python":
        found.python(version, source.path, line, group)
    elif name != "pip":
        python_package = name in _PLAIN or not _NOT_PYTHON.fullmatch(name)
        found.add(f"{_FOR_PIP.get(name, name)}{version}", source, source.path, line, group, python_package=python_package)
