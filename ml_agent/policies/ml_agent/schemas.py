"""What the model replies in each step, in the names of the published code; `folder` is ours."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, ValidationInfo, field_validator, model_validator

FOLDER = "folder"


class Unfit(ValueError):
    """A reply that is an object, but not of the kind that was asked for; in words for the model."""


def _text(value: Any) -> Any:
    """A model that leaves a text out says null as often."""
    return "" if value is None else value


Text = Annotated[str, BeforeValidator(_text)]


class StepReply(BaseModel):
    """Base of them. What is more than was asked for is ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    template: ClassVar[str]
    """Name of the prompt that asks for it, without the folder."""

    @property
    def written(self) -> str:
        """The code that it gives for the task; empty if none."""
        return ""

    @classmethod
    def schema_of(cls, *, folder: bool) -> dict[str, Any]:
        """JSON schema, all values required; without the folder if it is not asked for."""
        properties = {
            name: {key: part for key, part in about.items() if key not in ("title", "default")}
            for name, about in cls.model_json_schema()["properties"].items()
            if folder or name != FOLDER
        }
        return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}

    @classmethod
    def read(cls, data: Any) -> "StepReply":
        """Raises Unfit."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, e['loc'])) or 'the object'}: {e['msg']}" for e in error.errors(include_url=False)]
            raise Unfit(f"Your JSON object does not fit: {'; '.join(faults)[:500]}") from None


class _Flagged(StepReply):
    @field_validator("flag", "task_flag", mode="before", check_fields=False)
    @classmethod
    def _spelled(cls, value: Any, info: ValidationInfo) -> Any:
        """`yes` is Yes."""
        known = {"yes": "Yes", "no": "No", "code": "CODE", "file": "FILE"}
        return known.get(value.strip().lower(), value) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _said(self) -> "_Flagged":
        """A flag comes with what it announces."""
        flag = getattr(self, "flag", "")
        if flag == "CODE" and not self.written.strip():
            raise ValueError("flag is CODE, and there is no code")
        if flag == "FILE" and not getattr(self, "file_path", "").strip():
            raise ValueError("flag is FILE, and file_path is empty")
        return self


class Feasibility(_Flagged):
    """Step 3."""

    template = "feasibility"
    task_flag: Literal["Yes", "No"]
    ranked_readmefiles: list[str] = []


class Decided(_Flagged):
    """Step 4."""

    template = "readme"
    flag: Literal["FILE", "CODE", "No"]
    file_path: Text = ""
    code: Text = ""
    folder: Text = ""

    @property
    def written(self) -> str:
        return self.code if self.flag == "CODE" else ""


class Parameters(StepReply):
    """Step 5a."""

    template = "parameters"
    args_code: Text


class Final(_Flagged):
    """Step 5b."""

    template = "final"
    flag: Literal["CODE", "No"]
    finally_code: Text = ""
    folder: Text = ""

    @property
    def written(self) -> str:
        return self.finally_code if self.flag == "CODE" else ""


class Refined(StepReply):
    """The arrow of refinement."""

    template = "refine"
    code: Text
    folder: Text = ""

    @property
    def written(self) -> str:
        return self.code

    @field_validator("code")
    @classmethod
    def _there(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("it is empty")
        return value
