"""The app's configuration: registers with core what annotation adds to it."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from annotation.domain import workflow
from core.domain import keys, transitions


class AnnotationConfig(AppConfig):
    name = "annotation"

    def ready(self) -> None:
        from annotation import permissions as own
        from annotation.actions.projects.projects import join
        from annotation.models import Membership, Project
        from annotation.presenters.own_keys import PAGES
        from core import permissions
        from core.presenters import navigation

        transitions.register(workflow.TRANSITIONS)
        permissions.register(own.PERMISSIONS)
        permissions.register_scope(
            permissions.MemberScope(
                Project,
                membership=Membership,
                join=lambda project, **who: join(project=project, **who),
                frame="annotation/projects/project.html",
            )
        )
        for page in PAGES:
            keys.register(page)
        corpora = ["corpora", "corpus", "corpus_import", "audit_corpus", "corpus_dialogues", "corpus_dialogue"]
        corpora += ["archive_corpus", "archived_corpora", "delete_corpus"]
        corpora += ["edit_dialogue", "corpus_edits", "corpus_changes"]
        navigation.register(navigation.MainEntry(10, _("Corpora"), "corpus.read", corpora))
