"""Pages of practice and gold, and what tells annotators and authors why they may not rate or write."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.actions.inspection.inspections import called
from annotation.actions.projects.archiving import no_new_work
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.domain.rewriting.rewriting import LETTERS, CandidateRole
from annotation.domain.workflow import AttemptState
from annotation.models import Attempt, PracticeDraft, PracticeGrade, Project
from annotation.presenters.projects.guideline_words import type_names
from annotation.presenters.rating import scale_of
from annotation.selectors.qualification.practice_drafts import Practice, graded_drafts
from annotation.selectors.qualification.qualification import QualifiedAnnotator, deciders_of, next_practice
from core.actions.refusals import sentence_space
from core.models import User
from core.templatetags.page import language_of

SHOWN = 50  # drafts


@dataclass(frozen=True)
class ShownDraft:
    """A draft with its texts by letter, and each comment with the name of its part as the author sees it."""

    draft: PracticeDraft
    texts: list[tuple[str, str]]
    comments: list[tuple[str, str]]


def why_not(project: Project, annotator: QualifiedAnnotator) -> str:
    """Return why the annotator may not rate; empty if they may."""
    if annotator.status == QualificationStatus.FREE:
        return ""
    if annotator.status == QualificationStatus.PAUSED:
        return _paused(project, annotator)
    if annotator.attempts and annotator.attempts[-1].state == AttemptState.OUTDATED:
        changed = _("The guideline has changed: pass practice once more. What you have graded still counts.")
        return changed + sentence_space() + _not_passed(project, annotator)
    return _("Qualification not passed yet.") + sentence_space() + _not_passed(project, annotator)


def _not_passed(project: Project, annotator: QualifiedAnnotator) -> str:
    if project.archived_at and annotator.status != QualificationStatus.UNDER_WAY:
        return no_new_work(project)
    if annotator.status == QualificationStatus.WAITING:
        return _("There are too few practice pairs so far. A researcher has to import them; check back later.")
    if annotator.status == QualificationStatus.FAILED:
        return _used_up(annotator) + sentence_space() + _decided_by(project)
    if annotator.status == QualificationStatus.UNDER_WAY:
        upcoming = next_practice(annotator.attempts[-1])
        of = annotator.attempts[-1].pairs
        return _("Practice: %(done)s of %(pairs)s pairs done.") % {
            "done": upcoming.position - 1 if upcoming else of,
            "pairs": of,
        }
    if annotator.status == QualificationStatus.AGAIN:
        used = {"used": annotator.used, "attempts": project.rating.attempts}
        return _("Used %(used)s of %(attempts)s attempts. Practise again.") % used
    said = ngettext(
        "Before you rate, practise on one pair whose grade is known.",
        "Before you rate, practise on %(n)s pairs whose grades are known.",
        project.rating.practice,
    )
    return said % {"n": project.rating.practice}


def why_not_writing(practice: Practice) -> str:
    """Return what keeps an author from work that counts; empty if they may write."""
    status = practice.annotator.status
    if status == QualificationStatus.FREE:
        return ""
    if practice.project.archived_at:
        return no_new_work(practice.project)
    if status == QualificationStatus.WAITING:
        return _("There is no practice item so far. A researcher has to import some; check back later.")
    if status == QualificationStatus.FAILED:
        return _used_up(practice.annotator) + sentence_space() + _decided_by(practice.project)
    if practice.left:
        return _under_way(practice)
    said = ngettext(
        "Every draft of this attempt is submitted, and one waits for an inspector. Look again later.",
        "Every draft of this attempt is submitted, and %(n)s wait for an inspector. Look again later.",
        practice.waiting,
    )
    return said % {"n": practice.waiting}


def _under_way(practice: Practice) -> str:
    said = _("Attempt %(number)s of %(attempts)s: no draft is graded yet.")
    if practice.graded:
        said = ngettext(
            "Attempt %(number)s of %(attempts)s: %(accepted)s accepted of the last graded draft.",
            "Attempt %(number)s of %(attempts)s: %(accepted)s accepted of the last %(graded)s graded drafts.",
            practice.graded,
        )
    return said % {
        "number": practice.number,
        "attempts": practice.project.rewriting.practice_attempts,
        "accepted": practice.accepted,
        "graded": practice.graded,
    }


def _used_up(annotator: QualifiedAnnotator) -> str:
    said = ngettext("The only attempt is used up.", "All %(n)s attempts are used up.", annotator.used)
    return said % {"n": annotator.used}


def _paused(project: Project, annotator: QualifiedAnnotator) -> str:
    said = _(
        "You are paused: of your last %(n)s gold pairs, you graded %(missed)s differently from the known grade. "
        "What you graded is stored."
    ) % {"n": len(annotator.recent), "missed": annotator.recently_missed}
    return said + sentence_space() + _decided_by(project)


def _decided_by(project: Project) -> str:
    names = [str(person) for person in deciders_of(project)]
    if not names:
        return _("A researcher of the project will decide what happens next.")
    return _("Who decides how you can continue: %(names)s.") % {"names": _(", ").join(names)}


def reached(attempt: Attempt, project: Project) -> str:
    """Compare the result of a finished attempt with what was required."""
    settings = project.rating
    return _(
        "%(right)s of %(pairs)s grades equal the known ones (needed: %(accuracy)s %%); weighted kappa %(kappa)s "
        "(needed: %(least)s)."
    ) % {
        "right": attempt.right,
        "pairs": attempt.pairs,
        "accuracy": settings.practice_accuracy,
        "kappa": _("undefined, as all grades are the same") if attempt.kappa is None else _two_slots(attempt.kappa),
        "least": _two_slots(settings.least_kappa),
    }


def standing_context(project: Project, annotator: QualifiedAnnotator) -> dict[str, Any]:
    """Return the context of annotation/qualification/practice_standing.html: no pair is to be graded now."""
    attempt = annotator.last_attempt
    return {
        "project": project,
        "annotator": annotator,
        "why_not": why_not(project, annotator),
        "settings": project.rating,
        "least_kappa": f"{project.rating.least_kappa:.2f}",
        "reached": reached(attempt, project) if attempt else "",
    }


def practice_context(project: Project, annotator: QualifiedAnnotator, current: PracticeGrade) -> dict[str, Any]:
    """Return the context of annotation/qualification/practice.html; once the pair is graded, with its known grade."""
    grades = list(annotator.attempts[-1].grades.select_related("item__gold"))
    given = [each for each in grades if each.grade is not None]
    known = current.item.gold if current.grade is not None else None
    texts = current.item.content
    return {
        "project": project,
        "annotator": annotator,
        **scale_of(project.guidelines.all()[:1].get()),
        "position": current.position,
        "of": len(grades),
        "share": len(given) / len(grades),
        "is_last": len(given) == len(grades),
        "right": sum(each.grade == each.item.gold.grade for each in given),
        "graded": len(given),
        "pair": {name: {"text": texts[name], "lang": language_of(texts[name])} for name in ("prompt", "response")},
        "known": known,
        "changing": known,
        "given": current,
        "types": type_names(project),
        "apart": abs(known.grade - (current.grade or 0)) if known else 0,
    }


def _two_slots(kappa: float) -> str:
    """Format with a true minus sign, and without one before zero."""
    return f"{kappa:z.2f}".replace("-", "−")


def shown_drafts(project: Project, author: User, *, waiting: bool = True) -> list[ShownDraft]:
    """Return an author's practice drafts, with those that wait for an inspector or without."""
    return [
        ShownDraft(
            graded.draft,
            list(zip(LETTERS, graded.draft.rewrite.candidates, strict=True)),
            [(called(field, list(CandidateRole)), text) for field, text in graded.comments.items()],
        )
        for graded in graded_drafts(project, author, most=SHOWN, waiting=waiting)
    ]


def imported_gold(stored: int, duplicate: int, corrected: int) -> str:
    """Return what an import of gold pairs did, in one sentence for each number."""
    said = [ngettext("%(count)s gold pair is stored.", "%(count)s gold pairs are stored.", stored) % {"count": stored}]
    if duplicate:
        were = ngettext("%(count)s was already stored.", "%(count)s were already stored.", duplicate)
        said.append(were % {"count": duplicate})
    if corrected:
        now = ngettext("%(count)s was corrected.", "%(count)s were corrected.", corrected)
        said.append(now % {"count": corrected})
    return sentence_space().join(said)


def going_on_message(annotator: QualifiedAnnotator) -> str:
    """Return what is said when a paused person, or one who failed their practice, was let go on."""
    if annotator.status == QualificationStatus.FAILED:
        said = _("%(name)s may practise once more.")
    else:
        said = _("%(name)s can continue.") + sentence_space() + _("Earlier misses no longer count against them.")
    return said % {"name": annotator.person}
