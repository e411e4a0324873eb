"""What the published code does that nobody would want, each as a switch; and the settings of the policy."""

from collections.abc import Mapping
from typing import Any

from pydantic import Field, field_validator

from ml_agent.policies.settings import ModelSettings

DEFECTS: Mapping[str, str] = {
    "readme-path": "the last step is given the path of the README, not its text",
    "unchecked-files": "a file that the model names is taken as it is named: one that is not there ends the task",
    "whole-files": "documents go to the model whole, however long they are: a request that is too long for it ends the task",
    "plain-text-ends": "a reply that is not the object that was asked for ends the task: the model is not told what is wrong",
    "no-folder": "nothing says which folder the code starts in, so it is the root; nor which file the parameters are of",
    "no-feedback": "nothing comes back to the model: the code is not run, and what verification finds is not told",
    "all-readmes": "every README that the model ranks is read, however many",
    "readme-md-only": "only a file called README.md is a README",
}
"""Name -> what it does. The published code (its first release, in the mode in which a repository is given) has them all."""

DOCUMENT_TOKENS = 4_000


class MlAgentSettings(ModelSettings):
    as_published: bool = Field(default=False, description="With all defects of the published code, and so without refinement.")
    defects: frozenset[str] = Field(default=frozenset(), description=f"Some of them, separated by commas: {', '.join(DEFECTS)}.")
    document_tokens: int = Field(
        default=DOCUMENT_TOKENS, ge=100, description="Of one document, at most; what is more is cut. No limit with the defect whole-files."
    )
    readmes: int = Field(default=5, ge=1, description="READMEs that are read, at most. No limit with the defect all-readmes.")
    refine: int = Field(default=2, ge=0, description="Times that an error is shown to the model. None with the defect no-feedback.")
    max_tokens: int | None = Field(default=2_000, ge=16, description="Of one reply: a small model may repeat itself without end.")

    @field_validator("defects", mode="before")
    @classmethod
    def _split(cls, value: Any) -> Any:
        return frozenset(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("defects")
    @classmethod
    def _known(cls, value: frozenset[str]) -> frozenset[str]:
        if unknown := sorted(value - set(DEFECTS)):
            raise ValueError(f"there is no defect {unknown[0]!r}; there are: {', '.join(DEFECTS)}")
        return value

    def has(self, defect: str) -> bool:
        """Whether this defect of the published code is there."""
        return self.as_published or defect in self.defects

    @property
    def tokens(self) -> int | None:
        """Of one document; None is no limit."""
        return None if self.has("whole-files") else self.document_tokens

    @property
    def refinements(self) -> int:
        return 0 if self.has("no-feedback") else self.refine
