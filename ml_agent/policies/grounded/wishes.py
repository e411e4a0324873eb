"""What a request wants done with a model in code: its output's shape, its parameters counted, its weights saved, an optimiser ..."""

import re
from dataclasses import dataclass

from ml_agent.policies.grounded.kinds import file_kind
from ml_agent.policies.grounded.request import Mention, Request
from ml_agent.repo.callables import Callee, Taken


def _numbers(*names: str) -> tuple[Taken, ...]:
    return tuple(Taken(name, "positional", "0") for name in names)


_OPTIMISERS = {
    "sgd": ("SGD", _numbers("lr", "momentum", "weight_decay", "dampening")),
    "adam": ("Adam", _numbers("lr", "weight_decay", "eps")),
    "adamw": ("AdamW", _numbers("lr", "weight_decay", "eps")),
    "rmsprop": ("RMSprop", _numbers("lr", "alpha", "momentum", "weight_decay")),
    "adagrad": ("Adagrad", _numbers("lr", "lr_decay", "weight_decay")),
}
_SCHEDULES = (
    (r"\bcosine\b", "CosineAnnealingLR", _numbers("T_max", "eta_min")),
    (r"\bstep ?lr\b|\bstep (?:schedule|decay)\b", "StepLR", _numbers("step_size", "gamma")),
    (r"\bexponential(?: learning[- ]rate| lr)? (?:decay|schedule)\b", "ExponentialLR", _numbers("gamma")),
)
_SHAPE = (
    r"\b(?:shapes?|size|dimensions?)\b[^.]*\b(?:out|outputs?|logits|results?|comes)\b"
    r"|\b(?:outputs?|logits|results?|resulting|its|final|of the \w+)(?:'s?)?['\u2019]?s?\s+(?:\w+\s+)?(?:shape|size|dimensions?)\b"
    r"|\bprint\b[^.]*\b(?:shape|size)\b"
)
_SAVES = r"\b(?:sav(?:e|ed|ing)|stor(?:e|ed|ing)|writ(?:e|ten|ing)|dump(?:ed)?|on disk|to disk|to a file|in a file|file should be called)\b"
_LOADS = r"\b(?:load(?:ed|ing)?|restor(?:e|ed|ing)|with the weights|from the checkpoint)\b"


@dataclass(frozen=True, slots=True)
class Wishes:
    shape: bool = False
    """The shape of what comes out is printed."""
    count: bool = False
    """Parameters are counted."""
    evaluation: bool = False
    """The model is put in evaluation mode."""
    prints: bool = False
    """What comes out is printed."""
    device: str = ""
    save: Mention | None = None
    """Where the weights go."""
    load: Mention | None = None
    """Where weights come from."""
    optimiser: Callee | None = None
    schedule: Callee | None = None


def read_wishes(request: Request) -> Wishes:
    text = request.text.lower()
    files = [m for m in request.mentions if m.kind in ("path", "quoted") and file_kind(m.value) == "weights"]
    saves, loads = re.search(_SAVES, text), re.search(_LOADS, text)
    save = files[-1] if files and saves and not (loads and len(files) == 1 and loads.start() < saves.start()) else None
    load = next((f for f in files if f is not save), None) if loads else None
    named = re.search(r"\b(sgd|adamw|adam|rmsprop|adagrad)\b", text)
    found = _OPTIMISERS[named.group(1)] if named and re.search(r"\boptimi[sz]er\b|\blearning rate\b|\brate\b|\blr\b", text) else None
    optimiser = Callee("class", found[0], "", 0, "torch.optim", takes=found[1]) if found else None
    schedule = next((Callee("class", n, "", 0, "torch.optim.lr_scheduler", takes=t) for p, n, t in _SCHEDULES if re.search(p, text)), None)
    return Wishes(
        shape=re.search(_SHAPE, text) is not None,
        count=bool(re.search(r"\b(?:count|number|how many)\b[^.]{0,40}\bparam", text)),
        evaluation=bool(re.search(r"\b(?:inference|eval(?:uation)?)[- ]mode\b|\bmode for inference\b|\bto inference\b|\beval\(\)", text)),
        prints=bool(re.search(r"\b(?:print|show|display|tell|what|which|how)\b", text)),
        device="cuda" if re.search(r"\b(?:on|to|onto) (?:the |a |my )?(?:gpu|cuda)\b", text) else "",
        save=save,
        load=load,
        optimiser=optimiser,
        schedule=schedule if optimiser else None,
    )  # fmt: skip
