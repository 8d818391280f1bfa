"""Scanning pairs with rules: findings, changed lists, and pairs imported later."""

from io import BytesIO

import pytest

from annotation.actions.cleaning import cleaning, cleaning_rules, cleaning_scan
from annotation.actions.cleaning.simulated_cleaning import simulate_cleaning
from annotation.actions.queue import assignments
from annotation.domain.cleaning.cleaning import OWN_RULES, CleaningVerdict
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import CleaningDecision, CleaningFinding, Item, Kind, Project, Slot, Step
from annotation.selectors.cleaning.cleaning import ledger_of, rules_of, waiting_in
from core.actions import jobs
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from tests.cleaning import MARKED, decide, marked_pairs, put_words, scan, take, take_pair
from tests.factories import another_project, no_progress, plant, stored

pytestmark = pytest.mark.django_db

CONTACT, NOODLES = "加我微信 lin_2024x 一起去。", "吃面。"


@pytest.fixture
def pairs(project):
    return marked_pairs(project)


def found(project: Project) -> dict[str, set[str]]:
    """Return the responses by the rule that marks their pair."""
    rules: dict[str, set[str]] = {}
    for finding in CleaningFinding.objects.filter(item__project=project).select_related("item"):
        rules.setdefault(finding.rule, set()).add(finding.item.content["response"])
    return rules


def test_a_scan_says_what_it_found_and_opens_a_slot_for_each_marked_pair(project, pairs):
    assert scan(project) == {
        "pairs": 6,
        "found": MARKED,
        "waiting": MARKED,
        "by_rule": {"weather": 3, "wechat": 1},
    }
    assert found(project)["wechat"] == {CONTACT}
    assert CleaningFinding.objects.get(rule="wechat").spans == [["response", 2, 14]]
    slots = Slot.objects.filter(queue__step=Step.CLEAN)
    assert sorted(slots.values_list("required", "free")) == [(1, 1)] * MARKED


def test_scanning_again_changes_nothing(project, pairs, annotator):
    take(project, annotator, count=2)
    before = sorted(Slot.objects.values_list("item", "position", "free"))
    scan(project)
    assert sorted(Slot.objects.values_list("item", "position", "free")) == before
    assert CleaningFinding.objects.count() == MARKED


def test_another_project_keeps_its_findings(project, pairs, researcher):
    other = another_project("douban", researcher)
    stored(other, "今天天气怎么样？\t好。\n")
    assert scan(other)["found"] == 1
    assert CleaningFinding.objects.count() == MARKED + 1


def test_pairs_of_other_purposes_are_not_looked_through(project, pairs, annotator, partner):
    gold = plant(project, "gold", annotator, partner)
    Item.objects.filter(pk=gold.pk).update(content={"prompt": "今天天气怎么样", "response": "好"})
    assert scan(project)["pairs"] == 6
    assert not CleaningFinding.objects.filter(item=gold).exists()


def test_a_new_list_marks_further_pairs(project, pairs):
    put_words(project, "面", "一起去")
    assert scan(project)["waiting"] == MARKED + 1
    assert found(project)["ours"] == {NOODLES, CONTACT}


def test_a_rule_switched_off_takes_its_pairs_out_of_the_queue_and_on_again_brings_them_back(project, pairs, annotator):
    cleaning_rules.switch(project=project, key="weather", is_on=False, by=project.created_by)
    assert scan(project)["waiting"] == 1
    assert "weather" not in found(project)
    assert [assignment.slot.item_id for assignment in take(project, annotator, count=6)] == [pairs[CONTACT].pk]
    cleaning_rules.switch(project=project, key="weather", is_on=True, by=project.created_by)
    assert scan(project)["waiting"] == MARKED
    assert len(take(project, annotator, count=6)) == MARKED


def test_a_pair_in_hand_stays_there_when_its_rule_is_switched_off(project, pairs, annotator):
    assignment = take_pair(project, annotator, pairs[CONTACT])
    cleaning_rules.switch(project=project, key="wechat", is_on=False, by=project.created_by)
    scan(project)
    decision = cleaning.decide(assignment=assignment, verdict=CleaningVerdict.SENSITIVE, by=annotator)
    assert (decision.findings, decision.removed) == ({}, 1)


def test_a_kept_pair_is_asked_about_again_only_where_more_is_found_in_it(project, pairs, annotator):
    kept = decide(project, annotator, pairs[CONTACT], CleaningVerdict.KEEP)
    assert scan(project)["waiting"] == MARKED - 1
    put_words(project, "一起去")
    assert scan(project)["waiting"] == MARKED
    kept.refresh_from_db()
    assert kept.undone_at is not None
    assert kept.assignment.state == AssignmentState.RETURNED
    again = decide(project, annotator, pairs[CONTACT], CleaningVerdict.KEEP)
    assert set(again.findings) == {"ours", "wechat"}
    assert scan(project)["waiting"] == MARKED - 1


def test_what_was_removed_stays_removed_and_is_not_asked_about(project, pairs, annotator):
    decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    put_words(project, "一起去")
    assert scan(project)["waiting"] == MARKED - 1
    assert Item.objects.get(pk=pairs[CONTACT].pk).state == ItemState.CLEANED


def test_responses_that_come_after_their_prompt_was_removed_are_removed_too(project, pairs, annotator, partner):
    decision = decide(project, annotator, pairs["我这边在下雨。"], CleaningVerdict.KNOWLEDGE)
    stored(project, "今天天气怎么样？\t后来的回复。\n")
    assert project.items.counting().count() == 4
    scan(project)
    assert project.items.counting().count() == 3
    decision.refresh_from_db()
    assert decision.removed == 4
    cleaning.undo(decision=decision, by=partner)
    assert project.items.counting().count() == 7


def test_a_pair_returned_by_time_waits_for_others(project, pairs, annotator, partner):
    claimed = take(project, annotator, count=MARKED)
    assignments.expire_assignments(now=claimed[0].lease_until.replace(year=3000))
    assert len(take(project, partner, count=MARKED)) == MARKED


def test_a_job_scans_and_one_at_a_time(project, pairs, researcher):
    job = cleaning_scan.ask_for_scan(project=project, by=researcher)
    with pytest.raises(Refused) as refusal:
        cleaning_scan.ask_for_scan(project=project, by=researcher)
    assert refusal.value.code == "busy"
    started = jobs.start(job_pk=job.pk)
    said: list[tuple[int, int | None]] = []
    result = jobs.KINDS["scan"].handler(started, lambda done, total=None: said.append((done, total)))
    jobs.finish(job_pk=job.pk, becomes=JobState.DONE, result=result)
    assert result["found"] == MARKED
    assert cleaning_scan.ask_for_scan(project=project, by=researcher).state == JobState.QUEUED


def test_a_project_of_another_kind_is_not_scanned(researcher):
    from annotation.actions.projects import projects

    dialogues = projects.create(slug="talk", kind=Kind.REWRITING, by=researcher)
    with pytest.raises(Refused, match="another kind of work"):
        scan(dialogues)


# ---- rules ----------------------------------------------------------------------------------------------------------


def test_our_own_rules_are_in_use_from_the_start(project):
    assert [(rule.key, rule.is_on) for rule in rules_of(project)] == [(key, True) for key in OWN_RULES]


def test_a_list_of_the_same_name_is_replaced_and_switched_on(project, researcher):
    put_words(project, "甲", "乙")
    cleaning_rules.switch(project=project, key="ours", is_on=False, by=researcher)
    put_words(project, "丙")
    assert [(rule.key, rule.words, rule.is_on) for rule in rules_of(project)[len(OWN_RULES) :]] == [("ours", 1, True)]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("weather", "词".encode(), "comes with the product"),
        ("  ", "词".encode(), "needs a name"),
        ("x" * 61, "词".encode(), "at most 60 characters"),
        ("ours", b"", "has no words"),
        ("ours", "好\n坏\0坏\n".encode(), "Line 2 cannot be read"),
        ("ours", b"\xff\xfe\x00\x00abc", "UTF-8"),
        ("ours", b"word\n" * 300_000, "larger than 1 MiB"),
    ],
)
def test_a_list_that_cannot_be_taken_is_refused_with_the_reason(name, content, says, project):
    with pytest.raises(Refused, match=says):
        cleaning_rules.put_words(project=project, name=name, file=BytesIO(content), by=project.created_by)
    assert not project.cleaning_rules.exists()


def test_chinese_of_windows_is_read(project):
    words = "脏话\n坏蛋\n狗东西\n".encode("gb18030")
    cleaning_rules.put_words(project=project, name="ours", file=BytesIO(words), by=project.created_by)
    assert project.cleaning_rules.get().words == ["脏话", "坏蛋", "狗东西"]


def test_an_unknown_rule_cannot_be_switched(project, researcher):
    with pytest.raises(Refused, match="no such rule"):
        cleaning_rules.switch(project=project, key="nothing", is_on=False, by=researcher)


# ---- ledger and bots ------------------------------------------------------------------------------------------------


def test_the_ledger_counts_by_rule_and_by_person(project, pairs, annotator, partner, researcher):
    decide(project, annotator, pairs[CONTACT], CleaningVerdict.SENSITIVE)
    undone = decide(project, annotator, pairs["你自己看窗外。"], CleaningVerdict.KEEP)
    cleaning.undo(decision=undone, by=researcher)
    decide(project, partner, pairs["我这边在下雨。"], CleaningVerdict.KNOWLEDGE)
    ledger = ledger_of(project)
    assert ledger.found == {"weather": 3, "wechat": 1}
    by_rule = {
        rule: (tally.keep, tally.sensitive, tally.knowledge, tally.undone) for rule, tally in ledger.by_rule.items()
    }
    assert by_rule == {"wechat": (0, 1, 0, 0), "weather": (0, 0, 1, 1)}
    by_person = {str(person): (tally.decided, tally.undone) for person, tally in ledger.by_person.items()}
    assert by_person == {"An": (1, 1), "Bo": (1, 0)}


def test_bots_clean_until_nothing_waits_and_the_same_way_again(project, pairs, researcher):
    outcomes = []
    for slug in ("one", "two"):
        other = another_project(slug, researcher)
        stored(other, "".join(f"今天天气{n}怎么样？\t第{n}条。\n" for n in range(12)))
        scan(other)
        assert simulate_cleaning(project=other, people=3, seed=5, report=no_progress, by=researcher) == 12
        assert waiting_in(other) == 0
        made = CleaningDecision.objects.in_force().of_project(other)
        outcomes.append(
            {each.assignment.slot.item.digest: each.verdict for each in made.select_related("assignment__slot__item")}
        )
    assert outcomes[0] == outcomes[1]
    assert set(outcomes[0].values()) == {"keep", "knowledge"}


def test_switching_many_leaves_one_event_for_each_that_changed(project, pairs, researcher):
    from core.models import Event

    cleaning_rules.switch(project=project, key="qq", is_on=False, by=researcher)
    to = {"weather": False, "qq": False, "wechat": True}
    assert cleaning_rules.switch_many(project=project, to=to, by=researcher) == ["weather"]
    events = Event.objects.filter(subject="cleaningrule").order_by("pk")
    assert [(event.was, event.became) for event in events] == [("on", "off")] * 2
    with pytest.raises(Refused) as refusal:
        cleaning_rules.switch_many(project=project, to={"wechat": False, "nothing": False}, by=researcher)
    assert refusal.value.code == "rule_unknown"
    assert {rule.key for rule in rules_of(project) if not rule.is_on} == {"weather", "qq"}
