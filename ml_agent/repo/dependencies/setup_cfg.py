"""setup.cfg: [options] and [options.extras_require]."""

import configparser

from ml_agent.repo.dependencies.base import Collector, Source
from ml_agent.repo.dependencies.groups import nested
from ml_agent.repo.dependencies.lines import Lines
from ml_agent.repo.dependencies.requirements_txt import RequirementsReader


def read_setup_cfg(found: Collector, path: str, group: str = "") -> None:
    text = found.text(path)
    if text is None:
        return
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text.text, source=path)
    except configparser.Error as error:
        found.fault(path, str(error))
        return
    lines, source = Lines(text.lines), Source(path, "project")
    header = lines.header("options")
    if python := parser.get("options", "python_requires", fallback="").strip():
        found.python(python, path, lines.key("python_requires", header), group)
    listed = [("options", "install_requires", group), ("options", "tests_require", nested(group, "tests"))]
    extras = parser["options.extras_require"] if parser.has_section("options.extras_require") else {}
    listed += [("options.extras_require", extra, nested(group, f"[{extra}]")) for extra in extras if extra not in parser.defaults()]
    for section, key, to in listed:
        value = parser.get(section, key, fallback="") or ""
        line = lines.key(key, lines.header(section))
        if value.strip().startswith("file:"):
            for name in value.strip().removeprefix("file:").split(","):
                RequirementsReader(found, source, to).line(f"-r {name.strip()}", path, line)
            continue
        for written in value.replace(";\n", "\n").split("\n"):
            if written.strip() and not written.strip().startswith("#"):
                line = lines.text(written.strip(), line)
                found.add(written.strip(), source, path, line, to)
