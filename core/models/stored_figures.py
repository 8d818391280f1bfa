"""Figures of a project or a study that were computed once, for all processes and languages (docs/adr/0028)."""

from django.db import models

from core.models.scoped import ScopedModel


class StoredFigure(ScopedModel):
    """What was computed of the facts that `fingerprint` names, as they were at `as_of`; it took `seconds`.

    Its content has codes for texts, so that each page says them in its own language.
    """

    kind = models.CharField(max_length=30)
    arguments = models.CharField(max_length=200, help_text="JSON: rules switched off, the unit that is resampled.")
    fingerprint = models.CharField(max_length=64)
    content = models.TextField(help_text="JSON as text: PostgreSQL's own type would not keep the order of keys.")
    as_of = models.DateTimeField()
    seconds = models.FloatField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["scope_kind", "scope_id", "kind", "arguments"], name="one_figure_a_kind_and_arguments"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.scope_kind} {self.scope_id}, {self.as_of}"
