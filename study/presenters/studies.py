"""Context of a study's page."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from core.models.people import User
from study.domain.survey.phases import StudyState
from study.forms.studies import (
    CloseForm,
    ExtendForm,
    GroupForm,
    GroupSettingsForm,
    MemberForm,
    OpenForm,
    StudySettingsForm,
)
from study.models import Study
from study.models.people import StudyGroup
from study.permissions import question_sets_of
from study.selectors.questions.audits import stored_findings
from study.selectors.survey import plans
from study.selectors.survey.fieldwork import fieldwork_of
from study.selectors.survey.plans import CONSENT, TEXTS, StudyProspect, members_of, newest_text


@dataclass(frozen=True)
class PlanSection:
    """A section of the plan in the list beside it: ready, or with something to `look` at, or with what is `missing`."""

    anchor: str
    label: str
    look: str = ""
    missing: str = ""


@dataclass(frozen=True)
class Link:
    """A group with its address, and the form that changes its settings."""

    group: StudyGroup
    address: str
    form: GroupSettingsForm
    extending: ExtendForm


def section_of(study: Study, anchor: str) -> str:
    """Return the address of a section of the study's page."""
    return reverse("study", args=[study.slug]) + f"#{anchor}"


def page_of(study: Study, person: User, absolute: Callable[[str], str]) -> dict[str, Any]:
    """Return the context of study/survey/study.html; `absolute` makes of a path an address to send to others."""
    page: dict[str, Any] = {"study": study, "survey": study.survey, "members": members_of(study)}
    page |= {"member_form": MemberForm(study=study), "prospect": plans.prospect_of(study)}
    if study.is_imported:
        return page | {"fieldwork": fieldwork_of(study), "counts": plans.counts_of(study)}
    page |= {
        "sets": plans.questions_by_set(study.question_sets.all()),
        "links": [_link(group, absolute) for group in study.groups.all()],
        "texts": [(text, plans.is_first(text)) for text in (newest_text(study, kind) for kind in TEXTS)],
        "own_questions": study.own_questions.exclude(purpose="work").order_by("-purpose"),
    }
    if study.state != StudyState.DRAFT:
        return page | {"fieldwork": fieldwork_of(study), "closing": CloseForm()}
    parts = parts_of(study, page["prospect"])
    missing = sum(bool(part.missing) for part in parts)
    forms = {"opening": OpenForm(), "group_form": GroupForm(), "settings_form": settings_form(person, study)}
    return page | {"parts": parts, "missing": missing, "findings": stored_findings(study), **forms}


def _link(group: StudyGroup, absolute: Callable[[str], str]) -> Link:
    address = absolute(reverse("take", args=[group.token]))
    initial = {"quota": group.quota, "requires_id": group.requires_id, "return_url": group.return_url}
    extending = ExtendForm(initial={"quota": group.quota}, auto_id=f"id_extend_{group.pk}_%s")
    return Link(group, address, GroupSettingsForm(initial=initial, auto_id=f"id_group_{group.pk}_%s"), extending)


def settings_form(person: User, study: Study, sent: QueryDict | None = None) -> StudySettingsForm:
    """Return the settings form of a draft; it offers the person's own question sets and those of their studies."""
    return StudySettingsForm(sent, study=study, question_sets=plans.questions_by_set(question_sets_of(person)))


def parts_of(study: Study, prospect: StudyProspect) -> list[PlanSection]:
    """Return the sections of a draft's plan, each with what prevents opening or should be checked before."""
    texts = ""
    if plans.names_no_person(study):
        texts = _("the consent names no one whom participants can turn to")
    elif plans.is_first(newest_text(study, CONSENT)):
        texts = _("still the wording that the study came with")
    missing = look = ""
    if not prospect.questions:
        missing = _("no questions")
    elif not prospect.is_ready:
        missing = _("fewer questions than a form needs")
    elif prospect.shares_questions:
        look = _("some questions stand in several forms")
    return [
        PlanSection("questions", _("Questions and forms"), look, missing),
        PlanSection("groups", _("Groups and links")),
        PlanSection("texts", _("Consent and instructions"), texts),
        PlanSection("practice", _("Practice and attention check")),
        PlanSection("settings", _("Time and settings")),
        PlanSection("people", _("Researchers")),
    ]
