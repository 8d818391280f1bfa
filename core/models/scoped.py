"""Rows of a project or a study: two columns name it, because this app does not know those models."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, TypeVar

from django.apps import apps
from django.db import models
from django.utils.functional import cached_property

Scope = models.Model | None


class ScopedModel(models.Model):
    scope_kind = models.CharField(max_length=40, blank=True, help_text="The model: annotation.project, ... or empty")
    scope_id = models.BigIntegerField(null=True, blank=True)

    class Meta:
        abstract = True

    @cached_property
    def scope(self) -> Any:
        """The project or study of the row; None when it has none."""
        return apps.get_model(self.scope_kind)._default_manager.get(pk=self.scope_id) if self.scope_kind else None


Row = TypeVar("Row", bound=ScopedModel)


def scope_of(scope: Scope) -> dict[str, Any]:
    """Return the two columns that name a scope, to filter or to create by; for a scoped row, its own two."""
    if scope is None:
        return {"scope_kind": "", "scope_id": None}
    if isinstance(scope, ScopedModel):
        return {"scope_kind": scope.scope_kind, "scope_id": scope.scope_id}
    return {"scope_kind": scope._meta.label_lower, "scope_id": scope.pk}


def with_scopes(rows: Iterable[Row]) -> list[Row]:
    """Return the rows with their scopes loaded, by one query for each kind of scope."""
    found = list(rows)
    ids = defaultdict(set)
    for row in found:
        ids[row.scope_kind].add(row.scope_id)
    scopes = {kind: apps.get_model(kind)._default_manager.in_bulk(wanted) for kind, wanted in ids.items() if kind}
    for row in found:
        row.scope = scopes[row.scope_kind][row.scope_id] if row.scope_kind else None
    return found
