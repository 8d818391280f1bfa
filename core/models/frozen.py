"""Rows that refuse to be changed or deleted once they are written."""

from typing import Any, TypeVar

from django.db import models


class Frozen(Exception):
    """An attempt to change or delete a frozen row."""


Row = TypeVar("Row", bound=models.Model)


class FrozenQuerySet(models.QuerySet[Row]):
    def update(self, **values: Any) -> int:
        raise Frozen(f"{self.model.__name__} rows are never changed.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise Frozen(f"{self.model.__name__} rows are never deleted.")

    def forget(self, *texts: str) -> int:
        """Empty these columns, in which something is said of a person who withdrew. Nothing else of a row changes."""
        return super().update(**dict.fromkeys(texts, ""))


class FrozenModel(models.Model):
    objects = FrozenQuerySet.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise Frozen(f"{self} cannot be changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise Frozen(f"{self} cannot be deleted.")
