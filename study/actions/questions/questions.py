"""Question sets: drawn from corpora and releases, stored with the recipe that reproduces them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.core.validators import slug_re
from django.db import transaction
from django.utils.translation import gettext
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
from study.selectors.questions.material import Material, NoDialogues, NoSuchMaterial, material_of, names_of

KIND = "build_questions"
REFUSALS = {
    "name_wrong": _("“%(name)s” is no name: it is made of letters, digits, - and _, at most 60 of them."),
    "questions_exist": _("There are questions “%(name)s” already. They never change: build others under another name."),
    "condition_wrong": _("“%(condition)s” is no condition: write first:N, all or shuffle."),
    "condition_empty": _("No question has a context that is long enough for “%(condition)s”. Leave it out."),
    "no_source": _("Name at least one corpus or release to draw from."),
    "no_such_source": _("There is no corpus or release “%(source)s”, or it is not yours to use."),
    "holds_pairs": _("“%(source)s” holds rated pairs. Questions are made of dialogues or of instances."),
    "sources_overlap": _("“%(source)s” and “%(other)s” share dialogues. Name each part once."),
    "too_few": _("“%(source)s” is enough for %(there)s of the %(wanted)s questions asked for. Ask for fewer."),
    "too_few_questions": _("%(wanted)s questions cannot come from %(sources)s sources. Ask for one of each at least."),
}
LEFT_OUT = {
    "short": _("fewer than 3 turns"),
    "flagged": _("flagged for its words"),
    "no_answer": _("the right candidate is not known"),
    "equal_candidates": _("two candidates are equal"),
    "no_distractors": _("too few other responses in its split"),
    "not_drawn": _("not needed"),
}


class NotBuilt(Refused):
    """Refusal to build questions; `params` are the values in the sentence of its code."""

    def __init__(self, code: str, **params: Any) -> None:
        super().__init__(code, sentence(code, params))
        self.params = params


def sentence(code: str, params: Mapping[str, Any]) -> str:
    """Return a refusal's sentence in the active language.

    `left_out`, if present, counts dialogues by reason; `known` are similar names.
    """
    said = str(REFUSALS[code] % params)
    if known := params.get("known"):
        said += gettext(" Known: %(known)s.") % {"known": ", ".join(known)}
    left_out = ", ".join(f"{LEFT_OUT[reason]} {number:,}" for reason, number in params.get("left_out", {}).items())
    return said + gettext(" Left out: %(left_out)s.") % {"left_out": left_out} if left_out else said


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
    counts = shares(count, len(materials))
    if not min(counts):
        raise NotBuilt("too_few_questions", wanted=count, sources=len(materials))
    drawn, left_out = _drawn(materials, counts, settings, seed, report)
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
        if times > 1 or not is_ablation(condition):
            raise NotBuilt("condition_wrong", condition=condition)
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


def materials_of(sources: Sequence[str], *, by: User) -> list[Material]:
    """Return the material of each name; no dialogue occurs twice. Raises Refused."""
    if not sources:
        raise NotBuilt("no_source")
    materials: list[Material] = []
    for name in sources:
        try:
            material = material_of(name, by=by)
        except NoSuchMaterial:
            raise NotBuilt("no_such_source", source=name, known=likely(name, names_of(by))) from None
        except NoDialogues:
            raise NotBuilt("holds_pairs", source=name) from None
        for other in materials:
            if other.origin == material.origin and (
                other.split == material.split or not (other.split and material.split)
            ):
                raise NotBuilt("sources_overlap", source=other.name, other=material.name)
        materials.append(material)
    return materials


def _drawn(
    materials: Sequence[Material], counts: Sequence[int], settings: SamplingSettings, seed: int, report: ProgressReport
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
        left_out += draw.left_out
    return drawn, left_out


def _further(report: ProgressReport, before: int, total: int, done: int) -> None:
    report(before + done, total)


@transaction.atomic
def store(question_set: QuestionSet, rows: Sequence[Row], *, by: User) -> QuestionSet:
    """Store a new set with its questions. Raises Refused when its name is taken."""
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
    """Queue a job that builds questions. Raises Refused."""
    checked(name=name, count=count, distractors=distractors, pick=pick, max_turns=max_turns, conditions=conditions)
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
