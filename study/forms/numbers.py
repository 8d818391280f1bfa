"""Form fields for numbers."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from core.domain.draws import LARGEST_SEED
from core.domain.settings import Settings


def fields_for(settings: type[Settings]) -> Callable[..., forms.IntegerField]:
    """Return a function that makes the field of a setting, `number("count", label=…)`."""
    return partial(_setting_field, settings)


def _setting_field(settings: type[Settings], name: str, **kwargs: Any) -> forms.IntegerField:
    """Make a field whose error always names the allowed range."""
    lowest, highest = settings.LIMITS[name][0], settings.LIMITS[name][-1]
    rule = format_lazy(_("A whole number from {lowest} to {highest}."), lowest=lowest, highest=highest)
    errors = dict.fromkeys(("required", "invalid", "min_value", "max_value"), rule)
    initial = getattr(settings(), name)
    return forms.IntegerField(min_value=lowest, max_value=highest, error_messages=errors, initial=initial, **kwargs)


def seed_field(**kwargs: Any) -> forms.IntegerField:
    """Make a field for the seed of a draw."""
    return forms.IntegerField(label=_("Seed"), initial=0, min_value=0, max_value=LARGEST_SEED, **kwargs)
