"""How absl's flags (and TensorFlow 1's) would take the words."""

from collections.abc import Sequence

from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.verify.reading import Argument, Given, Reading, finding, is_number

_BUILT_IN = frozenset(
    "help helpfull helpshort helpxml h verbosity v alsologtostderr logtostderr stderrthreshold log_dir showprefixforinfo "
    "logger_levels flagfile undefok run_with_pdb pdb pdb_post_mortem run_with_profiling profile_file "
    "use_cprofile_for_profiling only_check_args op_conversion_fallback_to_while_loop test_random_seed test_srcdir test_tmpdir "
    "test_randomize_ordering_seed runtime_oom_exit hbm_oom_exit xml_output_file".split()
)
_BOOLEAN = {"true": True, "t": True, "1": True, "yes": True, "y": True, "false": False, "f": False, "0": False, "no": False, "n": False}


def read_absl(entry: EntryPoint, arguments: Sequence[Argument]) -> Reading:
    reading = Reading()
    index = 0
    while index < len(arguments):
        word = arguments[index].text
        index += 1
        if arguments[index - 1].several:
            reading.loose = True
            continue
        if not word.startswith("-") or word in ("-", "--") or is_number(word):
            if word == "--":
                break
            continue  # handed to the program's main(argv)
        name, equals, value = word.lstrip("-").partition("=")
        option = _option(entry, name)
        if option is None and name.startswith("no") and (negated := _option(entry, name[2:])) and _boolean(negated):
            reading.given.append(Given(negated, (), word))
            if equals:
                reading.findings.append(finding(entry, "value", f"`--{name}` takes no value", word, negated.source, f"--{name}"))
        elif option is None:
            if name not in _BUILT_IN:
                reading.unknown.append(word)
            if name in ("help", "helpfull", "helpshort", "helpxml"):
                reading.loose = True
            elif name not in _BUILT_IN and not equals and index < len(arguments) and not arguments[index].text.startswith("-"):
                index += 1
        elif _boolean(option):
            reading.given.append(Given(option, (value,) if equals else (), word))
            if equals and value.lower() not in _BOOLEAN and not arguments[index - 1].open:
                reading.findings.append(
                    finding(entry, "value", f"`{option.name}` is a boolean, not {value!r}", word, option.source, f"{option.name}=true")
                )
        elif equals:
            reading.given.append(Given(option, (value,), word))
        elif index < len(arguments):
            reading.given.append(Given(option, (arguments[index].text,), f"{word} {arguments[index].text}"))
            index += 1
        else:
            reading.findings.append(finding(entry, "value", f"`{option.name}` needs a value", word, option.source))
    return reading


def _boolean(option: Option) -> bool:
    return option.action in ("flag", "count") or option.type in ("bool", "boolean")


def _option(entry: EntryPoint, name: str) -> Option | None:
    plain = name.replace("-", "_")
    return next((o for o in entry.options if any(a.lstrip("-").replace("-", "_") == plain for a in o.aliases)), None)
