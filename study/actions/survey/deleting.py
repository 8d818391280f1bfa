"""Delete a study that was never opened."""

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.actions import deleting, names
from core.actions.deleting import Words
from core.domain.deletion import Hold
from core.models.people import User
from study.actions.survey import exports
from study.models import Study
from study.selectors.survey.holds import numbers_of_work

WORDS: Words = {
    "opened": lambda n: _("a plan that was frozen when the study was opened"),
    "participants": lambda n: ngettext("%(n)s participant", "%(n)s participants", n),
    "runs": lambda n: ngettext("%(n)s run of a model", "%(n)s runs of models", n),
    "reports": lambda n: ngettext("%(n)s report", "%(n)s reports", n),
    "decisions": lambda n: ngettext("%(n)s decision on a question", "%(n)s decisions on questions", n),
    "copies": lambda n: ngettext("%(n)s copy of it", "%(n)s copies of it", n),
    "jobs": lambda n: ngettext("%(n)s background job", "%(n)s background jobs", n),
}


def holds_of(study: Study) -> list[Hold]:
    """Return what holds a study; one that nothing holds can be deleted."""
    return deleting.holds_in_words(numbers_of_work(study), WORDS)


@transaction.atomic
def delete(*, study: Study, by: User) -> None:
    """Delete a draft with its groups, texts and own questions. Raises Refused once it was opened, or is held."""
    names.lock(study.slug)
    locked = Study.objects.select_for_update(of=("self",)).get(pk=study.pk)
    deleting.must_not_be_held(holds_of(locked))
    deleting.forget_scope(locked)
    files = exports.files_of(locked)
    locked.delete()
    deleting.free_name(study.slug, of=study, by=by)
    deleting.remove_files(files)
