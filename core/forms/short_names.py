"""Short names: typed, or made from a title; what is none is refused, and one made of it is offered."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import slug_re
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from core.actions.names import LONGEST, RESERVED, free_name
from core.domain.spelling import has_latin_letters
from core.models import Name

NO_SHORT_NAME = _(
    "A short name has only the letters A to Z, digits, hyphens and underscores. "
    "Keep the one that is offered here, or write another one."
)


def _offer(form: forms.Form, field: str, name: str, why: object) -> None:
    """Show a short name in the field, and why it was not taken as typed."""
    shown = QueryDict("", mutable=True)
    shown.update(form.data)
    shown[form.add_prefix(field)] = name
    form.data = shown
    form.add_error(field, str(why))


class NamedForm(forms.Form):
    """Form with a field `name`, which must be a short name. Of anything else one is made and offered."""

    NAMELESS: str  # what is offered where nothing of what was typed can be spelled

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        name = typed.get("name", "")
        if name and not slug_re.match(name):
            _offer(self, "name", free_name(name, self.NAMELESS), NO_SHORT_NAME)
        return typed


class ShortNameForm(forms.Form):
    """Form with a field `slug` beside the field `title`.

    Left empty, it is made from a title that has Latin letters. For any other title a name is offered, in pinyin for
    Chinese characters, and its maker is asked about it: it cannot be changed later.
    """

    NAMELESS: str  # the short name of what has no title that could be spelled
    slug = forms.CharField(
        label=_("Short name"),
        max_length=LONGEST,
        required=False,
        help_text=_(
            "Part of its addresses, commands and files. Left empty, it is made from a title with Latin letters."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["slug"].widget.attrs |= {"data-from": "id_title", "lang": "en"}

    def clean_slug(self) -> str:
        slug = str(self.cleaned_data["slug"])
        if slug in RESERVED or Name.objects.filter(name=slug).exists():
            raise ValidationError(_("This short name is taken. Choose another one."))
        return slug

    def clean(self) -> dict[str, Any]:
        typed = super().clean() or self.cleaned_data
        title = typed.get("title", "")
        slug = typed.get("slug")
        if slug and not slug_re.match(slug):
            _offer(self, "slug", free_name(slug, self.NAMELESS), NO_SHORT_NAME)
        if slug != "" or not title:
            return typed
        typed["slug"] = free_name(title, self.NAMELESS)
        if not has_latin_letters(title):
            why = _("The title has no Latin letters. Keep the short name that is offered here, or write another one.")
            _offer(self, "slug", typed["slug"], why)
        return typed
