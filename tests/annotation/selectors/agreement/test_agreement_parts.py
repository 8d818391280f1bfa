"""Agreement by source, by topic and over time, and the pairs worth a talk."""

import pytest

from annotation.actions.adjudication import adjudication
from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.models import Item, Purpose
from annotation.selectors.agreement import agreement_parts
from annotation.selectors.agreement.agreement import agreement_report
from annotation.selectors.agreement.agreement_parts import parts_of
from annotation.selectors.rating.grades import grades_in_force
from tests import factories


@pytest.fixture
def sourced(project, annotator, partner):
    """Eight pairs: from Douban graded alike, from Weibo apart; the last has one grade."""
    for number, item in enumerate(factories.pairs(project, 8)):
        item.source, item.topic = ("douban", "weibo")[number // 4], ("tea", "rain")[number % 2]
        item.save()
    factories.grade_next(project, annotator, 1, 2, 3, 4, 1, 2, 5, 5)
    factories.grade_next(project, partner, 1, 2, 3, 4, 5, 5, 4)
    return project


def parts(project):
    return parts_of(project, grades_in_force(project))


def test_each_source_has_its_own_agreement(sourced):
    douban, weibo = parts(sourced).sources
    assert [(part.name, part.block.n, part.settled, part.apart) for part in (douban, weibo)] == [
        ("douban", 4, 4, 0),
        ("weibo", 3, 3, 2),
    ]
    assert (douban.block.figures["kappa"].value, weibo.block.figures["percent"].value) == (1, 0)


def test_each_topic_has_its_own_agreement(sourced):
    assert [(part.name, part.block.n, part.apart) for part in parts(sourced).topics] == [
        ("tea", 4, 1),
        ("rain", 3, 1),
    ]


def test_what_has_no_name_and_what_is_beyond_the_largest_stands_together(sourced, monkeypatch):
    Item.objects.filter(position=1).update(source="")
    assert [(part.name, part.block.n) for part in parts(sourced).sources] == [("douban", 3), ("weibo", 3), (None, 1)]
    monkeypatch.setattr(agreement_parts, "MOST_PARTS", 1)
    assert [(part.name, part.block.n) for part in parts(sourced).sources] == [("douban", 3), (None, 4)]


def test_without_any_source_there_is_no_table_of_sources(sourced):
    sourced.items.update(source="")
    assert parts(sourced).sources == []


def test_stretches_follow_the_last_grade_of_each_pair(sourced, monkeypatch):
    monkeypatch.setattr(agreement_parts, "LEAST", 3)
    early, late = parts(sourced).stretches
    assert [(part.block.n, part.apart) for part in (early, late)] == [(4, 0), (3, 2)]
    assert early.began_at <= early.ended_at <= late.began_at <= late.ended_at


def test_the_pairs_worth_a_talk_are_those_apart_the_widest_gap_first(sourced):
    discussions = parts(sourced).discussions
    assert [(row.item.position, sorted(rating.grade for rating in row.ratings)) for row in discussions] == [
        (5, [1, 5]),
        (6, [2, 5]),
    ]


def test_disagreements_are_counted_by_the_types_that_met(sourced):
    type_confusions = parts(sourced).type_confusions
    assert [(type_confusion.low, type_confusion.high, type_confusion.pairs) for type_confusion in type_confusions] == [
        ((1, "nonsense"), (5, "informative"), 1),
        ((2, "echoing"), (5, "informative"), 1),
    ]


def test_a_pair_kept_by_a_third_person_is_still_worth_a_talk(sourced, inspector, researcher):
    before = parts(sourced)
    projects.change_settings(project=sourced, settings={"adjudicate": "on"}, by=researcher)
    [assignment] = assignments.claim(project=sourced, step="adjudicate", by=inspector)
    adjudication.decide(assignment=assignment, decision=adjudication.Decision(4, ""), by=inspector)
    after = parts(sourced)
    assert (after.sources, after.stretches, after.type_confusions) == (
        before.sources,
        before.stretches,
        before.type_confusions,
    )
    assert [row.item for row in after.discussions] == [row.item for row in before.discussions]


def test_practice_gold_and_pilot_pairs_move_no_part(sourced, annotator, partner):
    before = parts(sourced)
    for purpose in (Purpose.PRACTICE, Purpose.GOLD, Purpose.PILOT):
        factories.plant(sourced, purpose, annotator, partner)
    after = parts(sourced)
    assert (after.sources, after.topics, after.stretches, after.type_confusions) == (
        before.sources,
        before.topics,
        before.stretches,
        before.type_confusions,
    )
    assert [row.item for row in after.discussions] == [row.item for row in before.discussions]


def test_without_a_pair_of_two_grades_there_are_no_parts(project, annotator):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 3)
    found = parts(project)
    assert (found.sources, found.topics, found.stretches, found.type_confusions, found.discussions) == (
        [],
        [],
        [],
        [],
        [],
    )


def test_the_report_holds_every_part(sourced):
    report = agreement_report(sourced, draws=0)
    [douban, weibo] = report["sources"]
    assert (douban["source"], douban["n"], douban["apart"], douban["kappa"]) == ("douban", 4, 0, 1)
    assert "kappa_asymptotic" in weibo and "kappa_ci" not in weibo
    assert weibo["units"] == weibo["n"]
    assert [part["topic"] for part in report["topics"]] == ["tea", "rain"]
    assert [part["n"] for part in report["stretches"]] == [7]
    assert report["matrix"][4] == [1, 1, 0, 1, 0]
    assert report["type_confusions"][0] == {"grades": [1, 5], "types": ["nonsense", "informative"], "n": 1}
    assert [(talk["gap"], talk["grades"]) for talk in report["discussions"]] == [
        (4, {"An": 1, "Bo": 5}),
        (3, {"An": 2, "Bo": 5}),
    ]
