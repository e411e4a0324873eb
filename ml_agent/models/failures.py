"""What a failed request means: too long for the model, hopeless, or worth another try."""

import email.utils
import json
import re
import time
from collections.abc import Mapping
from typing import Any

from ml_agent.errors import InfrastructureError, MlAgentError
from ml_agent.models.redaction import KEY_VARIABLES, redact

_OVERFLOW_CODES = {"context_length_exceeded", "exceed_context_size_error", "context_window_exceeded", "model_context_window_exceeded"}
_QUOTA_CODES = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "insufficient_balance", "credit_balance_too_low"}
_TRANSIENT = {408, 409, 425, 429}
_NO_TOOLS = re.compile(
    r"(?i)\b(?:tools?|tool_choice|tool use|function calling|functions?)\b.{0,80}\b(?:support|requires?|jinja|enabled?|allowed)"
)
_NO_SCHEMA = re.compile(r"(?i)response_format|json_schema|structured output|grammar")
_WORDS = 300


class ContextOverflow(MlAgentError):
    """The messages are too many for the model's context; shorten them and ask again."""


class Unsupported(Exception):
    """The service refuses a feature (`tools` or `schema`), not the request."""

    def __init__(self, feature: str, otherwise: Exception) -> None:
        super().__init__(feature)
        self.feature, self.otherwise = feature, otherwise


class Transient(Exception):
    """It may work in a moment. `retry_after`: seconds that the service asks for; `tries`: the most that make sense."""

    def __init__(self, what: str, *, retry_after: float | None = None, tries: int | None = None, advice: str = "try again later") -> None:
        super().__init__(what)
        self.what, self.retry_after, self.tries, self.advice = what, retry_after, tries, advice


class BadReply(Exception):
    """The service's reply has an unusable model's reply in it: `kind` as of Fault."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def judge(error: Exception, provider: str) -> Exception:
    """The exception that `error`, raised by a provider's client, really is."""
    from langchain_core.exceptions import ContextOverflowError, ModelError

    status, codes, said = _status(error), _codes(error), _said(error)
    if isinstance(error, ContextOverflowError) or codes & _OVERFLOW_CODES:
        return ContextOverflow(f"the conversation is too long for the model: {said}")
    if status is None:
        bad = _bad_reply(error)
        if bad is not None:
            return bad
        if getattr(error, "is_retryable", False) or isinstance(error, OSError | TimeoutError) or _is_transport(error):
            cause = _said(_root(error))
            advice = "is the service running, and --base-url right?"
            return Transient(f"cannot be reached: {cause if cause not in said else said}", advice=advice)
        if isinstance(error, ModelError | ValueError):
            return InfrastructureError(f"failed: {said}")
        return error
    return _by_status(status, codes, said, error, provider)


def _by_status(status: int, codes: set[str], said: str, error: Exception, provider: str) -> Exception:
    quota = codes & _QUOTA_CODES or ({"402"} if status == 402 else set())
    fatal: InfrastructureError | None = None
    if quota:
        fatal = InfrastructureError(f"the account has no credit left ({', '.join(sorted(quota))}): add credit, or choose another --model")
    elif status == 401:
        variable = KEY_VARIABLES.get(provider)
        fatal = InfrastructureError(f"the key is not accepted: {f'set {variable}' if variable else 'check it'} ({said})")
    elif status == 403:
        fatal = InfrastructureError(f"the key may not use this model: {said}")
    elif status == 404:
        fatal = InfrastructureError(f"there is no such model or address: check --model and --base-url ({said})")
    elif status == 413:
        return ContextOverflow(f"the conversation is too long for the service: {said}")
    elif status < 500 and status not in _TRANSIENT:
        fatal = InfrastructureError(f"the request was refused ({status}): {said}")
    transient = Transient(
        f"answers {status}" if said.startswith("Error code") else f"answers {status}: {said}", retry_after=_retry_after(error)
    )
    if not quota and status in (400, 422, 500, 501):
        param = str(getattr(error, "param", None) or "")
        if param.startswith("response_format") or (not param and _NO_SCHEMA.search(said)):
            return Unsupported("schema", fatal or transient)
        if param.startswith(("tools", "tool_choice")) or (not param and _NO_TOOLS.search(said)):
            return Unsupported("tools", fatal or transient)
    return fatal or transient


def _bad_reply(error: Exception) -> Exception | None:
    """For what a client raises, with no type of its own, on a reply of status 200 that it cannot make sense of."""
    text = str(error)
    if isinstance(error, TypeError) and "unexpected keyword" in text and "response_format" in text:  # a client of another shape
        return Unsupported("schema", error)
    if type(error).__name__ == "ContentFilterFinishReasonError":
        return BadReply("refused")
    if isinstance(error, IndexError) or (isinstance(error, TypeError | KeyError | ValueError) and "choices" in text):
        return BadReply("empty")
    if type(error).__name__ == "ValidationError" and "args" in text:
        return BadReply("arguments")
    advice = "is --base-url right? It often ends in /v1"
    if isinstance(error, UnicodeDecodeError):
        return Transient("answers with bytes that are no UTF-8", tries=2, advice=advice)
    if isinstance(error, json.JSONDecodeError) or "Unexpected response type" in text or "No generation" in text or "'str' object" in text:
        what = "HTML" if re.search(r"<(?:!doctype|html|body|head)", text, re.IGNORECASE) else "something else"
        return Transient(f"answers with {what} in place of JSON", tries=2, advice=advice)
    return None


def _is_transport(error: Exception) -> bool:
    """An error of an HTTP library below a provider's client that does not translate it."""
    return any(c.__module__.partition(".")[0] in ("httpx", "httpx2", "httpcore", "aiohttp", "requests") for c in type(error).__mro__)


def _root(error: BaseException) -> BaseException:
    for _ in range(10):
        cause = error.__cause__ or error.__context__
        if cause is None or not str(cause):
            break
        error = cause
    return error


def _status(error: Exception) -> int | None:
    status = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    return status if isinstance(status, int) and status >= 400 else None


def _fields(error: Exception) -> Mapping[str, Any]:
    """The object `error` of the reply, however the client hands it over."""
    body = getattr(error, "body", None)
    if body is None and error.args and isinstance(error.args[0], Mapping):  # langchain-openai: an error in a reply of status 200
        body = error.args[0]
    if isinstance(body, Mapping):
        inner = body.get("error")
        return inner if isinstance(inner, Mapping) else body
    return {}


def _codes(error: Exception) -> set[str]:
    """The error's code and type: OpenAI tells by the code, llama.cpp by the type."""
    fields = _fields(error)
    return {value for value in (fields.get("code"), getattr(error, "code", None), fields.get("type")) if isinstance(value, str)}


def _said(error: BaseException) -> str:
    """What the service said, as one short line without keys."""
    message = _fields(error).get("message") if isinstance(error, Exception) else None
    text = message if isinstance(message, str) and message else str(error) or type(error).__name__
    line = redact(" ".join(text.split()))
    return line if len(line) <= _WORDS else line[: _WORDS - 1] + "…"


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    if headers is None:
        return None
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = str(headers.get(name) or "").strip()
        if re.fullmatch(r"\d{1,9}(?:\.\d+)?", value):
            return float(value) * unit
    try:
        at = email.utils.parsedate_to_datetime(str(headers.get("retry-after") or ""))
    except ValueError:
        return None
    return max(0.0, at.timestamp() - time.time())
