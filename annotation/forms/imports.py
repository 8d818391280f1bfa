"""Forms of a file to import, and of how to read it."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.importers.encoding import CODECS
from annotation.importers.layout import LayoutChoice, ParsedHeader
from annotation.importers.registry import choice_of, importer_of
from annotation.models import Import, Kind, Project
from core.domain.text import digest
from core.forms.fields import field_of
from core.forms.files import not_too_large

NAMES = {"auto": _("Guess"), "dream": "DREAM"}
ENCODINGS = {
    "utf-8": "UTF-8",
    "gb18030": "GB18030 (GBK, GB2312)",
    "big5": "Big5",
    "shift_jis": "Shift JIS",
    "euc_kr": "EUC-KR",
    "utf-16-le": "UTF-16 LE",
    "utf-16-be": "UTF-16 BE",
    "cp1252": "Windows-1252 (Latin 1)",
}
COLUMNS = {
    "prompt": _("prompt"),
    "response": _("response"),
    "id": "id",
    "source": _("source"),
    "topic": _("topic"),
    "dialogue": _("dialogue"),
}
HEADERS = {"": _("Guess"), "yes": _("Names of columns"), "no": _("Content already")}


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("File"), allow_empty_file=True, error_messages={"required": _("Choose a file first.")}
    )

    def clean_file(self) -> "UploadedFile[bytes]":
        """Accept an empty file: its import page reports it, like every file that cannot be read."""
        return not_too_large(self.cleaned_data["file"])


class GoldForm(FileForm):
    corrects = forms.BooleanField(label=_("Correct pairs that are stored with another grade"), required=False)


class FormatForm(forms.Form):
    format = forms.ChoiceField(
        label=_("Read as"),
        initial="auto",
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose one of the formats shown.")),
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = field_of(self, "format", forms.ChoiceField)
        choice.choices = [(format, NAMES.get(format, format)) for format in importer_of(project).formats]


class ImportForm(FileForm, FormatForm):
    field_order = ["file", "format"]

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        if project.kind == Kind.REWRITING:
            self.fields["is_practice"] = forms.BooleanField(
                label=_("Items that authors practise on: they go into no release and no figure"), required=False
            )


class ReadingForm(FormatForm):
    """Choices about a file before its columns have names: format, encoding, header."""

    encoding = forms.ChoiceField(
        label=_("Characters"),
        required=False,
        choices=[("", _("Guess")), *((codec, ENCODINGS[codec]) for codec in CODECS)],
    )
    header = forms.ChoiceField(
        label=_("The first row has"), required=False, choices=list(HEADERS.items()), widget=forms.RadioSelect
    )

    def __init__(self, *args: Any, received: Import, **kwargs: Any) -> None:
        choice = choice_of(received)
        header = {None: "", True: "yes", False: "no"}[choice.header]
        initial = {"format": received.format, "encoding": choice.encoding, "header": header}
        super().__init__(*args, initial=initial, project=received.project, **kwargs)
        if not importer_of(received.project).columns:
            del self.fields["header"]

    @property
    def choice(self) -> LayoutChoice:
        """The layout that was chosen. Only after is_valid()."""
        header = {"yes": True, "no": False}.get(self.cleaned_data.get("header", ""))
        return LayoutChoice(encoding=self.cleaned_data["encoding"], header=header)


class ColumnsForm(forms.Form):
    """Choice of the file's column for each column of a pair."""

    # A digest of the file's columns when the page was made: another reading of the file has other ones.
    names = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, columns: Sequence[str], parsed_header: ParsedHeader, chosen: Mapping[str, str], **kwargs: Any
    ) -> None:
        self.known = digest(*parsed_header.names)[:16]
        kwargs |= {"prefix": "column", "initial": {**chosen, "names": self.known}}
        super().__init__(*args, **kwargs)
        shown = [("", _("— none —")), *((name, _shown(name, parsed_header)) for name in parsed_header.names)]
        for name in columns:
            self.fields[name] = forms.ChoiceField(label=str(COLUMNS[name]), required=False, choices=shown)

    @property
    def columns(self) -> dict[str, str]:
        """The chosen columns; empty if they were chosen from another reading of the file. Only after is_valid()."""
        sent = dict(self.cleaned_data)
        return sent if sent.pop("names") == self.known else {}


def _shown(name: str, parsed_header: ParsedHeader) -> str:
    """Return the label of a column; one without a name is shown with its first content."""
    first = parsed_header.cells(1)
    return (
        name
        if parsed_header.has_header or parsed_header.format == "jsonl" or not first
        else f"{name} · {first[0][int(name) - 1]}"
    )
