"""Audits of question sets: what is read for one, and the one that is stored."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from annotation.domain.releases.splitting import Split
from core.domain.text import candidate_texts
from core.models import Event
from core.models.people import User
from study.domain.questions.audit import AuditedQuestion, audit
from study.domain.questions.dialogues import SourceDialogue, read_in_order
from study.domain.questions.picks import PICKS
from study.domain.questions.sampling import EDITED, has_own_candidates
from study.domain.questions.training import SeenInTraining
from study.domain.survey.phases import StudyState
from study.models import Question, QuestionAudit, QuestionSet, Study
from study.permissions import question_sets_of, studies_of
from study.selectors.questions.material import Material, NoDialogues, NoSuchMaterial, material_of

MOST_COMPARED = 100  # audits, the newest


def audit_report(question_set: QuestionSet, *, by: User) -> dict[str, Any]:
    """Return what an audit of a set finds, JSON-ready (docs/data-formats.md); a question counts once.

    Texts are looked for in the train split of each source that is another split.
    """
    names, questions = [], []
    for row in question_set.questions.counting().whole().filter(answer__isnull=False).order_by("position"):
        names.append(row.external_id)
        questions.append(_audited(row))
    trainings = list(_trainings(question_set, by))
    seen = _seen(questions, trainings) if trainings else None
    checks, level = audit(questions, seen)
    read = [training.name for training in trainings]
    return {
        "of": question_set.name,
        "checksum": question_set.checksum,
        "questions": len(questions),
        "level": level,
        "trainings": read,
        "not_checked": not_checked(question_set, read),
        "findings": [check.name for check in checks if check.is_found],
        "checks": [check.as_json(names) for check in checks],
    }


def _audited(row: Question) -> AuditedQuestion:
    assert row.answer is not None
    texts = [turn["text"] for turn in row.context]
    group = row.conversation or f"question {row.pk}"
    is_drawn = row.pick in (*PICKS, EDITED) and not has_own_candidates(row.pick, row.origins)
    return AuditedQuestion(texts, candidate_texts(row.candidates).texts, row.answer, group, is_drawn, row.corpus)


def _trainings(question_set: QuestionSet, by: User) -> Iterator[Material]:
    """Yield the training splits that are still there, of sources that are other splits."""
    sources = (source["name"].partition(":") for source in question_set.recipe.get("sources", ()))
    for origin in dict.fromkeys(name for name, _colon, split in sources if split not in ("", Split.TRAIN)):
        try:
            material = material_of(f"{origin}:{Split.TRAIN}", by=question_set.created_by or by)
        except (NoSuchMaterial, NoDialogues):
            continue
        if material.entries:
            yield material


def not_checked(question_set: QuestionSet, trainings: Collection[str]) -> list[dict[str, str]]:
    """Return the sources whose texts were not looked for in a training split, as {"check", "source", "why"}.

    `why` is "is_training" where the source is that split itself, and "no_training" where there is none beside it.
    """
    found = []
    for source in question_set.recipe.get("sources", ()):
        origin, _colon, split = source["name"].partition(":")
        if split in ("", Split.TRAIN) or f"{origin}:{Split.TRAIN}" not in trainings:
            why = "is_training" if split == Split.TRAIN else "no_training"
            found.append({"check": "training", "source": source["name"], "why": why})
    return found


def _seen(questions: list[AuditedQuestion], trainings: list[Material]) -> SeenInTraining:
    seen = SeenInTraining()
    for number, question in enumerate(questions):
        seen.add(number, question.context, question.candidates)
    for material in trainings:
        for dialogue in read_in_order(material.entries, material.fetch):
            seen.read(_texts(dialogue))
    return seen


def _texts(dialogue: SourceDialogue) -> list[str]:
    return [*(turn["text"] for turn in dialogue.turns), *candidate_texts(dialogue.candidates or ()).texts]


def stored_report(question_set: QuestionSet) -> dict[str, Any] | None:
    """Return the stored audit of a set; None before it was made."""
    kept = QuestionAudit.objects.filter(question_set=question_set).first()
    return {**kept.report, "not_checked": not_checked(question_set, kept.report["trainings"])} if kept else None


def counted_in(question_set: QuestionSet, name: str) -> list[str]:
    """Return the ids of the questions that a check of the stored audit counted; [] without one."""
    checks = (stored_report(question_set) or {"checks": []})["checks"]
    found = next((check for check in checks if check["name"] == name and check["found"]), None)
    return list(found.get("counted", ())) if found else []


def drawn_so(question_set: QuestionSet, pick: str, *, by: User) -> tuple[QuestionSet, dict[str, Any]] | None:
    """Return the newest other set from the same sources by another pick, with its audit; None without one."""
    audits = QuestionAudit.objects.filter(question_set__in=question_sets_of(by)).select_related("question_set")
    for made in audits.exclude(question_set=question_set).order_by("-pk")[:MOST_COMPARED]:
        recipe = made.question_set.recipe
        if recipe.get("pick") == pick and _material(recipe) == _material(question_set.recipe):
            return made.question_set, made.report
    return None


def _material(recipe: dict[str, Any]) -> tuple[int, list[tuple[str, str]]]:
    sources = [(source["name"], source.get("checksum", "")) for source in recipe.get("sources", ())]
    return recipe.get("distractors", 0), sources


@dataclass(frozen=True)
class StudyReason:
    """A study that asks a set: why it was opened with what the audit found, by whom and when; or None of these yet."""

    study: Study
    reason: str
    opened_by: User | None


def reasons_for(question_set: QuestionSet, *, by: User) -> list[StudyReason]:
    """Return the studies of a person that ask a set, the oldest first."""
    studies = studies_of(by).filter(question_sets=question_set).order_by("pk")
    opened = Event.objects.filter(subject="study", became=StudyState.OPEN, subject_id__in=studies.values("pk"))
    people = {event.subject_id: event.by for event in opened.select_related("by").order_by("-pk")}
    return [StudyReason(study, (study.plan or {}).get("reason", ""), people.get(study.pk)) for study in studies]


def stored_findings(study: Study) -> list[tuple[str, list[str]]]:
    """Return the question sets of a study with the findings of their stored audits, those with some."""
    rows = QuestionAudit.objects.filter(question_set__studies=study).order_by("question_set__name")
    found = rows.values_list("question_set__name", "report")
    return [(name, report["findings"]) for name, report in found if report["findings"]]
