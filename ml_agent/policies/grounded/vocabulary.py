"""How people in this field say what programs spell: synonyms and abbreviations of option names, verbs, number words.

Facts about the language of machine learning, not about any repository.
"""

ABBREVIATIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    # one word of an option name -> the phrases that people say for it
    "lr": (("learning", "rate"), ("step", "size"), ("learn", "rate"), ("initial", "rate"), ("rate",)),
    "bs": (("batch", "size"), ("batch",), ("per", "batch"), ("examples", "per", "step")),
    "bsz": (("batch", "size"), ("batch",)),
    "batchsize": (("batch", "size"),),
    "wd": (("weight", "decay"), ("l2",), ("l2", "penalty"), ("decay",)),
    "lamb": (("lambda",), ("regularization",)),
    "reg": (("regularization",), ("regularisation",)),
    "l2": (("weight", "decay"), ("regularization",)),
    "init": (("initial",), ("initialization",)),
    "epoch": (("iteration",), ("epoch",), ("pass",), ("sweep",), ("round",)),
    "img": (("image",), ("picture",), ("pixel",)),
    "imgs": (("image",), ("picture",)),
    "pics": (("picture",), ("image",)),
    "bandwidth": (("kbps",),),
    "bitrate": (("kbps",),),
    "cfg": (("config",), ("configuration",)),
    "config": (("configuration",),),
    "conf": (("config",), ("configuration",), ("confidence",)),
    "ckpt": (("checkpoint",), ("weight",), ("snapshot",), ("saved", "model")),
    "checkpoint": (("weights",), ("snapshot",), ("saved", "model")),
    "weights": (("checkpoint",),),
    "dir": (("directory",), ("folder",)),
    "folder": (("directory",),),
    "path": (("location",), ("directory",), ("file",), ("folder",)),
    "root": (("directory",), ("folder",)),
    "file": (("filename",),),
    "out": (("output",), ("result",), ("save",), ("write",), ("store",), ("into",), ("put",), ("go", "to")),
    "output": (("save",), ("result",), ("write",), ("into",), ("put",), ("go", "to"), ("store",)),
    "top": (("most", "likely"), ("best",)),
    "iterations": (("cycle",), ("round",)),
    "k": (("most", "likely"), ("best",), ("top",)),
    "save": (("checkpoint",), ("output",), ("store",), ("write",), ("keep",), ("dump",), ("into",)),
    "gpu": (("device",), ("cuda",), ("graphics", "card")),
    "gpus": (("device",), ("cuda",)),
    "device": (("gpu",), ("cuda",), ("cpu",)),
    "cuda": (("gpu",), ("device",)),
    "seed": (("random", "state"),),
    "iter": (("iteration",), ("step",), ("update",), ("cycle",)),
    "iters": (("iteration",), ("step",), ("update",), ("cycle",)),
    "niter": (("iteration",), ("epoch",), ("step",)),
    "itr": (("iteration",),),
    "opt": (("optimizer",), ("optimiser",)),
    "optim": (("optimizer",), ("optimiser",)),
    "optimizer": (("optimiser",),),
    "arch": (("architecture",), ("model",), ("backbone",), ("network",), ("encoder",)),
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
    "temp": (("temperature",), ("sharpness",)),
    "tau": (("temperature",), ("target", "network"), ("soft", "update"), ("target", "update"), ("polyak",)),
    "cpu": (("thread",), ("core",), ("processor",)),
    "freeze": (("frozen",), ("fixed",)),
    "neighbors": (("neighbour",),),
    "neighbor": (("neighbour",),),
    "color": (("colour",),),
    "center": (("centre",),),
    "normalize": (("normalise",),),
    "t": (("temperature",),),
    "sr": (("sample", "rate"), ("sampling", "rate"), ("sampling", "frequency")),
    "fs": (("sample", "rate"), ("sampling", "rate"), ("sampling", "frequency")),
    "sec": (("second",),),
    "secs": (("second",),),
    "dur": (("duration",), ("second",)),
    "duration": (("second",), ("sec",)),
    "mom": (("momentum",),),
    "lm": (("language", "model"),),
    "prob": (("probability",),),
    "thresh": (("threshold",), ("cutoff",), ("confidence",)),
    "thr": (("threshold",),),
    "freq": (("frequency",), ("every",), ("interval",)),
    "interval": (("every",), ("frequency",), ("each",)),
    "val": (("validation",), ("hold", "out"), ("held", "out"), ("aside",)),
    "eval": (("test",), ("validate",), ("evaluation",), ("evaluate",)),
    "dev": (("validation",), ("development",)),
    "pred": (("prediction",), ("predict",), ("forecast",), ("horizon",)),
    "len": (("length",), ("token",), ("long",)),
    "seqlen": (("sequence", "length"),),
    "dim": (("dimension",), ("size",), ("width",), ("embedding",)),
    "size": (("dimension",), ("pixel",), ("large",)),
    "ch": (("channel",),),
    "nf": (("filter",), ("feature",)),
    "lang": (("language",),),
    "src": (("source",), ("input",)),
    "tgt": (("target",),),
    "vocab": (("vocabulary",),),
    "workers": (("process",), ("thread",), ("loader",), ("parallel",)),
    "dropout": (("drop", "out"),),
    "drop": (("dropout",),),
    "p": (("probability",),),
    "fp16": (("half", "precision"), ("mixed", "precision"), ("float16",), ("16", "bit")),
    "bf16": (("bfloat16",), ("brain", "float")),
    "int8": (("8", "bit"), ("eight", "bit")),
    "topk": (("top",), ("most", "likely"), ("best",)),
    "imagesize": (("resolution",), ("pixel",), ("resize",), ("image", "size"), ("input", "size")),
    "sz": (("size",),),
    "topp": (("nucleus",), ("nucleus", "sampling")),
    "samples": (("time",),),
    "repeats": (("time",), ("repetition",)),
    "repeat": (("time",), ("repetition",)),
    "half": (("half", "precision"), ("fp16",), ("16", "bit")),
    "amp": (("mixed", "precision"), ("half", "precision"), ("automatic", "mixed", "precision"), ("fp16",)),
    "patience": (("early", "stopping"), ("without", "improvement"), ("no", "improvement")),
    "warmup": (("warm", "up"),),
    "pretrain": (("pre", "train"),),
    "pretrained": (("pre", "train"), ("pretrain",), ("start", "from")),
    "finetune": (("fine", "tune"), ("adapt",), ("start", "from")),
    "ratio": (("rate",), ("fraction",), ("proportion",)),
    "frac": (("fraction",),),
    "runs": (("repetition",), ("repeat",), ("trial",), ("time",)),
    "grad": (("gradient",),),
    "accum": (("accumulation",), ("accumulate",), ("gather",)),
    "acc": (("accumulation",),),
    "nproc": (("process",), ("gpu",)),
    "res": (("resolution",),),
    "resolution": (("size",),),
    "lambda": (("weight",), ("penalty",), ("coefficient",)),
    "prompt": (("text",),),
    "decay": (("penalty",), ("l2",), ("regularization",)),
    "batch": (("at", "once"), ("at", "a", "time"), ("per", "step"), ("minibatch",), ("per", "iteration")),
    "epochs": (("iteration",), ("pass",), ("sweep",)),
    "iteration": (("step",), ("update",)),
    "step": (("iteration",), ("update",)),
    "max": (("most",), ("maximum",), ("limit",), ("up", "to"), ("cut",), ("longer", "than"), ("stop", "after")),
    "min": (("least",), ("minimum",), ("shorter", "than"), ("rarer", "than")),
    "length": (("token",), ("long",)),
    "cutoff": (("cut",), ("truncate",)),
    "accumulation": (("accumulate",), ("gather",)),
    "resume": (("carry", "on"), ("continue",), ("pick", "up"), ("go", "on"), ("restart",), ("checkpoint",), ("left", "off")),
    "load": (("start", "from"), ("weights",), ("checkpoint",), ("continue",)),
    "log": (("tensorboard",), ("event",), ("print",)),
    "print": (("log",),),
    "logs": (("tensorboard",), ("event",)),
    "name": (("call",), ("label",), ("title",)),
    "exp": (("experiment",),),
    "jobs": (("parallel",), ("process",)),
    "gamma": (("discount",),),
    "alpha": (("entropy",),),
    "ent": (("entropy",),),
    "eps": (("epsilon",),),
    "hidden": (("unit",),),
    "width": (("wide",), ("pixel",)),
    "height": (("tall",), ("high",)),
    "image": (("picture",), ("photo",), ("pixel",)),
    "images": (("picture",), ("photo",)),
    "input": (("source",), ("pixel",)),
    "fps": (("frame", "per", "second"), ("frame", "rate")),
    "every": (("interval",), ("frequency",)),
    "validation": (("hold", "out"), ("held", "out"), ("aside",)),
    "viz": (("visualize",), ("visualise",), ("show",), ("on", "the", "screen")),
    "vis": (("visualize",), ("visualise",), ("show",)),
    "render": (("window",), ("draw",), ("display",)),
    "deterministic": (("mean", "action"),),
    "quiet": (("silent",),),
    "verbose": (("chatty",), ("verbosity",)),
    "share": (("public",),),
    "scale": (("resolution",), ("factor",)),
    "upscale": (("scale",), ("time",)),
    "ngpu": (("gpu",),),
    "timesteps": (("diffusion", "step"), ("time", "step"), ("step",)),
    "clip": (("clipping",),),
    "milestones": (("at", "epoch"),),
    "schedule": (("at", "epoch"), ("drop",), ("scheduler",)),
    "scheduler": (("schedule",), ("annealing",)),
    "classes": (("class",), ("label",), ("category",)),
    "class": (("label",), ("category",)),
    "labels": (("class",),),
    "speaker": (("voice",),),
    "sid": (("speaker",),),
    "text": (("sentence",), ("prompt",)),
    "query": (("question",),),
    "env": (("environment",), ("game",)),
    "algo": (("algorithm",), ("agent",)),
    "algorithm": (("agent",),),
    "episodes": (("episode",), ("game",)),
    "trials": (("trial",),),
    "host": (("address",),),
    "split": (("subset",), ("portion",)),
    "subset": (("split",),),
    "fold": (("split",),),
    "depth": (("layer",), ("block",), ("deep",)),
    "layers": (("deep",), ("block",)),
    "layer": (("block",),),
    "r": (("rank",),),
    "suffix": (("ending",),),
    "ext": (("extension",), ("ending",)),
    "extension": (("ending",),),
    "weight": (("coefficient",), ("factor",)),
    "coef": (("coefficient",), ("weight",)),
}

SHORT_FORMS: dict[str, tuple[str, ...]] = {
    # what people write for short -> the words that they mean by it
    "lr": ("learning", "rate"), "bs": ("batch", "size"), "bsz": ("batch", "size"), "wd": ("weight", "decay"), "seq": ("sequence",),
    "len": ("length",), "dim": ("dimension",), "dims": ("dimension",), "ckpt": ("checkpoint",), "cfg": ("config",), "conf": ("confidence",),
    "dir": ("directory",), "iters": ("iteration",), "iter": ("iteration",), "temp": ("temperature",), "prob": ("probability",),
    "img": ("image",), "imgs": ("image",), "res": ("resolution",), "vocab": ("vocabulary",), "val": ("validation",), "opt": ("optimizer",),
    "optim": ("optimizer",), "arch": ("architecture",), "hparams": ("hyperparameter",), "pct": ("percent",), "mem": ("memory",),
}  # fmt: skip

COMPOUNDS: dict[tuple[str, str], str] = {
    ("learning", "rate"): "lr", ("batch", "size"): "bs", ("weight", "decay"): "wd",
    ("image", "size"): "imagesize", ("img", "size"): "imagesize", ("input", "size"): "imagesize", ("img", "sz"): "imagesize",
    ("top", "p"): "topp", ("top", "k"): "topk",
}  # fmt: skip
"""Words of an option's name that stand for one thing together -> its short form, which has other words that people say."""

GLUED_ENDS = (
    "name", "names", "dir", "path", "file", "folder", "root", "size", "sz", "length", "len", "rate", "type", "steps", "iters", "epochs",
    "only", "mode",
)  # fmt: skip
GLUED_HEADS = frozenset(
    "exp experiment run job check task model data dataset file user project proj group image in out output input cache work train test "
    "log save load checkpoint result results feat tokenizer env host learning sampling crop patch kernel hop win vocab ref base text "
    "audio video".split()
)
GLUED_COUNTS = ("num", "max", "min", "n")
"""Names of options are written in one word as well: `expname`, `outdir`, `numworkers`, `maxlen`. These are what they are made of."""

WEAK = frozenset("num n nb nr no number count the of a in per is use with for to name do args arg s".split())
"""Words of an option name that say little: people leave them out."""

GENERIC = frozenset("size rate path dir type max min len length step train training file value model data".split())
"""Words that many options share: alone they point to none."""

DATA_WORDS = frozenset("data dataset datasets corpus benchmark".split())
MODEL_WORDS = frozenset("model arch architecture backbone network net".split())
SPOKEN = {"avg": ("average", "averaging", "mean"), "bi": ("bidirectional",), "uni": ("unidirectional",), "rand": ("random",)}
"""Values that are abbreviated, with what people say for them."""

OUTPUT_WORDS = frozenset("out output save dest destination result results export log logdir outdir".split())
"""Words in the names of options that take data, a model, or a place to write to."""

PATH_WORDS = frozenset(
    "dir directory path file folder root ckpt checkpoint checkpoints config cfg input output out data image img weights save "
    "load log vocab source src target".split()
)
"""Words in the names of options that take a path."""

EVERYDAY_VALUES = frozenset(
    "train training test testing eval evaluate val true false none all default yes no sum mean max min base small large auto "
    "best last model data dataset batch step steps epoch epochs image images text no both first second gpu".split()
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
    "predict": frozenset({"predict", "infer", "inference", "classify", "detect", "segment", "transcribe"}),
    "generate": frozenset({"generate", "sample", "synthesize", "translate"}),
    "prepare": frozenset({"prepare", "preprocess", "build", "process", "convert", "create"}),
    "pretrain": frozenset({"pretrain", "pretraining"}),
    "finetune": frozenset({"finetune", "finetuning", "ft"}),
    "export": frozenset({"export", "onnx", "merge"}),
    "visualize": frozenset({"visualize", "visualise", "plot", "draw", "show"}),
    "download": frozenset({"download", "fetch"}),
    "serve": frozenset({"serve", "server", "deploy", "demo", "gradio", "webui"}),
    "distill": frozenset({"distill", "distil", "distillation"}),
    "compile": frozenset({"compile", "compilation"}),
    "replay": frozenset({"replay", "enjoy", "watch", "rollout", "play", "behold"}),
    "record": frozenset({"record", "video", "movie", "mp4"}),
}
