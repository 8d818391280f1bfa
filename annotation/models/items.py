"""Items: the units of annotation work."""

from collections.abc import Iterable

from django.db import models
from django.utils import timezone

from annotation.domain.workflow import ItemState


class Purpose(models.TextChoices):
    """The uses of an item."""

    WORK = "work"
    PRACTICE = "practice"
    GOLD = "gold"
    PILOT = "pilot"


KEY = 16  # characters of the digest, which name an item that has no id of its own

# An item known only by imported grades has no prompt to be grouped by, so its own digest is its group.
WITHOUT_TEXT = models.Q(group=models.F("digest"))


def has_key(key: str) -> models.Q:
    """Return the condition that this is the whole beginning of the digest that pages show as the item's key."""
    return models.Q(digest__startswith=key.lower()) if len(key) == KEY else models.Q(pk__in=())


class ItemQuerySet(models.QuerySet["Item"]):
    def counting(self) -> "ItemQuerySet":
        """Return the items that figures and releases are made of: every such query starts here."""
        return self.work().exclude(state=ItemState.CLEANED)

    def to_release(self) -> "ItemQuerySet":
        """Return the items of a release frozen now: items without text count only in agreement."""
        return self.work().filter(~WITHOUT_TEXT, state=ItemState.KEPT)

    def work(self) -> "ItemQuerySet":
        """Return the items that were imported for annotation, including those removed by cleaning."""
        return self.filter(purpose=Purpose.WORK)


class Item(models.Model):
    """One unit of work.

    `content` of a rating project is {"prompt", "response"}; of a rewriting project {"turns": [{"speaker", "text"}],
    "question", "choices": three texts, "answer": the number of the right one}.
    """

    # Its own index, though others begin with it: in this one alone SQLite looks for several items of a project by key.
    project = models.ForeignKey("annotation.Project", on_delete=models.CASCADE, related_name="items")
    purpose = models.CharField(max_length=10, choices=Purpose.choices, default=Purpose.WORK)
    state = models.CharField(max_length=12, choices=[(s, s) for s in ItemState], default=ItemState.OPEN)
    position = models.BigIntegerField(help_text="Place in the seeded order of the project.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of the normalised text: what makes two items the same.")
    group = models.CharField(max_length=64, help_text="SHA-256 of what must stay in one split: here the prompt.")
    external_id = models.CharField(max_length=200, blank=True)
    source = models.CharField(max_length=100, blank=True)
    topic = models.CharField(max_length=100, blank=True)
    dialogue = models.CharField(
        max_length=200, blank=True, db_default="", help_text="Of a pair: the dialogue that it is a turn of."
    )
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
        """False for an item that is known only by imported grades."""
        return any(self.content.values())

    def about(self, told: Iterable[str]) -> str:
        """Return what people read above the texts: of source and topic those that are `told`."""
        return " · ".join(text for text in (getattr(self, name) for name in told) if text)

    @property
    def is_practice(self) -> bool:
        """True where authors write on it for practice, before their work counts; it is not work itself."""
        return self.purpose == Purpose.PRACTICE

    @property
    def key(self) -> str:
        """A name that is the same on every database: the source's own id, or the beginning of the digest."""
        return self.external_id or self.digest[:KEY]
