"""The order of a list as a query has it."""

from typing import Any

from django.db.models import OrderBy

from core.domain.sorting import Sorting


def in_direction(key: Any, order: Sorting) -> OrderBy:
    """Return a key of a query's order, up or down, rows without a value last."""
    return OrderBy(key, descending=order.is_descending, nulls_last=True)
