"""A corpus to bring in."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import validate_slug
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora import LONGEST_NAME, READERS

FORMATS = {"mutual": "MuTual", "jsonl": "jsonl"}


class CorpusForm(forms.Form):
    file = forms.FileField(label=_("File"), error_messages={"required": _("Choose a file first.")})
    name = forms.CharField(
        label=_("Short name"), max_length=LONGEST_NAME, validators=[validate_slug],
        help_text=_("Used in addresses and commands. A second variant in the archive gets the same name with -plus."),
    )  # fmt: skip
    format = forms.ChoiceField(
        label=_("Read as"), choices=[(key, FORMATS[key]) for key in READERS], initial="mutual", widget=forms.RadioSelect
    )

    def clean_file(self) -> UploadedFile:
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > settings.IMPORT_MAX_BYTES:
            limit = filesizeformat(settings.IMPORT_MAX_BYTES)
            sizes: dict[str, Any] = {"size": filesizeformat(file.size), "limit": limit}
            raise forms.ValidationError(_("The file has %(size)s; at most %(limit)s are taken. Split it.") % sizes)
        return file
