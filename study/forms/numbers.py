"""Numbers that are typed in."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from core.domain.draws import LARGEST_SEED
from core.domain.settings import Settings


def fields_for(settings: type[Settings]) -> Callable[..., forms.IntegerField]:
    """What makes a field for one of the settings, `number("count", label=…)`."""
    return partial(_setting_field, settings)


def _setting_field(settings: type[Settings], name: str, **kwargs: Any) -> forms.IntegerField:
    """A field that says what is allowed, whatever is wrong with the number."""
    lowest, highest = settings.LIMITS[name][0], settings.LIMITS[name][-1]
    rule = format_lazy(_("A whole number from {lowest} to {highest}."), lowest=lowest, highest=highest)
    errors = dict.fromkeys(("required", "invalid", "min_value", "max_value"), rule)
    initial = getattr(settings(), name)
    return forms.IntegerField(min_value=lowest, max_value=highest, error_messages=errors, initial=initial, **kwargs)


def seed_field(**kwargs: Any) -> forms.IntegerField:
    """A field for the seed of what is to be drawn."""
    return forms.IntegerField(label=_("Seed"), initial=0, min_value=0, max_value=LARGEST_SEED, **kwargs)
