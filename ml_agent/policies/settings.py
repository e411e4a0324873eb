"""What can be set of a policy: one frozen class of settings each, checked by pydantic, every field with a sentence."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ml_agent.errors import UsageError
from ml_agent.models.messages import Options

S = TypeVar("S", bound="Settings")


class Settings(BaseModel):
    """Base of a policy's settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())


class ModelSettings(Settings):
    """What can be set of every policy that uses a chat model."""

    prompts: Path | None = Field(
        default=None, description="A folder whose templates are taken in place of ml-agent's own of the same name."
    )
    temperature: float | None = Field(default=None, ge=0, le=2, description="Of the replies; left to the service where nothing is given.")
    max_tokens: int | None = Field(default=None, ge=16, description="Of one reply; left to the service where nothing is given.")

    def options(self, attempt: int, seed: int, **more: Any) -> Options:
        """How replies of one attempt are asked for: each attempt is an independent sample, with a seed of its own."""
        return Options(max_tokens=self.max_tokens, temperature=self.temperature, seed=seed * 1_000 + attempt, **more)


def read_settings(kind: type[S], given: Mapping[str, Any], policy: str) -> S:
    """The settings with these values, texts as a command line has them included. Raises UsageError, in one line."""
    names = {name.replace("-", "_"): value for name, value in given.items()}
    try:
        return kind.model_validate(names)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"]))
        if first["type"] == "extra_forbidden":
            there = ", ".join(field.replace("_", "-") for field in kind.model_fields)
            raise UsageError(f"the policy {policy} has no option {name!r}; it has: {there}") from error
        raise UsageError(f"the option {name} of the policy {policy}: {first['msg']}, not {str(first['input'])[:80]!r}") from error
