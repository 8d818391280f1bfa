"""What can be archived: projects, studies, corpora and question sets."""

from django.db import models


class ArchivableModel(models.Model):
    archived_at = models.DateTimeField(
        null=True, editable=False, help_text="Since when it is in no list; empty: it is not archived."
    )

    class Meta:
        abstract = True
