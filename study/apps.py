from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from core.domain import transitions
from study.domain.survey import phases

# Addresses of pages at which the entry of the main navigation is current.
QUESTIONS = ["question_sets", "draw_questions", "question_set", "audit_questions", "leave_out_questions"]
QUESTIONS += ["revise_question", "archive_questions", "archived_questions", "delete_questions"]
RUNS = ["runs", "models", "new_run", "start_run", "run", "compare_runs", "upload_predictions", "upload_outcome"]


class StudyConfig(AppConfig):
    name = "study"

    def ready(self) -> None:
        from annotation.selectors.corpora import uses
        from core import permissions
        from core.presenters import home
        from core.presenters.navigation import MainEntry, register
        from study import permissions as own
        from study.actions import reports
        from study.actions.questions.deleting import holds_on_corpora
        from study.actions.survey import members
        from study.models import Study, StudyMembership
        from study.presenters.corpus_uses import uses_of_corpus
        from study.presenters.expert_work import work_of
        from study.presenters.reports.report import write_report

        transitions.register(phases.TRANSITIONS)
        permissions.register(own.PERMISSIONS)
        uses.register(uses_of_corpus)
        uses.register_holds(holds_on_corpora)
        permissions.register_scope(
            permissions.MemberScope(
                Study,
                membership=StudyMembership,
                join=lambda study, **who: members.add(study=study, **who),
                frame="study/survey/frame.html",
            )
        )
        home.register(work_of)
        reports.register(write_report)
        studies = ["studies", "new_study", "study", "study_text", "preview_study", "study_groups", "study_board"]
        studies += [
            "study_people",
            "study_settings",
            "archive_study",
            "archived_studies",
            "delete_study",
            "study_export",
            "study_questions",
            "study_question",
            "study_participants",
            "study_times",
            "results",
            "study_models",
            "study_reports",
            "report",
        ]
        register(
            MainEntry(20, _("Questions"), "questions.read", QUESTIONS),
            MainEntry(30, _("Studies"), "study.view", studies),
            MainEntry(40, _("Runs"), "run.start", RUNS),
        )
