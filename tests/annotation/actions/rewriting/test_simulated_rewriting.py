"""Bots that write and inspect: everything is settled under the same rules as for people, the same for the same seed."""

import pytest

from annotation.actions.rewriting.simulated_rewriting import simulate_rewriting
from annotation.domain.rewriting.rewriting import flaws
from annotation.models import Assignment, Inspection, PracticeDraft, Project, Rewrite, Step
from core.models import Role, User
from tests import factories
from tests.annotation.actions.queue.assigned_work import refused
from tests.rewriting import file_of, practice_items, question, rewriting_project


def simulate(project: Project, people: int = 4, seed: int = 0) -> dict[str, int]:
    return simulate_rewriting(
        project=project, people=people, seed=seed, report=factories.no_progress, by=project.created_by
    )


def project_of(researcher: User, slug: str, count: int = 30, **settings: int) -> Project:
    project = rewriting_project(researcher, slug, **settings)
    factories.stored(project, file_of([question(number) for number in range(count)]), "items.jsonl")
    return project


def test_bots_write_and_judge_until_nothing_is_left(researcher):
    project = project_of(researcher, "bots", inspectors=2)
    done = simulate(project, 6)
    states = list(project.items.values_list("state", flat=True))
    assert set(states) <= {"kept", "removed", "open"}
    assert states.count("kept") > 20
    assert done["written"] >= 28
    assert done["inspected"] == Inspection.objects.exclude(decided_at=None).count() == 2 * done["written"]
    assert done["skipped"] == Assignment.objects.filter(state="skipped").count()
    assert simulate(project, 6) == {"written": 0, "skipped": 0, "inspected": 0}


def test_what_they_write_has_no_flaws(researcher):
    project = project_of(researcher, "bots")
    simulate(project)
    for rewrite in Rewrite.objects.filter(submitted_at__isnull=False):
        assert flaws(rewrite.assignment.slot.item.content["turns"], rewrite.cut, rewrite.candidates) == []


def test_authors_and_inspectors_are_different_bots_nobody_can_sign_in_with(researcher):
    project = project_of(researcher, "bots", 5)
    simulate(project)
    bots = User.objects.filter(username__startswith="bots/bot-").order_by("username")
    roles = dict(project.memberships.values_list("person", "role"))
    assert [(roles[bot.pk], bot.is_active, bot.has_usable_password()) for bot in bots] == [
        *[(Role.ANNOTATOR, False, False)] * 3,
        (Role.INSPECTOR, False, False),
    ]
    for assignment in Assignment.objects.select_related("person", "slot__queue"):
        assert (assignment.slot.queue.step == Step.INSPECT) == (roles[assignment.person_id] == Role.INSPECTOR)


def test_the_same_seed_gives_the_same_texts_and_verdicts_in_any_project(researcher):
    def work(slug: str, seed: int) -> list[object]:
        project = project_of(researcher, slug)
        simulate(project, seed=seed)
        inspected = Inspection.objects.filter(assignment__slot__queue__project=project)
        rows = inspected.values_list(
            "rewrite__assignment__slot__item__digest", "assignment__slot__round", "verdict", "answer"
        )
        return sorted(map(str, rows)) + sorted(
            map(str, Rewrite.objects.filter(assignment__slot__queue__project=project).values_list("cut", "candidates"))
        )

    assert work("one", 3) == work("two", 3)
    assert work("three", 4) != work("four", 3)


@pytest.mark.parametrize("people", [0, 1, 2])
def test_too_few_bots_for_an_author_and_the_inspectors_are_refused(researcher, people):
    project = project_of(researcher, "bots", 1, inspectors=2)
    with refused("too_few_bots"):
        simulate(project, people)
    assert not Assignment.objects.exists()


def test_where_the_project_asks_for_it_bots_practise_first(researcher):
    project = project_of(researcher, "bots", 10, practice=8, practice_window=4, practice_threshold=50)
    practice_items(project, 3)
    done = simulate(project)
    assert done["written"] > 8
    assert set(project.attempts.values_list("state", flat=True)) == {"passed"}
    graded = PracticeDraft.objects.exclude(is_accepted=None).count()
    assert graded >= 4 * project.attempts.count()
    assert Inspection.objects.exclude(decided_at=None).count() == done["inspected"] + graded


def test_bots_end_where_they_cannot_practise(researcher):
    project = project_of(researcher, "bots", 3, practice=8, practice_window=4)
    [item] = practice_items(project)
    item.content["turns"] = item.content["turns"][:1]  # no cut is possible
    item.save()
    assert simulate(project) == {"written": 0, "skipped": 0, "inspected": 0}
