"""Drawings of the pages of questions."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.templatetags.page import lang_of

register = template.Library()

STEP, GATE = 22, 6  # of a turn, and before the line behind which the response is asked for


@register.simple_tag
def strip(turns: int | Sequence[int | None]) -> SafeString:
    """Draw the turns of a context as boxes with their numbers, a removed one (None) dashed, and what is asked for.

    A number stands for all of so many turns.
    """
    numbers = range(turns) if isinstance(turns, int) else turns
    end = STEP * len(numbers) + GATE
    kept = ((STEP * place + 1, STEP * place + 10, turn + 1) for place, turn in enumerate(numbers) if turn is not None)
    gone = ((STEP * place + 1,) for place, turn in enumerate(numbers) if turn is None)
    return format_html(
        '<svg class="strip" width="{0}" viewBox="0 0 {0} 22" aria-hidden="true">{1}{2}'
        '<line class="gate" x1="{3}" x2="{3}" y1="1" y2="21"/><text class="q" x="{4}" y="15.5">?</text></svg>',
        end + STEP,
        format_html_join(
            "",
            '<rect class="kept" x="{}" y="3" width="18" height="16" rx="3"/><text x="{}" y="15.5">{}</text>',
            kept,
        ),
        format_html_join("", '<rect class="gone" x="{}" y="3" width="18" height="16" rx="3"/>', gone),
        end,
        end + 12,
    )


@register.simple_tag
def shared(pieces: Sequence[tuple[str, bool]]) -> SafeString:
    """Render a text in pieces, with its own language; those that are shared are marked."""
    text = "".join(piece for piece, _is_shared in pieces)
    parts = (("mark" if is_shared else "span", piece) for piece, is_shared in pieces)
    return format_html("<span{}>{}</span>", lang_of(text), format_html_join("", "<{0}>{1}</{0}>", parts))
