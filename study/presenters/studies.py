"""Context of the pages that set up a study: its plan, its groups, its people."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.http import QueryDict
from django.urls import reverse

from core.models.people import User
from study.domain.survey.phases import StudyState
from study.domain.survey.platforms import with_places_for_ids
from study.forms.studies import (
    ExpertForm,
    GroupForm,
    GroupSettingsForm,
    MemberForm,
    OpenForm,
    StudySettingsForm,
)
from study.models import Study
from study.models.people import StudyGroup
from study.permissions import question_sets_of
from study.presenters.plan import condition_square, outlook_of, plan_context, plan_forms, planner_page
from study.presenters.plan_parts import parts_of
from study.selectors.questions.audits import stored_findings
from study.selectors.survey import plans
from study.selectors.survey.experts import experts_of
from study.selectors.survey.fieldwork import fieldwork_of
from study.selectors.survey.plans import TEXTS, members_of, newest_text


@dataclass(frozen=True)
class Link:
    """A group with its address, also as Prolific wants it, and the form that changes its settings in a draft."""

    group: StudyGroup
    address: str
    form: GroupSettingsForm

    @property
    def for_prolific(self) -> str:
        return with_places_for_ids(self.address)


def page_of(study: Study, person: User, sent: QueryDict | None = None) -> dict[str, Any]:
    """Return the context of study/survey/study.html, the plan; `sent` may have other sizes for the planner."""
    page: dict[str, Any] = {"study": study, "survey": study.survey, "prospect": plans.prospect_of(study)}
    if study.is_imported:
        return page | {"fieldwork": fieldwork_of(study), "counts": plans.counts_of(study)}
    page |= plan_context(study, page["prospect"])
    page |= {
        "sets": plans.questions_by_set(study.question_sets.all()),
        "texts": [(text, plans.is_first(text)) for text in (newest_text(study, kind) for kind in TEXTS)],
        "own_questions": study.own_questions.exclude(purpose="work").order_by("-purpose", "position"),
    }
    if study.state != StudyState.DRAFT:
        return page
    outlook = outlook_of(study, page["prospect"])
    parts = parts_of(study, outlook)
    missing = [part for part in parts if part.missing]
    findings = stored_findings(study)
    page |= {"opening": OpenForm(has_findings=bool(findings)), "settings_form": settings_form(person, study)}
    page |= {
        "parts": parts,
        "missing": len(missing),
        "first_missing": missing[0] if missing else None,
        "findings": findings,
        **plan_forms(study, page["prospect"]),
    }
    return page | {
        "state_of": {part.anchor: part for part in parts},
        "planned": outlook.planned,
        **planner_page(study, outlook, sent),
        "square": condition_square(study, outlook.dealt),
    }


def groups_page(
    study: Study, absolute: Callable[[str], str], refused: Mapping[int, GroupSettingsForm]
) -> dict[str, Any]:
    """Return the context of study/survey/groups.html; `absolute` makes of a path an address to send to others.

    `refused` are forms of groups, by key, that are shown again.
    """
    prospect = plans.prospect_of(study)
    page = {
        "study": study,
        "survey": study.survey,
        "links": [
            Link(
                group,
                absolute(reverse("take", args=[group.token])),
                refused.get(group.pk) or group_settings_form(group),
            )
            for group in study.groups.all()
        ],
        "group_form": GroupForm(),
        **plan_context(study, prospect),
    }
    if study.state != StudyState.DRAFT:
        return page
    parts = parts_of(study, outlook_of(study, prospect))
    return page | {"state_of": {part.anchor: part for part in parts}, **plan_forms(study, prospect)}


def people_page(study: Study) -> dict[str, Any]:
    """Return the context of study/survey/people.html."""
    page = {
        "study": study,
        "survey": study.survey,
        "members": members_of(study),
        "member_form": MemberForm(study=study),
    }
    if study.survey.is_signed_in:
        page |= {"experts": experts_of(study), "expert_form": ExpertForm(study=study)}
    return page


def group_settings_form(group: StudyGroup, sent: QueryDict | None = None) -> GroupSettingsForm:
    initial = {"quota": group.quota, "requires_id": group.requires_id, "return_url": group.return_url}
    return GroupSettingsForm(sent, initial=initial, auto_id=f"id_group_{group.pk}_%s")


def settings_form(person: User, study: Study, sent: QueryDict | None = None) -> StudySettingsForm:
    """Return the settings form of a draft; it offers the person's own question sets and those of their studies.

    An archived set is offered only where the study asks it.
    """
    sets = question_sets_of(person).filter(Q(archived_at=None) | Q(pk__in=study.question_sets.values("pk")))
    return StudySettingsForm(sent, study=study, question_sets=plans.questions_by_set(sets))
