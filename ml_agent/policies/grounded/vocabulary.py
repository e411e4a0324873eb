"""How people in this field say what programs spell: synonyms and abbreviations of option names, verbs, number words.

Facts about the language of machine learning, not about any repository.
"""

ABBREVIATIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    # one word of an option name -> the phrases that people say for it
    "lr": (("learning", "rate"),),
    "bs": (("batch", "size"),),
    "bsz": (("batch", "size"),),
    "batchsize": (("batch", "size"),),
    "wd": (("weight", "decay"),),
    "lamb": (("lambda",), ("regularization",)),
    "reg": (("regularization",), ("regularisation",)),
    "l2": (("weight", "decay"), ("regularization",)),
    "epoch": (("epoch",), ("pass",)),
    "img": (("image",), ("picture",)),
    "imgs": (("image",), ("picture",)),
    "cfg": (("config",), ("configuration",)),
    "config": (("configuration",),),
    "conf": (("config",), ("configuration",), ("confidence",)),
    "ckpt": (("checkpoint",),),
    "checkpoint": (("weights",),),
    "weights": (("checkpoint",),),
    "dir": (("directory",), ("folder",)),
    "folder": (("directory",),),
    "path": (("location",), ("directory",), ("file",), ("folder",)),
    "root": (("directory",), ("folder",)),
    "file": (("filename",),),
    "out": (("output",), ("result",), ("save",), ("write",), ("store",)),
    "output": (("save",), ("result",), ("write",)),
    "save": (("output",), ("store",)),
    "gpu": (("device",), ("cuda",), ("graphics", "card")),
    "gpus": (("device",), ("cuda",)),
    "device": (("gpu",), ("cuda",), ("cpu",)),
    "cuda": (("gpu",), ("device",)),
    "seed": (("random", "state"),),
    "iter": (("iteration",),),
    "iters": (("iteration",),),
    "niter": (("iteration",),),
    "itr": (("iteration",),),
    "opt": (("optimizer",), ("optimiser",)),
    "optim": (("optimizer",), ("optimiser",)),
    "optimizer": (("optimiser",),),
    "arch": (("architecture",), ("model",), ("backbone",)),
    "backbone": (("architecture",), ("encoder",)),
    "net": (("network",), ("model",)),
    "model": (("network",), ("architecture",)),
    "data": (("dataset",),),
    "dataset": (("data",),),
    "emb": (("embedding",),),
    "embed": (("embedding",),),
    "hid": (("hidden",),),
    "nhid": (("hidden",),),
    "nhidden": (("hidden",),),
    "nlayers": (("layer",),),
    "nheads": (("head",),),
    "attn": (("attention",),),
    "feat": (("feature",),),
    "temp": (("temperature",),),
    "tau": (("temperature",),),
    "mom": (("momentum",),),
    "lm": (("language", "model"),),
    "prob": (("probability",),),
    "thresh": (("threshold",),),
    "thr": (("threshold",),),
    "freq": (("frequency",),),
    "interval": (("every",), ("frequency",)),
    "val": (("validation",),),
    "eval": (("evaluation",), ("evaluate",)),
    "dev": (("validation",), ("development",)),
    "pred": (("prediction",), ("predict",), ("forecast",)),
    "len": (("length",),),
    "seqlen": (("sequence", "length"),),
    "dim": (("dimension",), ("size",)),
    "size": (("dimension",),),
    "ch": (("channel",),),
    "nf": (("filter",), ("feature",)),
    "lang": (("language",),),
    "src": (("source",),),
    "tgt": (("target",),),
    "vocab": (("vocabulary",),),
    "workers": (("process",), ("thread",)),
    "dropout": (("drop", "out"),),
    "drop": (("dropout",),),
    "p": (("probability",),),
    "fp16": (("half", "precision"), ("mixed", "precision")),
    "half": (("half", "precision"),),
    "amp": (("mixed", "precision"),),
    "patience": (("early", "stopping"),),
    "warmup": (("warm", "up"),),
    "pretrain": (("pre", "train"),),
    "pretrained": (("pre", "train"),),
    "finetune": (("fine", "tune"),),
    "ratio": (("rate",), ("fraction",), ("proportion",)),
    "frac": (("fraction",),),
    "runs": (("repetition",), ("repeat",), ("trial",)),
    "grad": (("gradient",),),
    "accum": (("accumulation",),),
    "acc": (("accumulation",),),
    "nproc": (("process",),),
    "res": (("resolution",),),
    "resolution": (("size",),),
    "lambda": (("weight",),),
    "prompt": (("text",),),
}

WEAK = frozenset("num n nb nr no number count the of a in per is use with for to name do args arg s".split())
"""Words of an option name that say little: people leave them out."""

GENERIC = frozenset("size rate path dir type max min len length step train training file value model data".split())
"""Words that many options share: alone they point to none."""

DATA_WORDS = frozenset("data dataset corpus benchmark".split())
MODEL_WORDS = frozenset("model arch architecture backbone network net".split())
OUTPUT_WORDS = frozenset("out output save dest destination result results export log logdir outdir".split())
"""Words in the names of options that take data, a model, or a place to write to."""

PATH_WORDS = frozenset(
    "dir directory path file folder root ckpt checkpoint checkpoints config cfg input output out data image img weights save "
    "load log vocab source src target".split()
)
"""Words in the names of options that take a path."""

EVERYDAY_VALUES = frozenset(
    "train training test testing eval evaluate val true false none all default yes no sum mean max min base small large auto "
    "best last model data dataset".split()
)
"""Values of options that are also everyday words of a request: they need their option named beside them."""

PLAIN_NAMES = frozenset(
    "main run train test eval evaluate model models data dataset src lib core utils util example examples script scripts code "
    "demo task project implementation implementations python method usage training evaluation feature features image images "
    "text".split()
)
"""Names that many folders and files bear: equal to a word of the request, they point to none."""

LIBRARY_WORDS = frozenset("import class function method module library api snippet object instantiate tensor layer shape".split())
"""A request with these words asks for a use of the library."""

PROGRAM_WORDS = frozenset(
    "train finetune pretrain epoch gpu batch learning dataset command terminal shell bash cli script seed checkpoint "
    "benchmark evaluate".split()
)
"""A request with these words asks for a program to be run."""

VERBS: dict[str, frozenset[str]] = {
    # what a program does -> how requests and file names say it (stems are compared)
    "train": frozenset({"train", "fit", "learn"}),
    "evaluate": frozenset({"evaluate", "eval", "val", "test", "validate", "assess", "benchmark", "score"}),
    "predict": frozenset({"predict", "infer", "inference", "classify", "detect", "segment"}),
    "generate": frozenset({"generate", "sample", "synthesize", "translate"}),
    "prepare": frozenset({"prepare", "preprocess", "build", "process", "convert", "create"}),
    "pretrain": frozenset({"pretrain", "pretraining"}),
    "finetune": frozenset({"finetune", "finetuning"}),
    "export": frozenset({"export", "onnx"}),
    "visualize": frozenset({"visualize", "visualise", "plot", "draw", "show"}),
    "download": frozenset({"download", "fetch"}),
    "serve": frozenset({"serve", "deploy", "demo"}),
}

NUMBER_WORDS: dict[str, int] = {
    "zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "sixteen": 16, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000,
}  # fmt: skip
"""`one` is left out: it is a pronoun far more often than a value."""
