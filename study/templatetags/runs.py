"""Parts of pages about models: candidates with their scores, and a study's runs."""

from string import ascii_uppercase
from typing import Any

from django import template

from study.forms.runs import RunForm
from study.models import Study
from study.presenters.runs import rows_on
from study.selectors.runs.runs import runs_by_target

register = template.Library()


@register.filter
def letter(number: int) -> str:
    """Return A for the first candidate, and so on; numbers from 1 beyond the alphabet."""
    return ascii_uppercase[number] if number < len(ascii_uppercase) else str(number + 1)


@register.filter
def score(value: float) -> str:
    """Format a score with four significant digits, enough to tell scores apart."""
    return f"{value:.4g}".replace("-", "−")


@register.simple_tag(takes_context=True)
def runs_of_study(context: template.RequestContext, study: Study) -> dict[str, Any]:
    """Return the runs on a study's questions, and a form for another one."""
    person = context["request"].user
    return {
        "targets": [rows_on(target) for target in runs_by_target(person, study=study)],
        "form": RunForm(person=person, initial={"on": study.slug}),
    }
