"""Question sets: drawn from corpora and releases, stored with the recipe that reproduces them."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
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
from core.models.bulk import insert
from core.models.jobs import Job
from core.models.people import User
from study.domain.sampling import DrawnQuestion, QuestionDraw, SamplingSettings, TooFew, arranged, shares
from study.models import Question, QuestionPurpose, QuestionSet
from study.models.questions import LONGEST_NAME
from study.selectors.questions.material import Material, NoDialogues, NoSuchMaterial, material_of, names_of

KIND = "build_questions"
PICKS = ("uniform", "similar", "length")
REFUSALS = {
    "name_wrong": _("“%(name)s” is no name: it is made of letters, digits, - and _, at most 60 of them."),
    "questions_exist": _("There are questions “%(name)s” already. They never change: build others under another name."),
    "pick_later": _("False responses cannot be picked “%(pick)s” yet. “uniform” can."),
    "no_source": _("Name at least one corpus or release to draw from."),
    "no_such_source": _("There is no corpus or release “%(source)s”, or it is not yours to use."),
    "holds_pairs": _("“%(source)s” holds rated pairs. Questions are made of dialogues or of instances."),
    "sources_overlap": _("“%(source)s” and “%(other)s” share dialogues. Name each part once."),
    "too_few": _("“%(source)s” is enough for %(there)s of the %(wanted)s questions asked for. Ask for fewer."),
    "too_few_questions": _("%(wanted)s questions cannot come from %(sources)s sources. Ask for one of each at least."),
}
LEFT_OUT = {
    "short": _("fewer than 3 turns"),
    "no_answer": _("the right candidate is not known"),
    "equal_candidates": _("two candidates are equal"),
    "no_distractors": _("too few other responses in its split"),
    "not_drawn": _("not needed"),
}
COLUMNS = (
    "question_set",
    "purpose",
    "position",
    "external_id",
    "corpus",
    "context",
    "candidates",
    "candidates_count",
    "answer",
)


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
    seed: int = 0,
    report: ProgressReport,
    job: Job | None = None,
    by: User,
) -> QuestionSet:
    """Draw `count` questions in equal shares from the sources. Equal seed and sources give an equal checksum.

    A job that runs twice builds them once. Raises Refused.
    """
    if job is not None and (made := _made_by(job)):
        return made
    settings = checked(name=name, count=count, distractors=distractors, pick=pick, max_turns=max_turns)
    materials = materials_of(sources, by=by)
    counts = shares(count, len(materials))
    if not min(counts):
        raise NotBuilt("too_few_questions", wanted=count, sources=len(materials))
    drawn, left_out = _drawn(materials, counts, settings, seed, report)
    recipe = {
        "sources": [
            {"name": material.name, "checksum": material.checksum, "count": number}
            for material, number in zip(materials, counts, strict=True)
        ],
        **settings.as_mapping(),
        "pick": pick,
        "own_candidates": sum(question.is_own for question in drawn),
    }
    rows = _rows(arranged(drawn, seed), {material.name: material.origin for material in materials})
    question_set = QuestionSet(
        name=name, seed=seed, recipe=recipe, left_out=left_out, checksum=_checksum(rows), job=job, created_by=by
    )
    return _store(question_set, rows, by=by)


def _made_by(job: Job) -> QuestionSet | None:
    found: QuestionSet | None = QuestionSet.objects.filter(job=job).first()
    return found


def checked(*, name: str, count: int, distractors: int, pick: str, max_turns: int) -> SamplingSettings:
    """Check the settings of a new set and return them. Raises Refused."""
    if not slug_re.match(name) or len(name) > LONGEST_NAME:
        raise NotBuilt("name_wrong", name=name)
    if QuestionSet.objects.filter(name=name).exists():
        raise NotBuilt("questions_exist", name=name)
    if pick != "uniform":
        raise NotBuilt("pick_later", pick=pick)
    try:
        return SamplingSettings(count=count, distractors=distractors, max_turns=max_turns)
    except ChoiceError as wrong:
        raise Refused.by_rule("settings", wrong) from wrong


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


def _rows(questions: Sequence[DrawnQuestion], origins: dict[str, str]) -> list[dict[str, Any]]:
    """Return the questions as they are stored. With several sources, an id begins with its source."""
    return [
        {
            "id": question.id if len(origins) == 1 else f"{question.source}/{question.id}",
            "corpus": origins[question.source],
            "context": [{"speaker": turn["speaker"], "text": turn["text"]} for turn in question.context],
            "candidates": question.candidates,
            "answer": question.answer,
        }
        for question in questions
    ]


def _checksum(rows: Sequence[dict[str, Any]]) -> str:
    """Return the SHA-256 of the questions as lines of JSON, in their order."""
    digest = sha256()
    for row in rows:
        digest.update(f"{_text(row)}\n".encode())
    return digest.hexdigest()


@transaction.atomic
def _store(question_set: QuestionSet, rows: Sequence[dict[str, Any]], *, by: User) -> QuestionSet:
    names.claim(question_set.name, "questions")
    question_set.save()
    insert(
        Question,
        COLUMNS,
        (
            (
                question_set.pk,
                QuestionPurpose.WORK.value,
                position,
                row["id"],
                row["corpus"],
                _text(row["context"]),
                _text(row["candidates"]),
                len(row["candidates"]),
                row["answer"],
            )
            for position, row in enumerate(rows)
        ),
    )
    record(question_set, became="built", scope=None, by=by)
    return question_set


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def ask_for_build(
    *, name: str, sources: Sequence[str], count: int, distractors: int, max_turns: int, seed: int, by: User
) -> Job:
    """Queue a job that builds questions with uniformly drawn distractors. Raises Refused."""
    checked(name=name, count=count, distractors=distractors, pick="uniform", max_turns=max_turns)
    arguments = {
        "name": name,
        "sources": [*sources],
        "count": count,
        "distractors": distractors,
        "max_turns": max_turns,
        "seed": seed,
    }
    return jobs.ask_for(kind=KIND, arguments=arguments, scope=None, by=by)


def _page(job: Job) -> tuple[str, list[Any]]:
    if job.state == JobState.DONE and job.result and "refusal" not in job.result:
        return "question_set", [job.arguments["name"]]
    return "question_sets", []


@handles(KIND, title=_("Drawing the questions"), page=_page, refusals={})
def run_build(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Build the questions of a job. A refusal is a result too, because its sentence contains numbers."""
    assert job.created_by is not None
    try:
        question_set = build(**job.arguments, report=report, job=job, by=job.created_by)
    except NotBuilt as refused:
        return {"refusal": refused.code, "params": refused.params}
    except Refused as refused:
        return {"refusal": refused.code, "sentence": str(refused)}
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
