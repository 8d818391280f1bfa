"""Items: the units of annotation work."""

from django.db import models
from django.utils import timezone

from annotation.domain.workflow import ItemState


class Purpose(models.TextChoices):
    WORK = "work"
    PRACTICE = "practice"
    GOLD = "gold"
    PILOT = "pilot"


KEY = 16  # characters of the digest that name an item whose source gave it no id

# An item known by grades from elsewhere alone has no prompt to be grouped by, and so no group but its own digest.
WITHOUT_TEXT = models.Q(group=models.F("digest"))


class ItemQuerySet(models.QuerySet["Item"]):
    def counting(self) -> "ItemQuerySet":
        """The items that figures and releases are made of: every one of them starts here."""
        return self.work().exclude(state=ItemState.CLEANED)

    def to_release(self) -> "ItemQuerySet":
        """What a release is made of if it is frozen now: an item without text counts in agreement alone."""
        return self.work().filter(~WITHOUT_TEXT, state=ItemState.KEPT)

    def work(self) -> "ItemQuerySet":
        """The items that were brought in to be worked on, with those that cleaning removed."""
        return self.filter(purpose=Purpose.WORK)


class Item(models.Model):
    """One unit of work.

    `content` of a rating project is {"prompt", "response"}; of a rewriting project {"turns": [{"speaker", "text"}],
    "question", "choices": three texts, "answer": the number of the right one}.
    """

    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="items")
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.WORK)
    state = models.CharField(max_length=12, choices=[(s, s) for s in ItemState], default=ItemState.OPEN)
    position = models.BigIntegerField(help_text="Place in the seeded order of the project.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the normalised text: what makes two items the same.")
    group = models.CharField(max_length=64, help_text="SHA-256 of what must stay in one split: here the prompt.")
    external_id = models.CharField(max_length=200, blank=True)
    source = models.CharField(max_length=100, blank=True)
    topic = models.CharField(max_length=100, blank=True)
    content = models.JSONField()
    origin = models.ForeignKey("annotation.Import", null=True, on_delete=models.SET_NULL, related_name="items")
    line = models.PositiveBigIntegerField(null=True, help_text="Line of the imported file.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ItemQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "digest"], name="one_item_a_text"),
            models.UniqueConstraint(fields=["project", "position"], name="one_item_a_position"),
        ]
        indexes = [
            models.Index(fields=["project", "purpose", "state"], name="item_funnel"),
            models.Index(fields=["project", "external_id"], name="item_external_id"),
            models.Index(fields=["project", "group", "purpose"], name="item_group"),
        ]

    def __str__(self) -> str:
        return f"item {self.pk}"

    @property
    def has_text(self) -> bool:
        """False for an item that is known by grades from elsewhere alone."""
        return any(self.content.values())

    @property
    def is_practice(self) -> bool:
        """Whether authors write on it before their work counts; it is no work itself."""
        return self.purpose == Purpose.PRACTICE

    @property
    def key(self) -> str:
        """A name that is the same on every database: the source's own id, or the beginning of the digest."""
        return self.external_id or self.digest[:KEY]
