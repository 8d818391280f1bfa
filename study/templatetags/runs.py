"""What pages of models are made of: an estimate of a model on a line from 0 to 1, and a study's runs."""

from string import ascii_uppercase
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from study.forms.runs import RunForm
from study.models import Study
from study.selectors.runs import runs_by_target
from study.views.run_tables import rows_on

register = template.Library()


@register.simple_tag
def model_whisker(value: float | None, ends: tuple[float, float] | None, chance: float | None) -> SafeString:
    """A square with its interval, and a dashed line where guessing stands. Decoration: the numbers stand beside it."""
    guesses = [] if chance is None else [(_percent(chance),) * 2]
    spans = [] if ends is None else [tuple(map(_percent, ends))]
    points = [] if value is None else [(_percent(value),)]
    return format_html(
        '<svg class="whisker model" aria-hidden="true">'
        '<line class="rule" x1="0" x2="100%" y1="50%" y2="50%"/>{}{}{}</svg>',
        format_html_join("", '<line class="chance" x1="{}%" x2="{}%" y1="-60%" y2="160%"/>', guesses),
        format_html_join("", '<line class="span" x1="{}%" x2="{}%" y1="50%" y2="50%"/>', spans),
        format_html_join(
            "", '<rect class="point" x="{}%" y="50%" width="8" height="8" transform="translate(-4 -4)"/>', points
        ),
    )


@register.filter
def letter(number: int) -> str:
    """A for the first candidate; numbers from 1 beyond the alphabet."""
    return ascii_uppercase[number] if number < len(ascii_uppercase) else str(number + 1)


@register.filter
def score(value: float) -> str:
    """As many digits as tell scores apart by eye."""
    return f"{value:.4g}".replace("-", "−")


@register.simple_tag(takes_context=True)
def runs_of_study(context: template.RequestContext, study: Study) -> dict[str, Any]:
    """The runs on a study's questions, and a form for one more."""
    person = context["request"].user
    return {
        "targets": [rows_on(target) for target in runs_by_target(person, study=study)],
        "form": RunForm(person=person, initial={"on": study.slug}),
    }


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"
