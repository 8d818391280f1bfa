"""Small parts of every page: icons, bars, and the language of a text."""

import re
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from itertools import chain
from shlex import quote
from typing import Any, cast
from urllib.parse import parse_qsl

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.forms import BoundField, Textarea
from django.template.base import Node, NodeList, Parser, TextNode, Token
from django.template.context import Context
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from core import permissions
from core.actions.refusals import sentence_space
from core.models import Account, Role, User
from core.presenters.scripts import modules_of

register = template.Library()
LINE_END = "\x1e"
CHINESE = re.compile("[㐀-鿿]")


@register.simple_tag
@cache  # a page has a dozen icons, and the address of their file stays as it is in a process
def icon(name: str, classes: str = "") -> SafeString:
    """Draw an icon of static/icons.svg. It is decoration: a word beside it or an aria-label says what it means."""
    return format_html(
        '<svg class="icon {}" aria-hidden="true"><use href="{}#{}"/></svg>', classes, static("icons.svg"), name
    )


@register.simple_tag
@cache
def script(name: str) -> SafeString:
    """Load a script of static/ as a module, and with it, in one level, all modules that it imports."""
    first, *others = map(static, modules_of(name))
    preloads = format_html_join("\n  ", '<link rel="modulepreload" href="{}">', ((each,) for each in others))
    return format_html('<script src="{}" type="module"></script>\n  {}', first, preloads)


@register.simple_tag
def shell(*words: Any) -> SafeString:
    """Render a command to type, `{% shell "export_release" release "--out" "FOLDER" %}`.

    Each word, or list of words, is quoted where the shell would read it otherwise; a line breaks between words only.
    """
    typed = chain.from_iterable(word if isinstance(word, list) else [word] for word in ("manage.py", *words))
    parts = format_html_join(" ", "<span>{}</span>", ((quote(str(word)),) for word in typed))
    return format_html('<code class="shell" lang="en">{}</code>', parts)


@register.simple_tag
def html_lang() -> str:
    """Return the page's language as HTML names it."""
    return "zh-Hans" if get_language() == "zh-hans" else "en"


def language_of(text: str) -> str:
    """Return Chinese for a text with Chinese in it, English for any other, as HTML names them."""
    return "zh-Hans" if CHINESE.search(text) else "en"


@register.simple_tag
def lang_of(text: Any) -> SafeString | str:
    """Return ` lang="…"` for a text that is not in the page's language, for its fonts, hyphens and voices."""
    language = language_of(str(text))
    return format_html(' lang="{}"', language) if language != html_lang() else ""


@register.simple_tag
def roles_of(person: User) -> str:
    """Name the roles that a person has anywhere, in the order of `Role`; without one, what their account is."""
    held = permissions.roles_of(person)
    separator = "、" if html_lang() == "zh-Hans" else ", "
    return separator.join(str(role.label) for role in Role if role in held) or str(Account(person.account).label)


@register.simple_tag
def marked(text: Any) -> SafeString:
    """Render a name within a sentence, `{% marked user as name %}`, with its own language and direction.

    Without its direction, a name in right-to-left letters would reverse the words around it.
    """
    return format_html("<bdi{}>{}</bdi>", lang_of(text), text)


@register.simple_tag
def stop() -> str:
    """Return what ends a sentence that a template makes of parts."""
    return "。" if get_language() == "zh-hans" else "."


@register.tag
def sentences(parser: Parser, token: Token) -> Node:
    """Join sentences, `{% sentences %}…{% endsentences %}` with each on lines of its own, by the page's sentence space.

    A blank within a line stays, and so do the line breaks within an HTML tag and within the values that are shown.
    """
    nodelist = parser.parse(("endsentences",))
    parser.delete_first_token()
    return SentencesNode(nodelist)


class SentencesNode(Node):
    """Sentences whose ends are marked in the template's own text before any value is in it."""

    def __init__(self, nodelist: NodeList) -> None:
        self.nodelist = nodelist
        for node in cast(list[TextNode], nodelist.get_nodes_by_type(TextNode)):
            node.s = re.sub(r"\s*\n\s*", LINE_END, node.s)

    def render(self, context: Context) -> SafeString:
        lines = self.nodelist.render(context).strip()
        space = sentence_space()
        joined = re.sub(rf"<[^>]*>|{LINE_END}+", lambda found: space if found[0][0] == LINE_END else found[0], lines)
        return SafeString(joined.replace(LINE_END, "\n"))


@register.filter
def parameters(query: str) -> list[tuple[str, str]]:
    """Return the names and values in the query of an address, for the hidden fields of a form."""
    return parse_qsl(query, keep_blank_values=True)


@register.filter
def ago(moment: datetime) -> str:
    """Say how long ago a time was; in Chinese with a space between number and character, as in all texts of pages."""
    return re.sub(rf"(\d)(?={CHINESE.pattern})", r"\1 ", str(naturaltime(moment)))


@register.simple_tag
def day(moment: datetime) -> SafeString:
    """Render the date of a time in the person's time zone and the page's language."""
    local = timezone.localtime(moment)
    return format_html('<time datetime="{}">{}</time>', local.date().isoformat(), date_format(local))


@register.simple_tag
def bar(share: float, fill: str = "fill", ticks: Iterable[str] = ()) -> SafeString:
    """Draw a horizontal bar, `share` from 0 to 1 of its width. It is decoration: the number is beside it.

    `ticks` are where it is marked, in per cent of its width.
    """
    return format_html(
        '<svg class="bar" aria-hidden="true"><rect class="ground" width="100%" height="100%" rx="2"/>'
        '<rect class="{}" width="{}%" height="100%" rx="2"/>{}</svg>',
        fill,
        f"{max(0.0, min(1.0, share)) * 100:.1f}",
        format_html_join("", '<line class="tick" x1="{0}%" x2="{0}%" y1="0" y2="100%"/>', ((at,) for at in ticks)),
    )


@register.simple_tag
def control(field: BoundField) -> SafeString:
    """Render the control of a form's field as an input; field.html adds label, hint and error.

    A longer text that is already filled in is marked with its own language, unless the form names one.
    """
    widget = field.field.widget
    is_written = isinstance(widget, Textarea) and "lang" not in widget.attrs and field.value()
    language = language_of(str(field.value())) if is_written else html_lang()
    return field.as_widget(attrs={"class": "input", **({"lang": language} if language != html_lang() else {})})
