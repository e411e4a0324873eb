"""A conversation fits its budget, loses old results first, and never what counts."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.models.conversation import Conversation
from ml_agent.models.messages import Fault, Message, Reply
from ml_agent.models.tokens import count_request
from ml_agent.trajectory import ToolCall

OPENING = [Message("system", "Use the tools."), Message("user", "train the MLP")]
LINE = "    parser.add_argument('--lr', type=float)\n"


def count(messages: Sequence[Message]) -> int:
    return count_request(messages, (), "x:y")


def talk() -> Conversation:
    return Conversation(OPENING, count)


def turn(conversation: Conversation, number: int, text: str = LINE * 100, *, findings: bool = False, tool: str = "read_file") -> None:
    call = ToolCall(f"c{number}", tool, {"path": f"file{number}.py"})
    conversation.add(Reply(f"I look at file {number}.", (call,)).turn({call.id: text}), findings=(call.id,) if findings else ())


def results(messages: Sequence[Message]) -> dict[str, str]:
    return {message.call_id: message.text for message in messages if message.role == "tool"}


def check_pairs(messages: Sequence[Message]) -> None:
    """Each call has its result, right behind it, and each result its call."""
    waiting: list[str] = []
    for message in messages:
        if message.role == "tool":
            assert message.call_id == waiting.pop(0)
        else:
            assert waiting == []
            waiting = [call.id for call in message.calls]
    assert waiting == []


def test_what_fits_is_sent_as_it_is() -> None:
    conversation = talk()
    turn(conversation, 1)
    before = conversation.within(10_000)
    assert results(before) == {"c1": LINE * 100}
    assert conversation.tokens == count(before)
    assert conversation.within(10_000) == before


def test_the_oldest_results_give_way_first() -> None:
    conversation = talk()
    for number in range(10):
        turn(conversation, number)
    sent = conversation.within(9_000)  # of 11,300
    kept = [text == LINE * 100 for text in results(sent).values()]
    assert kept == [False] * 5 + [True] * 5  # down to 70 %
    assert results(sent)["c0"].startswith("    parser")
    assert results(sent)["c0"].endswith('were left out here to make room; to see them again: read_file {"path": "file0.py"}]')
    check_pairs(sent)


def test_it_stays_the_same_for_some_steps() -> None:
    """A service keeps what it has read of a conversation as long as the beginning does not change."""
    conversation, changes = talk(), 0
    before: list[Message] = []
    for number in range(100):
        turn(conversation, number)
        sent = conversation.within(20_000)
        assert count(sent) <= 20_000
        changes += sent[: len(before)] != before
        before = sent
    assert 1 <= changes <= 20


def test_small_results_give_way_last() -> None:
    conversation = talk()
    for number, text in enumerate(["few\nwords " * 30, LINE * 100, LINE * 100, LINE * 100]):
        turn(conversation, number, text)
    sent = results(conversation.within(2_500))
    assert [text.count("left out") for text in sent.values()] == [0, 1, 1, 0]


def test_the_plan_and_the_findings_stay() -> None:
    conversation = talk()
    conversation.say("The plan: look " + "p" * 400, plan=True)
    turn(conversation, 0, "failed\nerror: no option --learnrate", findings=True, tool="check_answer")
    turn(conversation, 1, "rejected\n" + "error: no option --rate\n" * 50, findings=True, tool="submit")
    for number in range(2, 60):
        turn(conversation, number)
    sent = conversation.within(4_000)
    assert count(sent) <= 4_000
    assert sent[0] == OPENING[0]
    assert sent[1].text.startswith("train the MLP\n\n")
    assert "The plan: look " + "p" * 400 in sent[1].text
    assert results(sent)["c1"] == "rejected\n" + "error: no option --rate\n" * 50  # the last ones
    assert "c0" not in results(sent)
    assert results(sent)["c59"] == LINE * 100
    check_pairs(sent)


def test_a_revised_plan_takes_the_place_of_the_one_before() -> None:
    conversation = talk()
    conversation.say("First plan.", plan=True)
    for number in range(30):
        turn(conversation, number)
        if number == 3:
            conversation.say("Second plan.", plan=True)
    texts = "\n".join(message.text for message in conversation.within(2_500))
    assert "Second plan." in texts
    assert "First plan." not in texts


def test_whole_turns_that_are_left_out_are_counted() -> None:
    conversation = talk()
    for number in range(60):
        turn(conversation, number, "ok", tool="grep" if number % 3 else "run")
    sent = conversation.within(600)
    gone = 60 - len(results(sent))
    note = f"train the MLP\n\n[{gone} earlier replies of yours and their results were left out here to make room; calls by tool: grep "
    assert sent[1].text.startswith(note)
    assert sent[1].text.endswith("What you still need of them, call again]")
    check_pairs(sent)
    turn(conversation, 60, LINE * 30)
    assert f"[{61 - len(results(conversation.within(600)))} earlier replies" in conversation.within(600)[1].text


def test_long_words_of_the_model_give_way_too() -> None:
    conversation = talk()
    code = ToolCall("w", "write_file", {"path": "x.py", "content": "print(1)\n" * 5_000})
    conversation.add(Reply("thought " * 2_000, (code,)).turn({"w": "created x.py"}))
    turn(conversation, 1, "ok")
    turn(conversation, 2, "ok")
    sent = conversation.within(2_000)
    said = sent[2]
    assert said.calls[0].arguments["path"] == "x.py"
    assert said.calls[0].arguments["content"].endswith("characters were left out here]")
    assert said.text.startswith("thought thought")
    assert len(results(sent)) == 3


def test_one_result_that_is_too_long_is_cut_in_its_middle() -> None:
    conversation = talk()
    turn(conversation, 1, "first line\n" + LINE * 500 + "last line")
    sent = conversation.within(1_000)
    assert 900 <= count(sent) <= 1_000
    text = results(sent)["c1"]
    assert text.startswith("first line")
    assert text.endswith("last line")
    assert 'to see them again: read_file {"path": "file1.py"}' in text
    turn(conversation, 2, "ok")
    assert "more lines were left out" in results(conversation.within(300))["c1"]  # counted from all of it


def test_long_results_of_one_turn_share_the_room() -> None:
    conversation = talk()
    calls = tuple(ToolCall(f"c{n}", "grep", {"pattern": str(n)}) for n in range(4))
    conversation.add(Reply("", calls).turn({"c0": "short", **{f"c{n}": LINE * 100 * n for n in range(1, 4)}}))
    sent = conversation.within(1_500)
    lengths = [len(text) for text in results(sent).values()]
    assert lengths[0] == 5
    assert max(lengths[1:]) < 1.2 * min(lengths[1:])


def test_findings_in_the_last_turn_are_cut_last() -> None:
    conversation = talk()
    calls = (ToolCall("read", "read_file", {"path": "a.py"}), ToolCall("sent", "submit", {"code": "python a.py"}))
    wrong = "rejected\n" + "error: no option --rate\n" * 60
    conversation.add(Reply("", calls).turn({"read": LINE * 60, "sent": wrong}), findings=("sent",))
    conversation.say("The plan: " + "p" * 800, plan=True)
    sent = conversation.within(900)
    assert results(sent)["sent"] == wrong
    assert "left out" in results(sent)["read"]
    assert sent[-1].text == "The plan: " + "p" * 800


def test_where_nothing_else_is_left_the_task_is_cut() -> None:
    conversation = Conversation([Message("system", "s" * 4_000), Message("user", "begin" + "t" * 40_000 + "end")], count)
    sent = conversation.within(1_500)
    assert count(sent) <= 1_500
    assert sent[0].text == "s" * 4_000
    assert sent[1].text.startswith("begin")
    assert sent[1].text.endswith("end")
    assert count(conversation.within(200)) <= 200


def test_faulty_replies_are_kept_whole() -> None:
    conversation = talk()
    bad = ToolCall("bad", "nosuch", {})
    conversation.add(Reply("", faulty_calls=(bad,), faults=(Fault("unknown_tool", "There is no such tool.", "bad"),)).turn())
    conversation.add(Reply("Hm.", faults=(Fault("no_call", "Call a tool."),)).turn())
    conversation.add(Reply("", faults=(Fault("empty", "Your reply was empty."),)).turn())
    sent = conversation.within(10_000)
    check_pairs(sent)
    assert [message.role for message in sent] == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert sent[-1].text == "Call a tool.\n\nYour reply was empty."


TEXTS = st.one_of(
    st.text(max_size=60),
    st.builds(lambda text, times: (text + "\n") * times, st.text(min_size=1, max_size=40), st.integers(1, 150)),
)
CALLS = st.lists(st.tuples(st.sampled_from(["grep", "run", "submit"]), TEXTS, TEXTS, st.booleans()), min_size=0, max_size=4)
TURNS = st.lists(st.tuples(st.text(max_size=400), CALLS, st.sampled_from(["", "", "plan", "note"])), max_size=12)


def build(turns: list[tuple[str, list[tuple[str, str, str, bool]], str]], budget: int | None = None) -> Conversation:
    conversation = talk()
    for number, (text, calls, said) in enumerate(turns):
        made = tuple(ToolCall(f"{number}.{n}", tool, {"x": argument}) for n, (tool, argument, _, _) in enumerate(calls))
        told = {call.id: result for call, (_, _, result, _) in zip(made, calls, strict=True)}
        wrong = [call.id for call, (_, _, _, bad) in zip(made, calls, strict=True) if bad]
        conversation.add(Reply(text, made).turn(told), findings=wrong)
        if said:
            conversation.say(f"{said} {number}", plan=said == "plan")
        if budget is not None:
            conversation.within(budget)
    return conversation


@given(turns=TURNS, more=st.integers(0, 4_000))
def test_it_is_within_the_budget_wherever_that_is_possible(
    turns: list[tuple[str, list[tuple[str, str, str, bool]], str]], more: int
) -> None:
    least = build(turns)
    least.within(0)
    budget = least.tokens + more
    conversation = build(turns)
    sent = conversation.within(budget)
    assert count(sent) <= conversation.tokens <= budget
    check_pairs(sent)
    assert conversation.within(budget) == sent  # once is enough
    assert build(turns).within(budget) == sent


@given(turns=TURNS, budget=st.integers(500, 8_000))
def test_step_by_step(turns: list[tuple[str, list[tuple[str, str, str, bool]], str]], budget: int) -> None:
    conversation = build(turns, budget)
    sent = conversation.within(budget)
    check_pairs(sent)
    assert sent[0] == OPENING[0]
    plans = [f"plan {number}" for number, (_, _, said) in enumerate(turns) if said == "plan"]
    texts = "\n".join(message.text for message in sent)
    assert not plans or plans[-1] in texts
    assert OPENING[1].text in sent[1].text
    for number, (_, calls, _) in reversed(list(enumerate(turns))):
        if any(bad for *_, bad in calls):
            found = [(f"{number}.{n}", text) for n, (_, _, text, bad) in enumerate(calls) if bad]
            fits = sum(count([Message("tool", text)]) for _, text in found) < budget // 8
            if fits and count(sent) < budget // 2:
                assert all(results(sent)[call_id] == text for call_id, text in found)
            break


@pytest.mark.parametrize("name", ["openai:gpt-4o", "x:y"])
def test_each_message_is_counted_once(name: str) -> None:
    counted: list[Message] = []

    def counting(messages: Sequence[Message]) -> int:
        counted.extend(messages)
        return count_request(messages, (), name)

    conversation = Conversation(OPENING, counting)
    for number in range(50):
        turn(conversation, number)
        conversation.within(10**9)
    assert len(counted) == 2 + 2 * 50
