"""Collectors of what a release freezes, by kind of project: kept items as instances, and the figures about them."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import Count, F

from annotation.domain.corpora.dialogue import conversation
from annotation.domain.rating.rating import final_grade, gap
from annotation.domain.releases.instances import RatedPair, RewrittenInstance
from annotation.domain.releases.rewriting_statistics import rewriting_statistics
from annotation.domain.releases.statistics import rating_statistics
from annotation.domain.rewriting.rewriting import CandidateRole, shown_order
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Inspection, Item, Kind, Project, Rating, Rewrite
from annotation.models.work import RatingQuerySet
from annotation.selectors.adjudication import final_grades
from annotation.selectors.agreement.agreement import frozen_agreement
from annotation.selectors.inspection.inspections import inspection_report, not_inspected
from annotation.selectors.rating.model_grades import columns_of, model_grades_of, released_by_model
from annotation.selectors.reasoning import reasoning_of, reasoning_report
from annotation.selectors.rewriting.rewrites import was_inspected
from core.actions.jobs import ProgressReport
from core.domain.batches import batched

CHUNK = 1_000
READ = ("content", "digest", "external_id", "group", "source", "topic")  # fields of an item


class UnsplitInstance(NamedTuple):
    """Release instance before its split is drawn. Instances that share one of their `groups` get the same split."""

    groups: tuple[str, ...]
    digest: str
    content: Any


@dataclass(frozen=True)
class ReleaseCollector:
    """Functions that collect a release for one kind of project.

    `instances` yields the kept items of a project, given the seed and their number; `statistics` are about the
    instances; `agreement` is about the people who judged them; `guidelines` counts what was made under each version,
    `models` what each model graded; `annotators` counts the people by what they did.
    """

    instances: Callable[[Project, int, int, ProgressReport], Iterator[UnsplitInstance]]
    statistics: Callable[[Project, Any], dict[str, Any]]
    agreement: Callable[[Project], dict[str, Any]]
    guidelines: Callable[[Project], dict[str, int]]
    models: Callable[[Project], dict[str, int]]
    annotators: Callable[[Project], dict[str, int]]


def kept_pairs(project: Project, seed: int, kept: int, report: ProgressReport) -> Iterator[UnsplitInstance]:
    """Yield every kept pair whose text is stored."""
    in_force = _kept_grades(project)
    labels = _labels(in_force.values_list("assignment__person__username", flat=True))
    decided, has_models = final_grades(project), bool(released_by_model(project))
    rows = in_force.order_by("assignment__slot__item_id").values_list(
        "assignment__slot__item_id", "assignment__person__username", "grade", "reason", named=True
    )
    for done, chunk in enumerate(batched(_by_item(rows), CHUNK)):
        items = Item.objects.only(*READ).in_bulk([item for item, _ratings in chunk])
        by_models = model_grades_of(items) if has_models else {}
        report(done * CHUNK // 2, kept)  # collecting is the first half of the progress, writing the second
        for item_id, ratings in chunk:
            item = items[item_id]
            pair = _rated_pair(item, ratings, labels)
            if decided:
                pair = _adjudicated(pair, decided.get(item_id), project)
            if has_models:
                pair["models"], pair["model_grades"] = columns_of(by_models.get(item_id, {}))
            yield UnsplitInstance((item.group,), item.digest, pair)


def _kept_grades(project: Project) -> RatingQuerySet:
    return Rating.objects.counting().filter(assignment__slot__item__in=project.items.to_release())


def _guidelines_of_grades(project: Project) -> dict[str, int]:
    """Count grades by the number of their guideline; imported grades have none."""
    under = _kept_grades(project).exclude(guideline=None).order_by("guideline__number")
    return {str(number): grades for number, grades in under.values_list("guideline__number").annotate(Count("pk"))}


def _accepted(project: Project) -> Any:
    """Return the texts in force of the items to release."""
    return Rewrite.objects.filter(
        assignment__slot__item__in=project.items.to_release(), assignment__state=AssignmentState.SUBMITTED
    )


def _guidelines_of_rewrites(project: Project) -> dict[str, int]:
    """Count instances by the number of the guideline that their last text was submitted under."""
    last = _accepted(project).order_by("assignment__slot__item_id", "assignment__slot__round", "pk")
    rows = last.values_list("assignment__slot__item_id", "guideline__number")
    under = Counter(dict(rows.iterator()).values())
    return {str(number): under[number] for number in sorted(filter(None, under))}


def _raters(project: Project) -> dict[str, int]:
    """Count the people who gave the grades of the kept pairs."""
    return {"raters": _kept_grades(project).values("assignment__person").distinct().count()}


def _authors(project: Project) -> dict[str, int]:
    """Count the people who wrote the accepted texts, and those who judged them."""
    accepted = _accepted(project)
    judged = Inspection.objects.filter(rewrite__in=accepted, decided_at__isnull=False)
    return {
        "authors": accepted.values("assignment__person").distinct().count(),
        "inspectors": judged.values("assignment__person").distinct().count(),
    }


def _labels(usernames: Any) -> dict[str, str]:
    """Label people r1, r2, ... by user name, sorted in Python because databases collate differently."""
    return {name: f"r{number}" for number, name in enumerate(sorted(set(usernames)), start=1)}


def _by_item(rows: Any) -> Iterator[tuple[int, list[Any]]]:
    for item, ratings in groupby(rows.iterator(chunk_size=5_000), key=lambda row: row[0]):
        yield item, list(ratings)


def _rated_pair(item: Item, ratings: list[Any], labels: dict[str, str]) -> RatedPair:
    ordered = sorted(ratings, key=lambda row: int(labels[row.assignment__person__username][1:]))
    return RatedPair(
        id=item.key,
        split="",
        prompt=item.content["prompt"],
        response=item.content["response"],
        grade=final_grade([row.grade for row in ordered]),
        grades=[row.grade for row in ordered],
        raters=[labels[row.assignment__person__username] for row in ordered],
        types=[row.reason or None for row in ordered],
        source=item.source,
        topic=item.topic,
    )


def _adjudicated(pair: RatedPair, adjudicated: int | None, project: Project) -> RatedPair:
    """Return the pair with its final grade, and whether an adjudicator gave it because the gap was too wide."""
    is_adjudicated = adjudicated is not None and gap(pair["grades"]) > project.rating.gap
    grade = final_grade(pair["grades"], adjudicated if is_adjudicated else None)
    return {**pair, "grade": grade, "adjudicated": is_adjudicated}


def accepted_instances(project: Project, seed: int, kept: int, report: ProgressReport) -> Iterator[UnsplitInstance]:
    """Yield every accepted item with its latest text."""
    accepted = Rewrite.objects.filter(
        assignment__state=AssignmentState.SUBMITTED,
        assignment__slot__item__in=project.items.counting().filter(state=ItemState.KEPT),
    )
    labels = _labels(accepted.values_list("assignment__person__username", flat=True))
    reasoning = reasoning_of(project)
    rows = accepted.order_by("assignment__slot__item_id", "assignment__slot__round").select_related(
        "assignment__slot__item"
    )
    rows = rows.annotate(author=F("assignment__person__username"), inspected=was_inspected("assignment__slot__item"))
    is_marked = not_inspected(project) > 0
    for done, (_item, rounds) in enumerate(groupby(rows.iterator(CHUNK), key=lambda row: row.assignment.slot.item_id)):
        *_earlier, rewrite = rounds
        report(done // 2, kept)
        unsplit = _unsplit(rewrite.assignment.slot.item, rewrite, labels[rewrite.author], seed)
        if is_marked:
            unsplit.content["inspected"] = rewrite.inspected
        if reasoning:
            unsplit.content["reasoning"] = reasoning.get(rewrite.assignment.slot.item_id, [])
        yield unsplit


def _unsplit(item: Item, rewrite: Rewrite, author: str, seed: int) -> UnsplitInstance:
    turns = item.content["turns"]
    context = turns[: rewrite.cut]
    order = shown_order(seed, "order", item.digest)
    content = RewrittenInstance(
        id=item.key,
        split="",
        context=context,
        speaker=turns[rewrite.cut]["speaker"],
        candidates=[rewrite.candidates[part] for part in order],
        answer=order.index(CandidateRole.RIGHT),
        parts=order,
        question=item.content["question"],
        conversation=item.group[:16],
        author=author,
        source=item.source,
        topic=item.topic,
    )
    return UnsplitInstance((item.group, conversation(context)), item.digest, content)


def _rewriting_statistics(project: Project, instances: Any) -> dict[str, Any]:
    originals = project.items.counting()
    dialogues = originals.values("group").distinct().count()
    return rewriting_statistics(instances, dialogues=dialogues, questions=originals.count())


def _found_by_people(project: Project) -> dict[str, Any]:
    """Return the inspection report and, if a reasoning type was named twice for any instance, the reasoning report."""
    reasoning = reasoning_report(project)
    return inspection_report(project) | ({"reasoning": reasoning} if reasoning["instances"] else {})


def _nothing(_project: Project) -> dict[str, int]:
    return {}


RELEASE_COLLECTORS = {
    Kind.RATING: ReleaseCollector(
        kept_pairs,
        lambda _project, pairs: rating_statistics(pairs),
        frozen_agreement,
        _guidelines_of_grades,
        released_by_model,
        _raters,
    ),
    Kind.REWRITING: ReleaseCollector(
        accepted_instances, _rewriting_statistics, _found_by_people, _guidelines_of_rewrites, _nothing, _authors
    ),
}
