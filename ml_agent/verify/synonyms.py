"""Names of options that mean the same: `--lr` and `--learning-rate`, `--n_epochs` and `--epochs`."""

from functools import lru_cache

ABBREVIATIONS: dict[str, str] = {
    "lr": "learning rate",
    "bs": "batch size",
    "bsz": "batch size",
    "batchsize": "batch size",
    "batch": "batch size",
    "wd": "weight decay",
    "wdecay": "weight decay",
    "epoch": "epochs",
    "ep": "epochs",
    "iter": "iterations",
    "iters": "iterations",
    "iteration": "iterations",
    "step": "steps",
    "optim": "optimizer",
    "opt": "optimizer",
    "optimiser": "optimizer",
    "sched": "scheduler",
    "mom": "momentum",
    "drop": "dropout",
    "dp": "dropout",
    "ckpt": "checkpoint",
    "cfg": "config",
    "conf": "config",
    "configuration": "config",
    "dir": "folder",
    "directory": "folder",
    "path": "folder",
    "root": "folder",
    "out": "output",
    "outputs": "output",
    "outdir": "output folder",
    "datadir": "data folder",
    "in": "input",
    "img": "image",
    "imgs": "image",
    "images": "image",
    "imgsz": "image size",
    "imsize": "image size",
    "vid": "video",
    "seq": "sequence",
    "len": "length",
    "maxlen": "max length",
    "hid": "hidden",
    "nhid": "hidden size",
    "dim": "size",
    "dims": "size",
    "emb": "embedding",
    "embed": "embedding",
    "embeddings": "embedding",
    "val": "validation",
    "valid": "validation",
    "eval": "evaluate",
    "evaluation": "evaluate",
    "temp": "temperature",
    "tau": "temperature",
    "reg": "regularization",
    "freq": "frequency",
    "interval": "frequency",
    "verb": "verbose",
    "dev": "device",
    "gpus": "gpu",
    "worker": "workers",
    "layer": "layers",
    "head": "heads",
    "classes": "class",
    "param": "parameter",
    "params": "parameter",
    "lang": "language",
    "tok": "tokenizer",
    "pretrain": "pretrained",
    "weights": "weight",
    "mult": "multiplier",
    "coef": "coefficient",
    "coeff": "coefficient",
}
"""Short forms that names of options are made of, with what they stand for."""

_COUNTS = frozenset("n num nb number no of the".split())
"""Words that say only that something is counted."""


@lru_cache(4096)
def meaning(name: str) -> frozenset[str]:
    """The words that an option's name stands for: `n-epochs` and `num_epochs` -> {epochs}."""
    words: list[str] = []
    for part in name.lstrip("-").lower().replace("_", "-").replace(".", "-").split("-"):
        words.extend(ABBREVIATIONS.get(part, part).split())
    return frozenset(w for w in words if w and w not in _COUNTS)


def same_meaning(name: str, other: str) -> bool:
    """Whether two names of options stand for the same words."""
    return bool(meaning(name)) and meaning(name) == meaning(other)
