"""Forms of a file to import, and of how to read it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from annotation.importers.encoding import CODECS
from annotation.importers.layout import LayoutChoice, ParsedHeader
from annotation.importers.registry import importer_of
from annotation.models import GradesAre, Import, Kind, Project
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
    "turns": _("whole dialogue"),
    "question": _("question"),
    "choices": _("all choices"),
    **{f"choice_{number}": format_lazy(_("choice {number}"), number=number) for number in range(1, 7)},
    "answer": _("right answer"),
    "dialogue_id": _("id of the dialogue"),
    "speaker": _("speaker"),
    "text": _("text of one turn"),
    "turn": _("number of the turn"),
    "split": _("split"),
    "prompt": _("prompt"),
    "response": _("response"),
    "id": "id",
    "source": _("source"),
    "topic": _("topic"),
    "dialogue": _("dialogue"),
    "grade": _("grade"),
    "rater": _("rater"),
}
LONGEST_SEPARATOR = 20  # characters
HEADERS = {"": _("Guess"), "yes": _("Column names"), "no": _("Data (no header)")}


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("File"), allow_empty_file=True, error_messages={"required": _("Choose a file first.")}
    )

    def clean_file(self) -> "UploadedFile[bytes]":
        """Accept an empty file: its import page reports it, like every file that cannot be read."""
        return not_too_large(self.cleaned_data["file"])


class GoldForm(FileForm):
    corrects = forms.BooleanField(label=_("Correct pairs stored with a different grade"), required=False)


def formats_of(project: Project) -> list[tuple[str, Any]]:
    """Return the formats that are read in a project, with their names."""
    return [(format, NAMES.get(format, format)) for format in importer_of(project).formats]


class FormatForm(forms.Form):
    format = forms.ChoiceField(
        label=_("Read as"),
        initial="auto",
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Choose one of the formats shown.")),
    )

    def __init__(self, *args: Any, formats: Sequence[tuple[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field_of(self, "format", forms.ChoiceField).choices = formats


class ImportForm(FileForm, FormatForm):
    field_order = ["file", "format"]

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, formats=formats_of(project), **kwargs)
        if project.kind == Kind.REWRITING:
            self.fields["is_practice"] = forms.BooleanField(
                label=_("Items that authors practise on: they are left out of all releases and figures"), required=False
            )


class ReadingForm(FormatForm):
    """Choices about a file before its columns have names: format, encoding or sheet, and what else it `asks`."""

    encoding = forms.ChoiceField(
        label=_("Encoding"),
        required=False,
        choices=[("", _("Guess")), *((codec, ENCODINGS[codec]) for codec in CODECS)],
    )
    sheet = forms.ChoiceField(label=_("Sheet"), required=False)
    header = forms.ChoiceField(
        label=_("The first row has"), required=False, choices=list(HEADERS.items()), widget=forms.RadioSelect
    )
    separator = forms.CharField(
        label=_("Between two turns in a cell"),
        required=False,
        max_length=LONGEST_SEPARATOR,
        strip=False,
        widget=forms.TextInput(attrs={"placeholder": _("Guess"), "size": 8}),
    )
    first_number = forms.ChoiceField(
        label=_("Number of the first choice"), required=False, choices=[("", _("Guess")), ("0", "0"), ("1", "1")]
    )
    numbers_speakers = forms.BooleanField(
        label=_("Call speakers A and B in turn where a dialogue names none"), required=False
    )

    ASKED = ("header", "separator", "first_number", "numbers_speakers")

    def __init__(
        self,
        *args: Any,
        format: str,
        choice: LayoutChoice,
        asks: Collection[str],
        header: ParsedHeader | None,
        **kwargs: Any,
    ) -> None:
        chosen = asdict(choice)
        initial = {name: chosen[name] for name in ("encoding", "separator", "first_number", "numbers_speakers")}
        initial |= {"format": format, "header": {None: "", True: "yes", False: "no"}[choice.header]}
        sheets = header.sheets if header else ()
        super().__init__(*args, initial={**initial, "sheet": header.sheet if header else ""}, **kwargs)
        field_of(self, "sheet", forms.ChoiceField).choices = [(name, name) for name in sheets]
        for name in {"encoding" if sheets else "sheet", *self.ASKED} - {*asks}:
            del self.fields[name]

    @property
    def choice(self) -> LayoutChoice:
        """The layout that was chosen, without its columns. Only after is_valid()."""
        sent = self.cleaned_data
        first = sent.get("first_number", "")
        return LayoutChoice(
            encoding=sent.get("encoding", ""),
            sheet=sent.get("sheet", ""),
            header={"yes": True, "no": False}.get(sent.get("header", "")),
            separator=sent.get("separator", ""),
            first_number=int(first) if first else None,
            numbers_speakers=sent.get("numbers_speakers", False),
        )


class GradesForm(forms.Form):
    """What the column of grades is, and who gave the grades that name no one."""

    grades_are = forms.ChoiceField(
        choices=GradesAre.choices,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), _("Say what this column is.")),
    )
    rater = forms.CharField(
        label=_("Who gave the grades that name no rater"),
        max_length=80,
        widget=forms.TextInput,
        error_messages={"required": _("Write who gave them: a member's user name, or any name.")},
    )
    use_required_attribute = False  # it is needed for one of the choices alone

    def __init__(self, *args: Any, received: Import, **kwargs: Any) -> None:
        kwargs["initial"] = {"grades_are": received.grades_are, "rater": received.rater}
        super().__init__(*args, **kwargs)
        self.nameless = received.grades_found.get("nameless", 0)
        if not self.nameless:
            del self.fields["rater"]
        elif self.is_bound:
            self.fields["rater"].required = self.data.get("grades_are") == GradesAre.GRADES


class ColumnsForm(forms.Form):
    """Choice of the file's column for each column of ours, and of the columns that hold the grades of one rater each.

    Where these are asked about, an empty entry of `raters` is sent with them: no other may be chosen.
    """

    # A digest of the file's columns when the page was made: another reading of the file has other ones.
    names = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        columns: Sequence[str],
        parsed_header: ParsedHeader,
        chosen: Mapping[str, str],
        rater_columns: Sequence[str],
        raters: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        self.known = digest(*parsed_header.names)[:16]
        kwargs |= {"prefix": "column", "initial": {**chosen, "names": self.known, "raters": raters}}
        super().__init__(*args, **kwargs)
        named = filter(None, parsed_header.names)
        shown = [("", _("— none —")), *((name, _shown(name, parsed_header)) for name in named)]
        for name in columns:
            self.fields[name] = forms.ChoiceField(label=str(COLUMNS[name]), required=False, choices=shown)
        self.matched = [self[name] for name in columns]
        possible = [(name, name) for name in rater_columns]
        self.fields["raters"] = forms.MultipleChoiceField(
            required=False,
            choices=[*possible, ("", "")] if self.is_bound else possible,
            widget=forms.CheckboxSelectMultiple,
        )

    @property
    def columns(self) -> dict[str, str]:
        """The chosen columns; empty if they were chosen from another reading of the file. Only after is_valid()."""
        sent = {name: value for name, value in self.cleaned_data.items() if name not in ("names", "raters")}
        return sent if self._knows_names else {}

    @property
    def raters(self) -> list[str] | None:
        """The chosen columns of raters; None if they were not asked about. Only after is_valid()."""
        sent = self.cleaned_data["raters"]
        return [name for name in sent if name] if sent and self._knows_names else None

    @property
    def _knows_names(self) -> bool:
        return bool(self.cleaned_data["names"] == self.known)


def _shown(name: str, parsed_header: ParsedHeader) -> str:
    """Return the label of a column; one without a name is shown with its first content."""
    first = parsed_header.cells(1)
    return (
        name
        if parsed_header.has_header or parsed_header.has_keys or not first
        else f"{name} · {first[0][int(name) - 1]}"
    )
