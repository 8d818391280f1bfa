"""Why somebody may not rate or write, in words for them: on their home page, in practice and on the page of work."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.domain.qualification import Standing
from annotation.models import Attempt, Project
from annotation.selectors.practice_drafts import Practice
from annotation.selectors.qualification import Rater, deciders_of, next_practice
from annotation.templatetags.page import sentence_space


def why_not(project: Project, rater: Rater) -> str:
    """Empty for somebody who may rate."""
    if rater.standing == Standing.FREE:
        return ""
    if rater.standing == Standing.PAUSED:
        return _paused(project, rater)
    return _("Qualification not passed yet.") + sentence_space() + _not_passed(project, rater)


def _not_passed(project: Project, rater: Rater) -> str:
    if rater.standing == Standing.WAITING:
        return _("There are too few practice pairs so far. A researcher has to bring them in; look again later.")
    if rater.standing == Standing.FAILED:
        return _used_up(rater) + sentence_space() + _decided_by(project)
    if rater.standing == Standing.UNDER_WAY:
        upcoming = next_practice(rater.attempts[-1])
        of = rater.attempts[-1].pairs
        return _("Practice: %(done)s of %(pairs)s pairs done.") % {
            "done": upcoming.position - 1 if upcoming else of, "pairs": of,
        }  # fmt: skip
    if rater.standing == Standing.AGAIN:
        used = {"used": rater.used, "attempts": project.rating.attempts}
        return _("Used %(used)s of %(attempts)s attempts. Practise again.") % used
    said = ngettext(
        "Before you rate, practise on one pair whose grade is known.",
        "Before you rate, practise on %(n)s pairs whose grades are known.", project.rating.practice,
    )  # fmt: skip
    return said % {"n": project.rating.practice}


def why_not_writing(practice: Practice) -> str:
    """What stands between an author and work that counts; empty for somebody who may write."""
    standing = practice.rater.standing
    if standing == Standing.FREE:
        return ""
    if standing == Standing.WAITING:
        return _("There is no practice item so far. A researcher has to bring some in; look again later.")
    if standing == Standing.FAILED:
        return _used_up(practice.rater) + sentence_space() + _decided_by(practice.project)
    if practice.left:
        return _under_way(practice)
    said = ngettext(
        "Every draft of this attempt is handed in, and one waits for an inspector. Look again later.",
        "Every draft of this attempt is handed in, and %(n)s wait for an inspector. Look again later.",
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
        "number": practice.number, "attempts": practice.project.rewriting.practice_attempts,
        "accepted": practice.accepted, "graded": practice.graded,
    }  # fmt: skip


def _used_up(rater: Rater) -> str:
    said = ngettext("The only attempt is used up.", "All %(n)s attempts are used up.", rater.used)
    return said % {"n": rater.used}


def _paused(project: Project, rater: Rater) -> str:
    said = _(
        "You are paused: of your last %(n)s check pairs you graded %(missed)s otherwise than known. "
        "What you graded is stored."
    ) % {"n": len(rater.recent), "missed": rater.recently_missed}
    return said + sentence_space() + _decided_by(project)


def _decided_by(project: Project) -> str:
    names = [str(person) for person in deciders_of(project)]
    if not names:
        return _("Whoever leads the project decides how you go on.")
    return _("Who decides how you go on: %(names)s.") % {"names": _(", ").join(names)}


def reached(attempt: Attempt, project: Project) -> str:
    """What an attempt that is over came to, beside what was asked for."""
    settings = project.rating
    return _(
        "%(right)s of %(pairs)s grades equal the known ones (needed: %(accuracy)s %%); weighted kappa %(kappa)s "
        "(needed: %(least)s)."
    ) % {
        "right": attempt.right, "pairs": attempt.pairs, "accuracy": settings.practice_accuracy,
        "kappa": _("undefined, as all are one grade") if attempt.kappa is None else _two_places(attempt.kappa),
        "least": _two_places(settings.least_kappa),
    }  # fmt: skip


def _two_places(kappa: float) -> str:
    """With a true minus sign, and none before a zero."""
    return f"{kappa:z.2f}".replace("-", "−")
