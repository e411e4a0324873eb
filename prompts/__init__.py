"""The words that are sent to a model: one folder a policy, one template a message.

Templates are jinja2, `NAME.md.j2`; a variable that is not given is an error. What is put into them (the task, a repository's files) is
never itself a template.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ml_agent.errors import UsageError

if TYPE_CHECKING:
    from jinja2 import Environment

SUFFIX = ".md.j2"
OWN = Path(__file__).parent


class Prompts:
    """The templates of ml-agent, and those of `folder` in place of the ones that bear the same name.

    Raises UsageError if `folder` is no folder, or has a template whose name no template of ml-agent has: nobody would read it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        if folder is not None:
            _check(folder)
        self._made: Environment | None = None

    def render(self, name: str, **values: Any) -> str:
        """The text of the template `POLICY/MESSAGE` with these values. Raises UsageError if the template is wrong, in one line."""
        from jinja2 import TemplateError, TemplateSyntaxError

        try:
            return self._environment().get_template(name + SUFFIX).render(**values).strip()
        except TemplateSyntaxError as error:
            raise UsageError(f"the prompt {error.filename or name}:{error.lineno} is no template: {error.message}") from error
        except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
            raise UsageError(f"the prompt {name} cannot be filled in: {type(error).__name__}: {error}") from error

    def _environment(self) -> "Environment":
        if self._made is None:
            from jinja2 import FileSystemLoader, StrictUndefined
            from jinja2.sandbox import SandboxedEnvironment

            folders = [folder for folder in (self._folder, OWN) if folder is not None]
            self._made = SandboxedEnvironment(
                loader=FileSystemLoader(folders), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
            )
        return self._made


def names(folder: Path = OWN) -> list[str]:
    """Of the templates in a folder: `POLICY/MESSAGE`."""
    return sorted(path.relative_to(folder).as_posix().removesuffix(SUFFIX) for path in folder.rglob(f"*{SUFFIX}"))


def _check(folder: Path) -> None:
    if not folder.is_dir():
        raise UsageError(f"the folder of prompts {folder} is no folder")
    known = set(names())
    unknown = [name for name in names(folder) if name not in known]
    if unknown:
        raise UsageError(f"{folder / (unknown[0] + SUFFIX)} is in place of no prompt of ml-agent; there are: {', '.join(sorted(known))}")
