"""Renders the templates. Whatever comes from a task, an answer or a program is foreign text: escaped here, all of it, and each page
forbids what it does not bring itself (Content-Security-Policy).
"""

import base64
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ml_agent.benchmarks.report import texts

if TYPE_CHECKING:
    from jinja2 import Environment

_SCRIPTS = {"compare.html.j2": "compare.js"}
"""Template -> the script that it brings; the others have none."""


def render(template: str, **values: Any) -> Iterator[str]:
    """A page, part by part: what `values` yields is taken when its place is reached."""
    script = _SCRIPTS.get(template)
    stream = _environment().get_template(template).stream(security=_security(script), **values)
    stream.enable_buffering(64)
    return iter(stream)


@cache
def _text_of(name: str) -> str:
    return (files("ml_agent.benchmarks.report") / "templates" / name).read_text(encoding="utf-8")


def _source_of(name: str) -> str:
    """What a policy names an inline style or script by."""
    digest = hashlib.sha256(_text_of(name).encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _security(script: str | None) -> str:
    allowed = _source_of(script) if script else "'none'"
    return (
        f"default-src 'none'; style-src {_source_of('style.css')}; script-src {allowed}; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _parts(name: str) -> list[str]:
    return re.split(r"(?<=[-_./@])(?=\w)", texts.shown(name))


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup

    def soft(text: str) -> Markup:
        """A name that may break behind its signs."""
        return Markup("<wbr>").join(_parts(text))

    def soft_value(text: str) -> Markup:
        """The same for the value of an attribute."""
        return Markup("\u200b").join(_parts(text))

    def finalize(value: Any) -> Any:
        return texts.shown(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=FunctionLoader(_text_of), autoescape=True, undefined=StrictUndefined, finalize=finalize, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {
        "percent": texts.percent,
        "interval": texts.interval,
        "money": texts.money,
        "duration": texts.duration,
        "soft": soft,
        "soft_value": soft_value,
        "cut": texts.cut,
        "line": texts.line,
        "points": texts.points,
        "tokens": texts.tokens,
        "p_value": texts.p_value,
    }
    own = {"style": "style.css", "script": "compare.js"}
    environment.globals["points_interval"] = texts.points_interval
    environment.globals |= {name: Markup(_text_of(file)) for name, file in own.items()}  # noqa: S704 - package data
    return environment
