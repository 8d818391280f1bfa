"""The side navigation of a study's pages."""

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.permissions import AuthenticatedRequest
from core.presenters.navigation import NavigationEntry, NavigationGroup, is_at
from study.actions.results import models_in_force
from study.domain.survey.phases import StudyState
from study.models import Study
from study.selectors.survey.plans import members_of, question_counts

PAGES_OF_PLAN = ("study_text", "study_demographics", "change_demographic", "own_question", "change_plan")


def rail_of_study(study: Study, request: AuthenticatedRequest) -> list[NavigationGroup]:
    """Return the side navigation of a study's pages; a study with imported answers has no one who takes part."""

    def entry(name: str, label: str, count: int | None = None, also: tuple[str, ...] = ()) -> NavigationEntry:
        key = "b" if name == "study_board" else ""
        return NavigationEntry(label, reverse(name, args=[study.slug]), is_at(request, name, *also), count, key)

    prepare = [entry("study", _("Answers") if study.is_imported else _("Plan"), also=PAGES_OF_PLAN)]
    questions = question_counts(Study.objects.filter(pk=study.pk)).get(study.pk, 0)
    prepare.append(entry("study_questions", _("Questions"), questions, also=("study_question", "decide_question")))
    collect = [entry("study_times", _("Times"))]
    if not study.is_imported:
        prepare.append(entry("study_groups", _("Groups and links"), study.groups.count(), also=("add_group",)))
        people = None if study.state == StudyState.DRAFT else study.participants.count()
        collect = [
            entry("study_board", pgettext("study", "Board"), also=("close_study",)),
            entry("study_participants", _("Participants"), people, also=("exclude_participants", "reconcile_study")),
            *collect,
        ]
    set_up = [] if study.is_imported else [entry("study_settings", _("Settings"))]
    set_up.append(entry("study_people", _("People"), members_of(study).count(), also=("add_study_member",)))
    groups = [
        NavigationGroup(_("Prepare"), prepare),
        NavigationGroup(_("Collect"), collect),
        NavigationGroup(
            _("Analyse"),
            [
                entry("study_models", _("Models"), models_in_force(study)),
                entry("results", _("Results")),
                entry("study_reports", _("Reports"), study.reports.count(), also=("report",)),
                entry("study_export", _("Export")),
            ],
        ),
        NavigationGroup(_("Set up"), set_up),
    ]
    return [group for group in groups if group.entries]
