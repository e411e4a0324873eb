"""Texts of the repository as they stand in a prompt: cut to what the model can hold, between tags that they cannot close."""

from dataclasses import dataclass

from ml_agent.models.messages import ChatModel, Message
from ml_agent.policies.replies import cut


@dataclass(frozen=True, slots=True)
class Document:
    """A text, the name of its tag, and what of it is kept where it is too long."""

    tag: str
    text: str
    ends: bool = False
    """Keep its beginning and its end: a program defines its parameters in one or the other. Else the beginning."""

    def shown(self, tokens: int | None, model: ChatModel) -> str:
        """With its tags, in at most about so many tokens of the model; None is no limit."""
        text = self.text
        if tokens is not None:
            text = _ends(text, tokens, model) if self.ends else cut(text, tokens, model)
        tag = self.tag
        while f"</{tag}>" in text or f"<{tag}>" in text:
            tag += "_"
        return f"<{tag}>\n{text}\n</{tag}>"


def _ends(text: str, tokens: int, model: ChatModel) -> str:
    kept, shown = len(text), text
    while (count := model.count([Message("user", shown)])) > tokens and kept > 2:
        kept = min(kept - 1, int(kept * tokens / count * 0.98))
        head, tail = text[: kept // 2], text[len(text) - kept // 2 :]
        head = head[: head.rfind("\n") + 1] or head
        tail = tail[tail.find("\n") + 1 :] or tail
        left_out = text[len(head) : len(text) - len(tail)]
        shown = f"{head.rstrip()}\n[{left_out.count(chr(10)) + 1} lines, {len(left_out)} characters, are left out here]\n{tail}"
    return shown
