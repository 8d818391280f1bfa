"""The app's configuration: registers with core what annotation adds to it."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from annotation.domain import workflow
from core.domain import transitions


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import permissions as own
        from annotation.actions.projects.projects import add_member
        from annotation.models import Project
        from core import permissions
        from core.presenters import navigation

        transitions.register(workflow.TRANSITIONS)
        permissions.register(own.PERMISSIONS)
        permissions.register_scope(
            permissions.MemberScope(
                Project,
                visible_to=own.projects_of,
                join=lambda project, **who: add_member(project=project, **who),
                frame="annotation/projects/project.html",
            )
        )
        corpora = ["corpora", "corpus", "corpus_import", "audit_corpus"]
        navigation.register(navigation.MainEntry(10, _("Corpora"), "corpus.read", corpora))
