"""Practice of authors is planted beside work: no figure, release, table of items or share to inspect moves."""

from dataclasses import asdict
from typing import Any

import pytest

from annotation.actions.projects import projects
from annotation.actions.releases import releases
from annotation.actions.rewriting import rewrites
from annotation.domain.rewriting.rewriting import InspectionVerdict
from annotation.models import PracticeDraft, Project, Step
from annotation.selectors.inspection.inspections import inspection_report
from annotation.selectors.inspection.inspector_work import own_verdicts
from annotation.selectors.projects.items import items_of
from annotation.selectors.projects.overview import progress_of
from annotation.selectors.reasoning import accepted_texts, reasoning_report
from annotation.selectors.releases.releases import instances_of, prospect_of
from annotation.selectors.rewriting.author_page import latest_means
from annotation.selectors.rewriting.author_work import own_writing, writing_work
from annotation.selectors.rewriting.rewriting_board import rewriting_board_of
from core.models import Role, User
from tests import factories
from tests.factories import no_progress
from tests.rewriting import (
    answered,
    begin,
    file_of,
    inspect,
    items,
    judge,
    practice_items,
    question,
    rewriting_project,
    submit,
    take,
    write,
)


@pytest.fixture
def project(researcher: User) -> Project:
    return rewriting_project(researcher, inspected_percent=1, first_in_full=3)


@pytest.fixture
def author(project: Project) -> User:
    return factories.person("an", project=project)


@pytest.fixture
def inspector(project: Project) -> User:
    return factories.person("ivo", Role.INSPECTOR, project=project)


def worked(project: Project, author: User, inspector: User) -> None:
    """Three texts: accepted, discarded, returned for revision; one more waits, one was skipped."""
    items(project, 6)
    for verdict in (InspectionVerdict.ACCEPT, InspectionVerdict.DISCARD, InspectionVerdict.RETURN):
        write(project, author)
        inspect(project, inspector, verdict)


def planted(project: Project, author: User, inspector: User) -> None:
    """Add practice: accepted, not accepted, waiting, skipped, begun; and a file with duplicate and bad rows."""
    practice_items(project, 6)
    settings = {"practice": 9, "practice_window": 9, "practice_threshold": 100}
    projects.change_settings(project=project, settings=settings, by=project.created_by)
    bad = file_of([question(501), question(949), question(950, answer="Nobody said that.")])
    factories.stored(project, bad, "more.jsonl", is_practice=True)
    for is_accepted in (True, False, True):
        write(project, author)
        said: dict[str, Any] = {} if is_accepted else {"comments": {"0": "Says nothing."}}
        judge(
            answered(project, inspector, candidate=1),
            InspectionVerdict.ACCEPT if is_accepted else InspectionVerdict.DISCARD,
            **said,
        )
    rewrites.skip(rewrite=begin(project, author), reason="no_clue", by=author)
    write(project, author)
    begin(project, author)
    assert PracticeDraft.objects.count() == 4


def figures(project: Project, author: User, inspector: User) -> dict[str, Any]:
    board = asdict(rewriting_board_of(project))
    board.pop("as_of")
    release = releases.freeze(project=project, seed=1, report=no_progress, by=project.created_by)
    progress = [(each.pairs, each.settled) for each in progress_of(Project.objects.filter(pk=project.pk))]
    return {
        "board": board,
        "inspections": inspection_report(project),
        "reasoning": reasoning_report(project),
        "texts": accepted_texts(project),
        "prospect": (prospect_of(project).kept, prospect_of(project).left_out),
        "release": (release.checksum, release.counts, list(instances_of(release))),
        "progress": progress,
        "items": [item.pk for item in items_of(project)],
        "skipped": list(items_of(project, state="skipped")),
        "means": latest_means(project),
        "author": own_writing(author),
        "inspector": own_verdicts(inspector),
    }


def test_no_figure_moves(project, author, inspector):
    worked(project, author, inspector)
    before = figures(project, author, inspector)
    planted(project, author, inspector)
    after = figures(project, author, inspector)
    for name, figure in before.items():
        assert after[name] == figure, name


def test_practice_takes_no_share_of_what_is_inspected_in_full(project, author, inspector):
    """Practice drafts do not count towards the three texts that are inspected in full; later ones hardly ever are."""
    planted(project, author, inspector)
    items(project, 4)
    projects.change_settings(project=project, settings={"practice": 0}, by=project.created_by)
    states = [write(project, author).assignment.slot.item for _ in range(4)]
    for item in states:
        item.refresh_from_db()
    assert [item.state for item in states] == ["written", "written", "written", "kept"]


def test_nothing_of_practice_is_in_hand_or_done_today_once_it_is_over(project, author, inspector):
    planted(project, author, inspector)
    items(project, 2)
    projects.change_settings(project=project, settings={"practice": 0}, by=project.created_by)
    [work] = writing_work(author)
    assert (work.practice, work.returned, work.drafts, work.done_today, work.waiting) == (None, [], 0, 0, 2)
    assignment = take(project, Step.WRITE, author)
    assert assignment is not None
    assert assignment.slot_number == 1
    assert submit(begin(project, author)).submitted_at is not None
