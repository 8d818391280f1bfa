"""A file to bring in, and how to read it."""

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from annotation.importers.intake import intake_of
from annotation.models import Project

NAMES = {"auto": _("Guess"), "dream": "DREAM"}


class FormatForm(forms.Form):
    format = forms.ChoiceField(label=_("Read as"), initial="auto", widget=forms.RadioSelect)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice: Any = self.fields["format"]
        choice.choices = [(format, NAMES.get(format, format)) for format in intake_of(project).formats]


class ImportForm(FormatForm):
    file = forms.FileField(
        label=_("File"), allow_empty_file=True, error_messages={"required": _("Choose a file first.")}
    )
    field_order = ["file", "format"]

    def clean_file(self) -> UploadedFile:
        """An empty file passes: its page says so, as it does of every file that cannot be read."""
        file: UploadedFile = self.cleaned_data["file"]
        if (file.size or 0) > settings.IMPORT_MAX_BYTES:
            limit = filesizeformat(settings.IMPORT_MAX_BYTES)
            sizes: dict[str, Any] = {"size": filesizeformat(file.size), "limit": limit}
            raise forms.ValidationError(_("The file has %(size)s; at most %(limit)s are taken. Split it.") % sizes)
        return file
