"""The strict rule: is the answer the ground truth, as far as the task asks for it? Read, not run.

bash: the last program that the answer surely runs is the ground truth's (file and folder), each option whose value the task asks for is
there, spelled as the program takes it, with exactly that value (the last one counts), and no option that the program does not take.
python: it compiles, calls what it imports from the ground truth's packages, and each value asked for stands in live code as the ground
truth writes it. With the repositories, options and aliases are those that their programs take; without them, those of the ground truth.

Where this differs from the `strict` rule of the grader that is published with the development rows, and why:

Stricter
- Only what is surely run counts: nothing behind `exit`, `exec`, `||`, `false &&`, in branches, in functions that are not called; in
  Python nothing behind an exit at the top, in branches that a constant rules out, in handlers, in functions that are never named.
  Code that ends the program before the answer starts is the easiest way to please a grader that reads.
- From the line of a syntax error on, a shell text runs nothing; none of it does with `set -n` or a PATH of its own. A prompt
  (`$ python ...`) is no command that bash knows.
- Options that the ground truth has behind a `#` on their line are asked for like the others: lines were joined there. Such a row is
  `unreachable`.
- A name that the answer binds again is not the repository's: `def fit(*_): pass` behind an import of `fit`.
- What is only printed, or stands alone as a value, is not used.
- A value that occurs whole in the ground truth has to occur whole: `cat` is not found in `concatenate`. That a program calls a variable
  of its own so is no use of the value, unless the ground truth has it nowhere else.
- Values of an option with choices are in the case of its choices; a program without positional arguments gets none.
- How many words behind an option are its values is what the program says: `--flag DATA` leaves DATA a positional argument.
More lenient
- A Python ground truth that does not compile is read up to the line from which on it does not: notes in prose stand behind one. The rule of
  the other grader, equality to the letter, no honest answer can meet. The row is `unreachable`: its own ground truth fails.
- A ground truth that is labelled as Python and is a command line (`python3 main.py`) is read as one.
- A ground truth that runs no script may run any other command: an installed one, a built binary, `make`. Of one that the repository
  installs, options and aliases are those that it takes there. It counts for its own script too, and the script for it.
- An option that a shared parser of the program defines, in another file, is known.
"""

from dataclasses import dataclass

from ml_agent.benchmarks.base import Attempt, Sample, Verdict
from ml_agent.benchmarks.scorers.commands import Programs, judge_command, judge_run, runs_by_name, truth_of
from ml_agent.benchmarks.scorers.python_program import judge_program, readable_part
from ml_agent.benchmarks.scorers.shell_reading import read_runs
from ml_agent.task import Answer


@dataclass(frozen=True)
class StaticScorer:
    """`programs` looks up what programs take. Without `from_root`, an answer whose folder is not known may start in the row's as well."""

    programs: Programs | None = None
    from_root: bool = True
    name: str = "static"

    @property
    def version(self) -> str:
        """Tells apart what can give other verdicts."""
        return "2" + ("+programs" if self.programs is not None else "") + ("" if self.from_root else "+any-folder")

    def score(self, sample: Sample, attempt: Attempt) -> Verdict:
        answer = attempt.answer
        if answer is None:
            return Verdict(False, "no_answer", attempt.ending)
        if not answer.code.strip():
            return Verdict(False, "no_answer", "it is empty")
        if is_command(sample):
            return self._command(sample, answer)
        if not readable_part(sample.output):
            return Verdict(False, "unreachable", "no program can be read in the ground truth")
        if answer.language != sample.language:
            return Verdict(False, "wrong_language", f"{answer.language}, not {sample.language}")
        return judge_program(sample, answer.code)

    def _command(self, sample: Sample, answer: Answer) -> Verdict:
        if sample.language == "bash" and answer.language != "bash":
            return Verdict(False, "wrong_language", f"{answer.language}, not bash")
        truth = truth_of(sample)
        if truth is None:
            return judge_command(sample, answer.code, answer.workdir, self.programs)
        named = runs_by_name(sample, truth, answer.code, answer.workdir, self.programs) if self.programs is not None else None
        if named is not None:
            return judge_run(sample, truth, named, {sample.workdir}, self.programs)
        runs = read_runs(answer.code, sample.prefix_code)
        if not runs:
            return Verdict(False, "nothing_run", "no program is surely run")
        starts = {answer.workdir} if self.from_root else {answer.workdir, ".", sample.workdir}
        return judge_run(sample, truth, runs[-1], starts, self.programs)


def is_command(sample: Sample) -> bool:
    """Whether the ground truth is a command line, whatever its label says."""
    return sample.language == "bash" or (not readable_part(sample.output) and truth_of(sample) is not None)


def unreachable(sample: Sample) -> str:
    """Why not even the ground truth can pass; empty if it can. By reading it alone: the same with and without the repositories."""
    answer = Answer(sample.language, sample.output, sample.workdir)
    verdict = StaticScorer().score(sample, Attempt(sample.key, 0, "answered", answer))
    return "" if verdict.passed else f"its own ground truth does not pass: {verdict.reason}, {verdict.detail}"
