"""Corpora: dialogues and instances imported whole, for survey questions and for running models."""

from django.db import models
from django.utils import timezone

from core.models.archived import ArchivableModel
from core.models.frozen import FrozenModel

ALL = "all"  # the key of what is counted over all splits, in the statistics of a corpus


class Corpus(ArchivableModel):
    """Published material, not annotation work: every researcher of the installation may read it (docs/adr/0006).

    Dialogues that a person edited, left out or cleared make a new corpus, whose `parent` is the one they stood in.
    """

    name = models.SlugField(max_length=60, unique=True)
    format = models.CharField(max_length=20)
    variant_of = models.OneToOneField("self", null=True, on_delete=models.CASCADE, related_name="variant")
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="children")
    checksum = models.CharField(max_length=64, help_text="SHA-256 of the content, for runs that refer to it.")
    dialogues_count = models.PositiveBigIntegerField(default=0)
    statistics = models.JSONField(default=dict, help_text="Counts by split; under all the lengths of dialogues.")
    source = models.TextField(blank=True, help_text="Where the material comes from, in words.")
    licence = models.CharField(max_length=200, blank=True)
    recipe = models.JSONField(default=dict, help_text="What made it of its files: rules, time zone, seed.")
    ledger = models.JSONField(default=dict, help_text="read = kept + joined + all dropped; changed: texts by rule.")
    job = models.OneToOneField("core.Job", null=True, on_delete=models.SET_NULL, related_name="corpus")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name


class Dialogue(FrozenModel):
    """One dialogue, or one instance: a context with candidates, of which `answer` is right (None: not known).

    `turns` is a list of {"speaker", "text"}, with "at" (UTC, such as 2008-07-14T10:02:00Z) and "to" (a speaker) where
    the source says so. Dialogues with the same `conversation` were made from one, so that none of them may be another's
    false response. `facts` is a small object of the source's own, such as {"channel"}. `as_written` is the source's own
    record, as JSON, kept only where the stored fields do not reproduce it, so that an export equals what was imported.
    """

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="dialogues", db_index=False)
    position = models.PositiveBigIntegerField()
    split = models.CharField(max_length=5, blank=True)
    external_id = models.CharField(max_length=200)
    digest = models.CharField(max_length=64, help_text="SHA-256 of the folded context.")
    conversation = models.CharField(max_length=64, help_text="The source's own key, or the digest.")
    turns = models.JSONField()
    candidates = models.JSONField(null=True)
    answer = models.PositiveSmallIntegerField(null=True)
    facts = models.JSONField(default=dict)
    as_written = models.TextField(blank=True)
    flagged = models.BooleanField(
        db_default=False, help_text="A listed word occurs in it, and no person has looked at it yet."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["corpus", "position"], name="one_dialogue_a_position"),
            models.UniqueConstraint(fields=["corpus", "external_id"], name="one_dialogue_an_id"),
        ]
        indexes = [
            models.Index(fields=["corpus", "split", "position"], name="dialogues_of_a_split"),
            models.Index(fields=["corpus", "position"], name="flagged_dialogues", condition=models.Q(flagged=True)),
        ]

    def __str__(self) -> str:
        return f"dialogue {self.external_id}"


class DialogueEdit(models.Model):
    """What a person changes of one dialogue: a plan until a corpus is made of it, `made`, which keeps it.

    `texts` are those of all turns of an edited dialogue, in their order; else null.
    """

    class EditKind(models.TextChoices):
        EDITED = "edited"
        LEFT_OUT = "left_out"
        CLEARED = "cleared"

    corpus = models.ForeignKey(Corpus, on_delete=models.CASCADE, related_name="edits", help_text="The parent.")
    made = models.ForeignKey(Corpus, null=True, on_delete=models.CASCADE, related_name="changes")
    position = models.PositiveBigIntegerField(help_text="In the parent.")
    external_id = models.CharField(max_length=200)
    change = models.CharField(max_length=8, choices=EditKind.choices)
    texts = models.JSONField(null=True)
    by = models.ForeignKey("core.User", null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["corpus", "by", "position"], name="one_plan_a_dialogue", condition=models.Q(made=None)
            ),
            models.UniqueConstraint(fields=["made", "position"], name="one_change_a_dialogue"),
        ]

    def __str__(self) -> str:
        return f"{self.external_id} {self.change}"
