"""What the argument models of all tools share."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidatorFunctionWrapHandler, WrapValidator

from ml_agent.task import Language


def _keep_string(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    return value if isinstance(value, str) else handler(value)


Text = Annotated[str, WrapValidator(_keep_string)]
"""A string that may hold lone surrogates, as the names of files that do not decode do; pydantic's own `str` refuses them."""


class Arguments(BaseModel):
    """Base of the argument models: a name that a tool does not know is told to the policy, not dropped."""

    model_config = ConfigDict(extra="forbid")


class Code(Arguments):
    """An answer, or a candidate for one."""

    language: Language = Field(description="'bash' for a command line or shell script, 'python' for a Python program.")
    code: Text = Field(description="The command line or the program, whole.")
    workdir: Text = Field(".", description="Folder it starts in, relative to the root of the repository.")
