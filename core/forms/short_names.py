"""Short name of a project or study: typed, or made from its title."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from core.actions.names import LONGEST, RESERVED, free_name
from core.domain.spelling import has_latin_letters
from core.models import Name


class ShortNameForm(forms.Form):
    """Form with a field `slug` beside the field `title`.

    Left empty, it is made from a title that has Latin letters. For any other title a name is offered, in pinyin for
    Chinese characters, and its maker is asked about it: it cannot be changed later.
    """

    NAMELESS: str  # the short name of what has no title that could be spelled
    slug = forms.SlugField(
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
        if typed.get("slug") != "" or not title:
            return typed
        typed["slug"] = free_name(title, self.NAMELESS)
        if not has_latin_letters(title):
            shown = QueryDict("", mutable=True)
            shown.update(self.data)
            shown[self.add_prefix("slug")] = typed["slug"]
            self.data = shown
            self.add_error(
                "slug",
                _("The title has no Latin letters. Keep the short name that is offered here, or write another one."),
            )
        return typed
