"""Freezing: what goes in, what is left out, what never changes afterwards, and the same bytes for the same seed."""

import json
from datetime import timedelta
from threading import Thread

import pytest
from django.db import connection
from django.utils import timezone

from annotation.actions.queue import assignments, voiding
from annotation.actions.rating import imported_ratings, ratings
from annotation.actions.releases import releases
from annotation.exporters.canonical import checksum
from annotation.exporters.card import data_card
from annotation.models import Instance, Item, Project, Release
from annotation.selectors.releases.releases import (
    equal_before,
    instances_of,
    manifest_of,
    named,
    prospect_of,
    releases_of,
)
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.models import Event, Job
from core.models.frozen import Frozen
from tests import factories
from tests.factories import no_progress, stored
from tests.live_server import PATIENCE


def freeze(project: Project, *, seed: int = 0, job: Job | None = None) -> Release:
    return releases.freeze(project=project, seed=seed, report=no_progress, job=job, by=project.created_by)


def instances(release: Release) -> list[dict]:
    return list(instances_of(release))


@pytest.fixture
def rated(project, annotator, partner) -> Project:
    """Return a project with twelve pairs: eight kept, two removed, one with one grade, one untouched."""
    stored(project, "".join(f"第{number // 2}问\t第{number}答\n" for number in range(12)))
    factories.grade_next(project, annotator, *[4] * 8, 1, 1, 3)
    factories.grade_next(project, partner, *[5] * 8, 5, 5)
    return project


def test_a_release_holds_the_kept_pairs_and_says_what_stayed_out(rated):
    release = freeze(rated)
    assert release.number == 1
    assert release.counts["instances"] == len(instances(release)) == 8
    assert sum(release.counts["splits"].values()) == 8
    assert release.counts["left_out"] == {"open": 2, "removed": 2}
    assert release.settings == rated.settings
    assert Event.objects.get(subject="release").became == "frozen"


def test_a_pair_is_published_with_its_grades_and_without_names(rated):
    [pair, *_] = instances(freeze(rated))
    item = Item.objects.get(digest__startswith=pair["id"])
    assert (pair["prompt"], pair["response"]) == (item.content["prompt"], item.content["response"])
    assert (pair["grade"], pair["grades"], pair["raters"]) == (4.5, [4, 5], ["r1", "r2"])
    assert pair["types"] == [None, "informative"]
    frozen = json.dumps([freeze(rated).statistics, freeze(rated).agreement, instances(freeze(rated))])
    assert not any(f'"{name}"' in frozen for name in ("an", "bo", "An", "Bo"))


def test_the_checksum_is_that_of_the_exported_lines(rated):
    release = freeze(rated)
    assert release.checksum == checksum(instances_of(release))


def test_the_same_seed_freezes_the_same_bytes_and_another_seed_others(rated):
    first, again, other = freeze(rated, seed=3), freeze(rated, seed=3), freeze(rated, seed=4)
    assert [release.number for release in (first, again, other)] == [1, 2, 3]
    assert first.checksum == again.checksum
    assert instances(first) == instances(again)
    assert first.checksum != other.checksum
    assert (equal_before(first), equal_before(again), equal_before(other)) == (None, first, None)
    assert [(release.number, equal) for release, equal in releases_of(rated)] == [(3, 3), (2, 1), (1, 1)]


def test_a_prompt_is_never_in_two_splits(rated):
    positions: dict[str, set[str]] = {}
    for pair in instances(freeze(rated)):
        positions.setdefault(pair["prompt"], set()).add(pair["split"])
    assert {len(splits) for splits in positions.values()} == {1}
    assert set.union(*positions.values()) == {"train", "dev", "test"}


def test_planted_practice_gold_and_pilot_pairs_move_nothing(rated, annotator, partner):
    before = freeze(rated)
    planted = factories.pairs(rated, 9)
    for purpose, items in zip(("practice", "gold", "pilot"), (planted[:3], planted[3:6], planted[6:]), strict=True):
        Item.objects.filter(pk__in=[item.pk for item in items]).update(purpose=purpose)
    factories.grade_next(rated, partner, 3, *[4] * 10)
    factories.grade_next(rated, annotator, *[4] * 10)
    assert Item.objects.exclude(purpose="work").filter(state="kept").count() == 9
    # The two that were open are rated now as well: they are taken away again, so that only the planted ones are new.
    for item in Item.objects.filter(purpose="work", state="kept").order_by("-position")[:2]:
        Item.objects.filter(pk=item.pk).update(state="open")
    after = freeze(rated)
    assert (after.checksum, after.counts) == (before.checksum, before.counts)


def test_a_changed_grade_changes_later_releases_only(rated, partner):
    before = freeze(rated)
    frozen = instances(before)
    assignment = partner.assignments.filter(state="submitted", slot__item__state="kept").latest("ended_at")
    ratings.change(assignment=assignment, grade=3, reason="limited", by=partner)
    after = freeze(rated)
    assert instances(before) == frozen
    assert sorted(pair["grade"] for pair in instances(after)) == [3.5, *[4.5] * 7]
    assert after.checksum != before.checksum


def test_a_voided_grade_leaves_its_pair_out_of_later_releases(rated, partner, researcher):
    before = freeze(rated)
    voiding.void_work(
        project=rated, person=partner, since=timezone.now() - timedelta(days=1), why="clicked through", by=researcher
    )
    with pytest.raises(Refused) as refused:
        freeze(rated)
    assert refused.value.code == "nothing_kept"
    assert len(instances(before)) == 8
    assert named("weibo@1", by=researcher).checksum == before.checksum


@pytest.mark.django_db(transaction=True)
def test_people_go_on_rating_while_a_release_reads_one_moment(rated, annotator, partner):
    """Store a grade from another connection while the pairs are read; the release does not have it."""
    [assignment] = assignments.claim(project=rated, step="rate", by=partner)

    def grade_meanwhile() -> None:
        factories.grade(assignment, 3)
        connection.close()

    def report(done: int, total: int | None = None) -> None:
        if assignment.ratings.exists():
            return
        meanwhile = Thread(target=grade_meanwhile)
        meanwhile.start()
        meanwhile.join(timeout=PATIENCE)
        assert not meanwhile.is_alive(), "the reading made a rater wait"

    release = releases.freeze(project=rated, seed=0, report=report, by=rated.created_by)
    assignment.refresh_from_db()
    assert assignment.state == "submitted"
    assert release.counts["left_out"]["open"] == 2
    assert freeze(rated).counts["instances"] == release.counts["instances"] + 1


def test_nothing_kept_is_nothing_to_freeze(project, annotator):
    factories.pairs(project, 2)
    factories.grade_next(project, annotator, 3)
    with pytest.raises(Refused) as refused:
        freeze(project)
    assert refused.value.code == "nothing_kept"
    assert not Release.objects.exists()


@pytest.mark.parametrize("model", [Release, Instance])
def test_frozen_rows_refuse_to_be_changed_or_deleted(rated, model):
    freeze(rated)
    row = model.objects.first()
    for attempt in (row.save, row.delete, lambda: model.objects.update(pk=0), model.objects.all().delete):
        with pytest.raises(Frozen):
            attempt()


def test_a_job_whose_process_is_started_twice_makes_one_release(rated, researcher):
    job = releases.ask_for_freeze(project=rated, number=1, seed=5, by=researcher)
    first, again = releases.run_freeze(job, no_progress), releases.run_freeze(job, no_progress)
    assert (
        first
        == again
        == {"release": "weibo@1", "number": 1, "checksum": rated.releases.get().checksum, **rated.releases.get().counts}
    )
    assert rated.releases.get().seed == 5


def test_a_release_is_frozen_under_the_number_that_was_shown(rated, researcher):
    freeze(rated)
    with pytest.raises(Refused) as refused:
        releases.ask_for_freeze(project=rated, number=1, seed=0, by=researcher)
    assert refused.value.code == "number_taken"


def test_one_release_is_frozen_at_a_time(rated, researcher):
    job = releases.ask_for_freeze(project=rated, number=1, seed=0, by=researcher)
    with pytest.raises(Refused) as refused:
        releases.ask_for_freeze(project=rated, number=1, seed=0, by=researcher)
    assert refused.value.code == "busy"
    Job.objects.filter(pk=job.pk).update(state=JobState.CANCELLED)
    assert releases.ask_for_freeze(project=rated, number=1, seed=0, by=researcher).pk != job.pk


def test_an_id_that_several_pairs_share_does_not_tell_them_apart(project, annotator, partner):
    rows = ["p1,吃了吗?,吃了。", "p1,吃了吗?,没有。", "p2,去哪儿?,去爬山。"]
    stored(project, "\n".join(["id,prompt,response", *rows]) + "\n", "pairs.csv")
    for person in (annotator, partner):
        factories.grade_next(project, person, 4, 4, 4)
    ids = sorted(pair["id"] for pair in instances(freeze(project)))
    assert len(set(ids)) == 3
    assert [identity.split("-")[0] for identity in ids] == ["p1", "p1", "p2"]
    assert ids[2] == "p2"


def test_the_prospect_says_what_a_release_would_hold(rated):
    prospect = prospect_of(rated)
    assert (prospect.number, prospect.all, prospect.kept) == (1, 12, 8)
    assert prospect.left_out == {"open": 2, "removed": 2}
    release = freeze(rated)
    prompts = {split: block["prompts"] for split, block in release.statistics.items() if split != "all"}
    assert prospect.splits == prompts
    assert prospect_of(rated).number == 2


def test_releases_without_anything_in_them_are_promised_nothing(project):
    prospect = prospect_of(project)
    assert (prospect.all, prospect.kept, sum(prospect.splits.values())) == (0, 0, 0)


def test_items_of_many_annotators_are_published_with_all_their_grades(project, researcher, tmp_path):
    path = tmp_path / "grades.csv"
    rows = [f"q1,rater {number:02},{3 + number % 2},早啊,早" for number in range(12)]
    path.write_text("\n".join(["item,rater,grade,prompt,response", *rows]) + "\n")
    imported_ratings.import_ratings(project=project, path=path, report=no_progress, by=researcher)
    [pair] = instances(freeze(project))
    assert pair["raters"] == [f"r{number}" for number in range(1, 13)]
    assert pair["grades"] == [3, 4] * 6


def test_pairs_whose_text_is_not_here_stay_out_and_are_counted(rated, researcher, tmp_path):
    path = tmp_path / "grades.csv"
    path.write_text("item,rater,grade\nq1,ann,4\nq1,bob,4\n")
    imported_ratings.import_ratings(project=rated, path=path, report=no_progress, by=researcher)
    release = freeze(rated)
    assert "" not in [pair["prompt"] for pair in instances(release)]
    assert release.counts["left_out"]["without_text"] == 1
    assert release.counts["instances"] == prospect_of(rated).kept == 8
    assert prospect_of(rated).left_out["without_text"] == 1
    assert "1 more were graded elsewhere and kept" in data_card(manifest_of(release))


def test_progress_rises_to_the_number_of_kept_pairs(rated):
    told = []
    releases.freeze(
        project=rated, seed=0, report=lambda done, total=None: told.append((done, total)), by=rated.created_by
    )
    assert [total for _done, total in told] == [8] * len(told)
    assert [done for done, _total in told] == sorted(done for done, _total in told)
    assert told[-1] == (8, 8)
