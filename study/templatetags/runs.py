"""Parts of pages about models: candidates with their scores, and a study's runs."""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.models.jobs import Job
from core.selectors.jobs import place_of
from study.baselines.base import RankingInstance
from study.models import Study
from study.presenters.runs.runs import rows_on
from study.presenters.runs.start import SettingLine
from study.selectors.runs.runs import newest_runs_of_study

register = template.Library()


@register.filter
def letter(number: int) -> str:
    """Return A for the first candidate, and so on; numbers from 1 beyond the alphabet."""
    return ascii_uppercase[number] if number < len(ascii_uppercase) else str(number + 1)


@register.filter
def said(instance: RankingInstance) -> list[tuple[str, str]]:
    """Return the turns of an instance with their speakers, "" where one is unknown."""
    speakers = instance.speakers or ("",) * len(instance.context)
    return list(zip(speakers, instance.context, strict=True))


@register.filter
def paired(cells: Sequence[Any], axes: Sequence[Any]) -> list[tuple[Any, Any]]:
    """Return each figure with the axis of its column."""
    return list(zip(cells, axes, strict=False))


@register.filter
def in_groups(cells: Sequence[Any], size: int) -> list[Sequence[Any]]:
    """Return the cells so many at a time."""
    return [cells[start : start + size] for start in range(0, len(cells), size)]


@register.filter
def duration(seconds: float) -> str:
    """Format how long something takes: 1.1 s, 48 s, 6 min 20 s, 1 h 10 min."""
    if seconds < 10:
        return _("%(seconds)s s") % {"seconds": f"{seconds:.1f}"}
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return _("%(seconds)s s") % {"seconds": rest}
    hours, minutes = divmod(minutes, 60)
    if hours:
        return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    if minutes >= 30 or not rest:
        return _("%(minutes)d min") % {"minutes": minutes}
    return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": rest}


@register.filter
def about(seconds: float) -> str:
    """Format an estimate of seconds, without a precision that it does not have."""
    if seconds < 1:
        return _("1 s")
    if seconds < 60:
        return _("%(seconds)s s") % {"seconds": round(seconds)}
    minutes = round(seconds / 60)
    if minutes < 60:
        return _("%(minutes)d min") % {"minutes": minutes}
    return _("%(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}


@register.filter
def pace(rate: float) -> str:
    """Format how often something happens, with about two digits: 0.79, 4.2, 140."""
    return f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}" if rate >= 1 else f"{rate:.2g}"


@register.filter
def gigabytes(megabytes: float) -> str:
    """Format memory with one digit, 0.2 for 214 MB."""
    return f"{megabytes / 1024:.1f}"


@register.filter
def place(job: Job) -> int | None:
    """Return the place of a job in its queue, from 1; None when it does not wait."""
    return place_of(job)


@register.filter
def score(value: float) -> str:
    """Format a score with four significant digits, enough to tell scores apart."""
    return f"{value:.4g}".replace("-", "−")


@register.simple_tag
def setting_control(line: SettingLine) -> SafeString:
    """Render the control of a setting, described by its help."""
    described = f"{line.field.id_for_label}_help"
    return line.field.as_widget(attrs={"class": "input input-small", "aria-describedby": described})


@register.simple_tag(takes_context=True)
def runs_of_study(context: template.RequestContext, study: Study) -> dict[str, Any]:
    """Return the runs on a study's questions."""
    return {"targets": [rows_on(target) for target in newest_runs_of_study(context["request"].user, study)]}
