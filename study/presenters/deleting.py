"""What would go with a question set or a study that is deleted."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from study.models import QuestionSet, Study


def contents_of_set(question_set: QuestionSet) -> list[str]:
    """Return what a set has: its questions and their audit."""
    count = question_set.recipe["count"]
    audit = [_("its audit")] if hasattr(question_set, "audit") else []
    return [ngettext("%(n)s question", "%(n)s questions", count) % {"n": f"{count:,}"}, *audit]


def contents_of_study(study: Study) -> list[str]:
    """Return what a draft has: its groups with their links, its people, its settings and texts."""
    groups, people = study.groups.count(), study.memberships.count()
    return [
        ngettext("%(n)s group with its link", "%(n)s groups with their links", groups) % {"n": f"{groups:,}"},
        ngettext("the role of %(n)s person in it", "the roles of %(n)s people in it", people) % {"n": f"{people:,}"},
        _("its settings, texts, practice questions and checks"),
    ]
