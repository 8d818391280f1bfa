"""Question sets: drawn from corpora and releases, stored with the recipe that reproduces them."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.core.validators import slug_re
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from core.actions import jobs, names
from core.actions.events import record
from core.actions.jobs import ProgressReport, handles
from core.actions.refusals import Refused
from core.domain.transitions import JobState
from core.domain.wording import ChoiceError, likely
from core.models.jobs import Job
from core.models.people import User
from study.actions.questions import audits, question_rows
from study.actions.questions.question_rows import Row
from study.actions.questions.refusals import NotBuilt, sentence
from study.baselines.ablation import is_ablation
from study.domain.questions.conditions import asked_in
from study.domain.questions.sampling import (
    OWN,
    DrawnQuestion,
    QuestionDraw,
    SamplingSettings,
    TooFew,
    arranged,
    shares,
)
from study.models import QuestionSet
from study.models.questions import LONGEST_NAME
from study.selectors.questions.drawing import MOST_READ
from study.selectors.questions.material import Material, NoDialogues, NoSuchMaterial, material_of, names_of

KIND = "build_questions"


def build(
    *,
    name: str,
    sources: Sequence[str],
    count: int,
    distractors: int = 4,
    pick: str = "uniform",
    max_turns: int = 6,
    conditions: Sequence[str] = (),
    seed: int = 0,
    report: ProgressReport,
    job: Job | None = None,
    by: User,
) -> QuestionSet:
    """Draw `count` questions in equal shares from the sources. Equal seed and sources give an equal checksum.

    Each is asked in its whole context, and in those of the conditions that its context is long enough for. A job that
    runs twice builds them once. Raises Refused.
    """
    if job is not None and (made := _made_by(job)):
        return made
    settings = checked(
        name=name, count=count, distractors=distractors, pick=pick, max_turns=max_turns, conditions=conditions
    )
    materials = materials_of(sources, by=by)
    counts = shares_of(materials, count)
    drawn, left_out = _drawn(materials, counts, settings, seed, report, by)
    asked = [one for question in arranged(drawn, seed) for one in asked_in(question, conditions, seed)]
    recipe = {
        "sources": [
            {"name": material.name, "checksum": material.checksum, "count": number}
            for material, number in zip(materials, counts, strict=True)
        ],
        **settings.as_mapping(),
        "own_candidates": sum(question.pick == OWN for question in drawn),
        **_times(asked, conditions),
    }
    rows = question_rows.drawn_rows(asked, {material.name: material.origin for material in materials})
    question_set = QuestionSet(
        name=name,
        seed=seed,
        recipe=recipe,
        left_out=left_out,
        checksum=question_rows.checksum(rows),
        job=job,
        created_by=by,
    )
    return store(question_set, rows, by=by)


def shares_of(materials: Sequence[Material], count: int) -> list[int]:
    """Return how many questions come from each source. Raises Refused where some would give none."""
    counts = shares(count, len(materials))
    if not min(counts):
        raise NotBuilt("too_few_questions", wanted=count, sources=len(materials))
    return counts


def _must_have_enough(sources: Sequence[str], count: int, by: User) -> None:
    """Refuse sources that are known to give too few questions: those small enough to be read while a person waits."""
    materials = materials_of(sources, by=by, most=MOST_READ)
    for material, wanted in zip(materials, shares_of(materials, count), strict=True):
        left_out = Counter(entry.left_out for entry in material.entries if entry.left_out)
        there = len(material.entries) - left_out.total()
        if there < wanted and len(material.entries) == material.dialogues:
            raise NotBuilt("too_few", source=material.name, wanted=wanted, there=there, left_out=dict(left_out))


def _times(asked: Sequence[DrawnQuestion], conditions: Sequence[str]) -> dict[str, dict[str, int]]:
    """Return how many questions are asked in each condition; {} without conditions. Raises Refused where none is."""
    times = Counter(question.condition for question in asked)
    for condition in conditions:
        if not times[condition]:
            raise NotBuilt("condition_empty", condition=condition)
    return {"conditions": {condition: times[condition] for condition in conditions}} if conditions else {}


def _made_by(job: Job) -> QuestionSet | None:
    found: QuestionSet | None = QuestionSet.objects.filter(job=job).first()
    return found


def checked(
    *, name: str, count: int, distractors: int, pick: str, max_turns: int, conditions: Sequence[str]
) -> SamplingSettings:
    """Check the settings of a new set and return them. Raises Refused."""
    check_name(name)
    for condition, times in Counter(conditions).items():
        if not is_ablation(condition):
            raise NotBuilt("condition_wrong", condition=condition)
        if times > 1:
            raise NotBuilt("condition_twice", condition=condition)
    try:
        return SamplingSettings(count=count, distractors=distractors, max_turns=max_turns, pick=pick)
    except ChoiceError as wrong:
        raise Refused.by_rule("settings", wrong) from wrong


def check_name(name: str) -> None:
    """Refuse what is no name of a set, or that of another one. Raises Refused."""
    if not slug_re.match(name) or len(name) > LONGEST_NAME:
        raise NotBuilt("name_wrong", name=name)
    if QuestionSet.objects.filter(name=name).exists():
        raise NotBuilt("questions_exist", name=name)


def materials_of(sources: Sequence[str], *, by: User, most: int | None = None) -> list[Material]:
    """Return the material of each name, or a part of it; no dialogue occurs twice. Raises Refused."""
    if not sources:
        raise NotBuilt("no_source")
    materials: list[Material] = []
    for name in sources:
        try:
            material = material_of(name, by=by, most=most)
        except NoSuchMaterial:
            raise _no_such_source(name, by) from None
        except NoDialogues:
            raise NotBuilt("holds_pairs", source=name) from None
        for other in materials:
            if other.origin == material.origin and (
                other.split == material.split or not (other.split and material.split)
            ):
                raise NotBuilt("sources_overlap", source=other.name, other=material.name)
        materials.append(material)
    return materials


def _no_such_source(name: str, by: User) -> NotBuilt:
    return NotBuilt("no_such_source", source=name, known=likely(name, names_of(by)))


def _drawn(
    materials: Sequence[Material],
    counts: Sequence[int],
    settings: SamplingSettings,
    seed: int,
    report: ProgressReport,
    by: User,
) -> tuple[list[DrawnQuestion], Counter[str]]:
    drawn: list[DrawnQuestion] = []
    left_out: Counter[str] = Counter()
    for material, wanted in zip(materials, counts, strict=True):
        draw, before = QuestionDraw(material.name, material.entries, material.fetch, settings, seed), len(drawn)
        try:
            drawn += draw.questions(wanted, partial(_further, report, before, settings.count))
        except TooFew as few:
            raise NotBuilt(
                "too_few", source=few.source, wanted=few.wanted, there=few.there, left_out=dict(few.left_out)
            ) from few
        except NoSuchMaterial:
            raise _no_such_source(material.name, by) from None  # it has been deleted meanwhile
        left_out += draw.left_out
    return drawn, left_out


def _further(report: ProgressReport, before: int, total: int, done: int) -> None:
    report(before + done, total)


@transaction.atomic
def store(question_set: QuestionSet, rows: Sequence[Row], *, by: User) -> QuestionSet:
    """Store a new set with its questions. Raises Refused when its name is taken, or a source has been deleted."""
    parent = [question_set.parent.name] if question_set.parent else []
    names.keep([*parent, *(source["name"] for source in question_set.recipe.get("sources", ()))])
    names.claim(question_set.name, "questions")
    question_set.save()
    question_rows.store(question_set, rows)
    record(question_set, became="built", scope=None, by=by)
    return question_set


def ask_for_build(
    *,
    name: str,
    sources: Sequence[str],
    count: int,
    distractors: int,
    pick: str,
    max_turns: int,
    conditions: Sequence[str],
    seed: int,
    by: User,
) -> Job:
    """Queue a job that builds questions. Raises Refused, too few of a source that is small enough to count included."""
    checked(name=name, count=count, distractors=distractors, pick=pick, max_turns=max_turns, conditions=conditions)
    _must_have_enough(sources, count, by)
    arguments = {
        "name": name,
        "sources": [*sources],
        "count": count,
        "distractors": distractors,
        "pick": pick,
        "max_turns": max_turns,
        "conditions": [*conditions],
        "seed": seed,
    }
    return jobs.ask_for(kind=KIND, arguments=arguments, scope=None, by=by)


def _page(job: Job) -> tuple[str, list[Any]]:
    if job.state == JobState.DONE and job.result and "refusal" not in job.result:
        return "question_set", [job.arguments["name"]]
    return "question_sets", []


@handles(KIND, title=_("Drawing the questions"), page=_page, refusals={})
def run_build(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Build and audit the questions of a job. A refusal is a result too, because its sentence contains numbers."""
    assert job.created_by is not None
    try:
        question_set = build(**job.arguments, report=report, job=job, by=job.created_by)
    except NotBuilt as refused:
        return {"refusal": refused.code, "params": refused.params}
    except Refused as refused:
        return {"refusal": refused.code, "sentence": str(refused)}
    audits.report_of(question_set, by=job.created_by)
    return summary(question_set)


def why_not(job: Job) -> str:
    """Return why a job built nothing, in the active language; "" when it did, or has not ended."""
    result = job.result or {}
    if "refusal" not in result:
        return ""
    return str(result.get("sentence") or sentence(result["refusal"], result["params"]))


def summary(question_set: QuestionSet) -> dict[str, Any]:
    """Return a JSON-ready summary of a set: the job's result, and what the command prints."""
    return {
        "name": question_set.name,
        "questions": question_set.recipe["count"],
        "checksum": question_set.checksum,
        "left_out": question_set.left_out,
        "seed": question_set.seed,
        "recipe": question_set.recipe,
    }
