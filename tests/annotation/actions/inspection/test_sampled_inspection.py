"""Inspection by sample: which submissions are inspected, the outcome of the others, and that authors cannot tell them
apart.
"""

import csv
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.actions.inspection import returns
from annotation.actions.projects import projects
from annotation.actions.queue import voiding
from annotation.actions.queue.assignments import claim
from annotation.actions.releases import releases
from annotation.actions.rewriting import rewrites
from annotation.actions.rewriting.simulated_rewriting import simulate_rewriting
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.domain.workflow import ItemState
from annotation.models import Inspection, Item, Project, Slot, Step
from annotation.selectors.inspection.inspections import inspection_report
from annotation.selectors.projects.progress import rewriting_progress_of
from annotation.selectors.releases.releases import instances_of, manifest_of, prospect_of
from annotation.selectors.releases.releases import write as write_files
from annotation.selectors.rewriting.author_work import own_writing
from annotation.selectors.rewriting.rewrites import rewrite_in_force, was_inspected
from annotation.selectors.rewriting.rewriting_board import rewriting_board_of
from core.models import Event, Role, User
from tests import factories
from tests.annotation.actions.queue.assigned_work import history, refused, state
from tests.rewriting import CANDIDATES, begin, inspect, items, rewriting_project, submit, take, write

RETURN, DISCARD = InspectionVerdict.RETURN, InspectionVerdict.DISCARD
OTHERS = [*CANDIDATES[:3], "Forty chairs will do."]


@pytest.fixture
def project(researcher: User) -> Project:
    """Return a project in which the first two texts of each author are inspected, and hardly any later ones."""
    return rewriting_project(researcher, inspected_percent=1, first_in_full=2)


@pytest.fixture
def author(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def other(project: Project) -> User:
    return factories.person("bo", project=project)


@pytest.fixture
def inspector(project: Project) -> User:
    return factories.person("ida", Role.INSPECTOR, project=project)


def states(made: list[Item]) -> list[str]:
    return [state(item) for item in made]


def set_to(project: Project, **settings: int) -> None:
    projects.change_settings(project=project, settings=settings, by=project.created_by)


def freeze(project: Project):
    return releases.freeze(project=project, seed=0, report=factories.no_progress, by=project.created_by)


# ---- what is drawn --------------------------------------------------------------------------------------------------
def test_without_a_choice_everything_is_inspected(researcher):
    project = rewriting_project(researcher, "full", first_in_full=0)
    made = items(project, 5)
    author = factories.person("cy", project=project)
    for _item in made:
        write(project, author)
    assert set(states(made)) == {ItemState.WRITTEN}


def test_of_each_author_the_first_ones_are_inspected_and_others_accepted_as_they_are(project, author, other):
    made = items(project, 6)
    for person in (author, author, author, other, other, other):
        write(project, person)
    assert states(made) == ["written", "written", "kept"] * 2
    slots = Slot.objects.filter(queue__step=Step.INSPECT).values_list("item", flat=True)
    assert set(slots) == {made[number].pk for number in (0, 1, 3, 4)}


def test_what_is_accepted_without_inspection_says_so_in_the_audit_log(project, author):
    made = items(project, 3)
    for _item in made:
        write(project, author)
    assert history(made[2]) == [("open", "kept")]
    assert Event.objects.get(subject="item", became="kept").why == "not drawn for inspection"


def test_work_that_was_voided_is_not_among_an_author_s_first(project, author):
    made = items(project, 5)
    write(project, author)
    write(project, author)
    since = timezone.now() - timedelta(days=1)
    voiding.void_work(project=project, person=author, since=since, why="copied", by=project.created_by)
    taken = [write(project, author).assignment.slot.item for _number in range(3)]
    assert states(taken) == ["written", "written", "kept"]
    assert set(taken) == set(made[2:])


def test_sent_twice_it_is_one_among_the_author_s_first(project, author):
    made = items(project, 2)
    first = write(project, author)
    submit(first, revision=0)
    write(project, author)
    assert states(made) == ["written", "written"]


def test_the_lot_falls_the_same_whenever_an_instance_is_submitted(researcher):
    def drawn(slug: str, order: int) -> set[str]:
        project = rewriting_project(researcher, slug, inspected_percent=50, first_in_full=0)
        items(project, 30)
        author = factories.person(f"author-{slug}", project=project)
        User.objects.filter(pk=author.pk).update(username="an")
        author.refresh_from_db()
        begun = [
            rewrites.open_assignment(assignment=assignment, by=author)
            for assignment in claim(project=project, step=Step.WRITE, count=30, by=author)
        ]
        for rewrite in begun[::order]:
            submit(rewrite)
        User.objects.filter(pk=author.pk).update(username=f"was-{slug}")
        return set(project.items.filter(state=ItemState.WRITTEN).values_list("external_id", flat=True))

    first = drawn("one", 1)
    assert first == drawn("two", -1)
    assert 5 < len(first) < 25


def test_what_was_sent_back_is_always_inspected_again(project, author, inspector):
    [item] = items(project)
    write(project, author)
    inspect(project, inspector, RETURN)
    set_to(project, first_in_full=0)
    submit(begin(project, author), candidates=OTHERS)
    assert state(item) == ItemState.WRITTEN
    inspect(project, inspector)
    assert inspection_report(project)["instances"]["not_inspected"] == 0


def test_another_share_holds_for_what_is_submitted_from_then_on(project, author):
    made = items(project, 5)
    for _number in range(3):
        write(project, author)
    set_to(project, inspected_percent=100)
    assert states(made[:3]) == ["written", "written", "kept"]
    write(project, author)
    set_to(project, inspected_percent=1)
    assert state(made[3]) == ItemState.WRITTEN
    write(project, author)
    assert states(made) == ["written", "written", "kept", "written", "kept"]


# ---- what its author can tell ---------------------------------------------------------------------------------------
def test_an_author_sees_no_difference_in_what_became_of_their_own_work(project, author):
    items(project, 4)
    seen = []
    for _number in range(4):
        write(project, author)
        seen.append(own_writing(author))
    assert [(own.written, own.accepted, own.returned_before, own.discarded) for own in seen] == [
        (1, 0, 0, 0),
        (2, 0, 0, 0),
        (3, 0, 0, 0),
        (4, 0, 0, 0),
    ]


def test_what_inspectors_accepted_is_accepted_to_its_author(project, author, inspector):
    items(project, 3)
    for _number in range(3):
        write(project, author)
    inspect(project, inspector)
    assert own_writing(author).accepted == 1


# ---- voiding --------------------------------------------------------------------------------------------------------
def test_a_voided_text_that_nobody_inspected_opens_its_item_again(project, author, other, inspector):
    [item] = items(project)
    set_to(project, first_in_full=0)
    write(project, author)
    assert state(item) == ItemState.KEPT
    since = timezone.now() - timedelta(days=1)
    assert voiding.void_work(project=project, person=author, since=since, why="copied", by=project.created_by) == 1
    assert state(item) == ItemState.OPEN
    assert inspection_report(project)["instances"]["not_inspected"] == 0
    assert take(project, Step.WRITE, author) is None
    set_to(project, first_in_full=1)
    submit(begin(project, other), candidates=OTHERS)
    assert state(item) == ItemState.WRITTEN
    inspect(project, inspector)
    assert inspection_report(project)["instances"]["inspected"] == 1


def test_a_text_after_a_voided_one_that_was_inspected_counts_as_not_inspected(project, author, other, inspector):
    [item] = items(project)
    write(project, author)
    inspect(project, inspector)
    since = timezone.now() - timedelta(days=1)
    voiding.void_work(project=project, person=author, since=since, why="copied", by=project.created_by)
    set_to(project, first_in_full=0)
    submit(begin(project, other), candidates=OTHERS)
    assert state(item) == ItemState.KEPT
    assert inspection_report(project)["instances"] == {
        "inspected": 0,
        "discarded": 0,
        "revised": 0,
        "not_inspected": 1,
        "returned_later": 0,
        "discarded_share": None,
    }


# ---- bots -----------------------------------------------------------------------------------------------------------
def test_bots_write_and_judge_until_nothing_is_left(researcher):
    project = rewriting_project(researcher, "bots", inspected_percent=30, first_in_full=2)
    items(project, 30)
    done = simulate_rewriting(project=project, people=4, seed=0, report=factories.no_progress, by=researcher)
    assert set(project.items.values_list("state", flat=True)) <= {"kept", "removed", "open"}
    found = inspection_report(project)["instances"]
    assert found["not_inspected"] > 5
    assert done["inspected"] == Inspection.objects.exclude(decided_at=None).count() < done["written"]
    assert found["inspected"] + found["not_inspected"] == project.items.filter(state__in=("kept", "removed")).count()


# ---- figures --------------------------------------------------------------------------------------------------------
@pytest.fixture
def story(project: Project, author: User, other: User, inspector: User) -> list[Item]:
    """Create seven items: two accepted after inspection, one of them revised; one discarded; one waiting; three
    accepted without inspection.
    """
    made = items(project, 7)
    for person in (author, author, other):
        write(project, person)
    inspect(project, inspector)
    inspect(project, inspector, RETURN)
    inspect(project, inspector, DISCARD)
    submit(begin(project, author), candidates=OTHERS)
    inspect(project, inspector)
    write(project, author)
    write(project, other)
    write(project, other)
    write(project, author)
    return made


def test_the_figures_tell_inspected_instances_from_the_others(project, story):
    found = inspection_report(project)
    assert found["inspections"] == 4
    assert (found["blind"]["answers"], found["verdicts"]) == (4, {"accept": 2, "return": 1, "discard": 1})
    share, ends = found["instances"].pop("discarded_share"), found["instances"].pop("discarded_share_ci")
    assert found["instances"] == {"inspected": 3, "discarded": 1, "revised": 1, "not_inspected": 3, "returned_later": 0}
    assert share == pytest.approx(1 / 3)
    assert ends == pytest.approx((0.0615, 0.7923), abs=5e-4)  # Wilson, 1 of 3


def test_an_instance_that_somebody_picked_out_tells_nothing_of_the_others(project, story, inspector):
    before = inspection_report(project)["instances"]
    item = project.items.filter(~was_inspected(), state=ItemState.KEPT).first()
    rewrite = rewrite_in_force(item)
    returns.return_instance(item=item, comment="Two fit.", by=project.created_by)
    [assignment] = [
        assignment
        for assignment in claim(project=project, step=Step.WRITE, by=rewrite.assignment.person)
        if assignment.slot.round == 2
    ]
    submit(rewrites.open_assignment(assignment=assignment, by=rewrite.assignment.person))
    while (verdict := inspect(project, inspector, DISCARD)).rewrite.assignment_id != assignment.pk:
        before["discarded"] += 1
        before["inspected"] += 1
    assert verdict.verdict == DISCARD
    after = inspection_report(project)["instances"]
    assert after["returned_later"] == 1
    assert (after["inspected"], after["discarded"]) == (before["inspected"], before["discarded"])
    assert after["not_inspected"] == before["not_inspected"] - 1


def test_the_board_and_the_progress_count_what_was_accepted_without_inspection(project, story):
    funnel = rewriting_board_of(project).funnel
    assert (funnel.accepted, funnel.not_inspected, funnel.discarded, funnel.waiting) == (5, 3, 1, 1)
    assert rewriting_progress_of(project)["not_inspected"] == 3


def test_what_does_not_count_moves_no_figure(project, story):
    kept = project.items.filter(state=ItemState.KEPT)
    kept.update(purpose="gold")
    assert rewriting_board_of(project).funnel.not_inspected == 0
    assert inspection_report(project)["instances"]["not_inspected"] == 0


# ---- releases -------------------------------------------------------------------------------------------------------
def test_a_release_marks_every_instance(project, story):
    assert (prospect_of(project).kept, prospect_of(project).not_inspected) == (5, 3)
    release = freeze(project)
    marks = [instance["inspected"] for instance in instances_of(release)]
    assert (marks.count(True), marks.count(False)) == (2, 3)
    assert manifest_of(release)["agreement"]["instances"]["not_inspected"] == 3
    assert freeze(project).checksum == release.checksum


def test_a_release_of_inspected_instances_alone_is_what_it_always_was(researcher, inspector):
    project = rewriting_project(researcher, "full")
    items(project, 2)
    author = factories.person("cy", project=project)
    ivo = factories.person("ivo", Role.INSPECTOR, project=project)
    for _item in range(2):
        write(project, author)
        inspect(project, ivo)
    assert all("inspected" not in instance for instance in instances_of(freeze(project)))


@pytest.mark.parametrize("format", ["jsonl", "csv", "parquet"])
def test_the_mark_is_in_every_format_and_in_the_variant(project, story, tmp_path, format):
    replies = [f"I did not get that, number {number}." for number in range(5)]
    release = releases.freeze(
        project=project, seed=0, safe_replies=replies, report=factories.no_progress, by=project.created_by
    )
    for variant in ("", "plus"):
        folder = tmp_path / (variant or "plain")
        write_files(release, format=format, variant=variant, folder=folder)
        rows = [row for path in folder.glob(f"*.{format}") for row in read(path, format)]
        assert sorted(str(row["inspected"]).lower() for row in rows) == ["false"] * 3 + ["true"] * 2


def read(path: Path, format: str) -> list[dict]:
    if format == "parquet":
        from pyarrow.parquet import read_table

        return read_table(path).to_pylist()
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file)) if format == "csv" else [json.loads(line) for line in file]


def test_the_data_card_counts_both_and_says_how_sure_the_estimate_is(project, story, tmp_path):
    write_files(freeze(project), format="jsonl", folder=tmp_path)
    card = (tmp_path / "README.md").read_text("utf-8")
    assert "3 of the 5 instances were accepted without inspection" in card
    assert "Inspected were the first 2 of each author, 1 % of the others by lot" in card
    assert "1 of 3 inspected instances was discarded (33.3 %; 95 %, Wilson: 6.1 to 79.2 %)" in card


def test_a_release_from_before_has_a_card(project, story):
    from annotation.exporters.card import data_card

    about = manifest_of(freeze(project))
    about["agreement"] = {name: value for name, value in about["agreement"].items() if name != "instances"}
    assert "without inspection" not in data_card(about)


def test_an_accepted_text_is_not_changed_by_its_author(project, author):
    [item] = items(project)
    set_to(project, first_in_full=0)
    written = write(project, author)
    assert state(item) == ItemState.KEPT
    with refused("submitted"):
        submit(written, candidates=OTHERS)
