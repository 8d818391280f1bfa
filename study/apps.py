from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from core.domain import transitions
from study.domain.survey import phases


class StudyConfig(AppConfig):
    name = "study"

    def ready(self) -> None:
        from core import permissions
        from core.presenters import home
        from core.presenters.navigation import MainEntry, register
        from study import permissions as own
        from study.actions.survey import members
        from study.models import Study, StudyMembership
        from study.presenters.expert_work import work_of

        transitions.register(phases.TRANSITIONS)
        permissions.register(own.PERMISSIONS)
        permissions.register_scope(
            permissions.MemberScope(
                Study,
                membership=StudyMembership,
                join=lambda study, **who: members.add(study=study, **who),
                frame="base.html",
            )
        )
        home.register(work_of)
        studies = ["studies", "new_study", "study", "study_text", "preview_study", "results", "study_models"]
        register(
            MainEntry(
                20,
                _("Questions"),
                "questions.read",
                ["question_sets", "question_set", "audit_questions", "revise_question"],
            ),
            MainEntry(30, _("Studies"), "study.view", studies),
            MainEntry(40, _("Runs"), "run.start", ["runs", "models", "new_run", "start_run", "run", "compare_runs"]),
        )
