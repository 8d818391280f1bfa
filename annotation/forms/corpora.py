"""Form to import a corpus."""

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import validate_slug
from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora.corpora import LONGEST_NAME
from annotation.forms.imports import not_too_large
from annotation.importers.formats import READERS

FORMATS = {
    "mutual": "MuTual",
    "irc": "IRC",
    "twitter": "Twitter",
    "subtitles": _("Subtitles with speakers"),
    "ubuntu-csv": "Ubuntu csv",
    "jsonl": "jsonl",
}


LONGEST_LICENCE = 200  # characters


class CorpusForm(forms.Form):
    file = forms.FileField(label=_("File"), error_messages={"required": _("Choose a file first.")})
    name = forms.CharField(
        label=_("Short name"),
        max_length=LONGEST_NAME,
        validators=[validate_slug],
        help_text=_("Used in addresses and commands. A second variant in the archive gets the same name with -plus."),
    )
    format = forms.ChoiceField(
        label=_("Read as"),
        choices=[("", _("As its content tells")), *((key, FORMATS[key]) for key in READERS)],
        required=False,
        widget=forms.RadioSelect,
    )

    source = forms.CharField(
        label=_("Source"), required=False, max_length=1_000, help_text=_("Where the material comes from, in words.")
    )
    licence = forms.CharField(label=_("Licence of the texts"), required=False, max_length=LONGEST_LICENCE)

    def clean_file(self) -> "UploadedFile[bytes]":
        return not_too_large(self.cleaned_data["file"])
