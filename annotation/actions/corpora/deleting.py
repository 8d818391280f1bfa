"""Delete a corpus that nothing uses, with its variant and the file that it came from."""

from collections.abc import Collection
from pathlib import Path

from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import ngettext

from annotation.actions.corpora import corpus_jobs, reviews
from annotation.models import Corpus, Dialogue
from annotation.selectors.corpora.holds import numbers_of_use
from annotation.selectors.corpora.uses import holds_elsewhere
from annotation.selectors.releases import audits
from core.actions import deleting, names
from core.actions.deleting import Words
from core.domain.deletion import Hold
from core.models import Job, User

WORDS: Words = {
    "children": lambda n: ngettext("%(n)s corpus edited from it", "%(n)s corpora edited from it", n),
    "edits": lambda n: ngettext("%(n)s planned edit", "%(n)s planned edits", n),
    "jobs": lambda n: ngettext("%(n)s background job", "%(n)s background jobs", n),
}


def with_variant(corpus: Corpus) -> list[Corpus]:
    """Return the corpus, and the second variant that was imported with it."""
    return [corpus, *Corpus.objects.filter(variant_of=corpus)]


def holds_of(corpus: Corpus) -> list[Hold]:
    """Return what holds a corpus or its variant; one that nothing holds can be deleted."""
    both = with_variant(corpus)
    return [
        *holds_elsewhere([each.name for each in both]),
        *deleting.holds_in_words(numbers_of_use(both), WORDS),
    ]


@transaction.atomic
def delete(*, corpus: Corpus, by: User) -> None:
    """Delete a corpus with its variant and its uploaded file. Raises Refused where anything uses one of them."""
    both = with_variant(corpus)
    for name in sorted(each.name for each in both):
        names.lock(name)
    list(Corpus.objects.select_for_update(of=("self",)).filter(pk__in=[each.pk for each in both]).order_by("pk"))
    deleting.must_not_be_held(holds_of(corpus))
    jobs, files = _jobs_and_files(both)
    for each in reversed(both):
        Dialogue._base_manager.filter(corpus=each).delete()  # frozen rows refuse to be deleted in any other way
        Corpus.objects.filter(pk=each.pk).delete()
        deleting.free_name(each.name, of=each, by=by)
    Job.objects.filter(pk__in=jobs).delete()
    deleting.remove_files(files)


def _jobs_and_files(corpora: Collection[Corpus]) -> tuple[list[int], list[Path]]:
    """Return the jobs that read, imported and audited these corpora, and the uploads that no other corpus came from."""
    pks = [corpus.pk for corpus in corpora]
    jobs = list(Job.objects.filter(kind=audits.KIND, arguments__corpus__in=pks).values_list("pk", flat=True))
    uploads = [corpus.job.arguments for corpus in corpora if corpus.job and corpus.job.arguments.get("file")]
    files: list[Path] = []
    for arguments in uploads:
        read = Job.objects.filter(kind__in=(reviews.KIND, corpus_jobs.KIND), arguments__file=arguments["file"])
        if Corpus.objects.filter(job__in=read).exclude(pk__in=pks).exists():
            continue
        jobs += read.values_list("pk", flat=True)
        lists = [each["file"] for job in read for each in job.arguments.get("lists", ())]
        files += [Path(default_storage.path(name)) for name in {arguments["file"], *lists}]
    return jobs, files
