from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from annotation.domain import transitions, workflow


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import core_permissions, permissions
        from annotation.actions.projects import add_member
        from annotation.models import Project
        from annotation.views import navigation

        transitions.register(transitions.JOB_TRANSITIONS)
        transitions.register(workflow.TRANSITIONS)
        core_permissions.register(permissions.PERMISSIONS)
        core_permissions.register_scope(
            core_permissions.MemberScope(
                Project,
                visible_to=permissions.projects_of,
                join=lambda project, **who: add_member(project=project, **who),
                frame="annotation/project.html",
            )
        )
        corpora = ["corpora", "corpus", "corpus_import", "audit_corpus"]
        navigation.register(navigation.MainEntry(10, _("Corpora"), "corpus.read", corpora))
