"""Forms to bring a corpus in: the file, and the choices of its review."""

from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora.corpora import LONGEST_NAME
from annotation.domain.corpora.replacements import KINDS
from annotation.importers.formats import READERS
from annotation.importers.words import MOST_BYTES
from core.domain.draws import LARGEST_SEED
from core.forms.files import not_too_large
from core.forms.lists import Column, NamedListForm
from core.forms.short_names import NamedForm
from core.models import Job

TABLE = "table"
FORMATS = {
    "mutual": "MuTual",
    "irc": "IRC",
    "twitter": "Twitter",
    "subtitles": _("Subtitles with speakers"),
    "ubuntu-csv": "Ubuntu csv",
    "douban": "Douban",
    "lccc": "LCCC",
    "jsonl": "jsonl",
    TABLE: _("Table with columns of any names"),
}

LONGEST_LICENCE = 200  # characters
NAMED = ("name", "source", "licence")  # what an import is asked for with, beside its review
TRIED = ("format", "zone", "seed", "others")  # what may be tried without a count
NOTHING_TRIED: Mapping[str, str] = {}
READING = ("format", "zone", "seed", "leave")  # what changes the counts of a review


class CorpusFilter(NamedListForm):
    COLUMNS = {
        "made": Column(_("Imported"), highest_first=True),
        "name": Column(_("Corpus")),
        "dialogues": Column(_("dialogues"), highest_first=True),
    }


def _format_field(*choices: tuple[str, Any], **how: Any) -> forms.ChoiceField:
    known = ((key, FORMATS[key]) for key in READERS)
    return forms.ChoiceField(label=_("Read as"), choices=[*choices, *known], widget=forms.RadioSelect, **how)


class CorpusForm(NamedForm):
    NAMELESS = "corpus"

    file = forms.FileField(label=_("File"), error_messages={"required": _("Choose a file first.")})
    name = forms.CharField(
        label=_("Short name"),
        max_length=LONGEST_NAME,
        help_text=_("Used in addresses and commands. A second variant in the archive gets the same name with -plus."),
    )
    format = _format_field(("", _("Judged by content")), required=False)

    def clean_file(self) -> "UploadedFile[bytes]":
        return not_too_large(self.cleaned_data["file"])


class ReviewForm(NamedForm):
    """Choices about a file that was read: how to read it again, and what the corpus of it is called.

    Its fields are also outside the element of the form, which they name.
    """

    ELEMENT = "review"
    NAMELESS = "corpus"

    format = _format_field()
    zone = forms.ChoiceField(
        label=_("Time zone of the log"),
        choices=[(zone, zone) for zone in sorted(available_timezones())],
        widget=forms.Select(attrs={"lang": "en"}),
        help_text=_("The times in the file are of this zone. Gaps between messages stay the same in any zone."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=LARGEST_SEED,
        help_text=_("The seed determines the test split and these examples."),
    )
    leave = forms.MultipleChoiceField(
        required=False, choices=[(kind, kind) for kind in KINDS], widget=forms.CheckboxSelectMultiple
    )
    name = forms.CharField(label=_("Short name"), max_length=LONGEST_NAME)
    source = forms.CharField(
        label=_("Source"),
        required=False,
        max_length=1_000,
        help_text=_("Where the material comes from, in words."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    licence = forms.CharField(
        label=_("Licence of the texts"),
        max_length=LONGEST_LICENCE,
        error_messages={"required": _("Say under which licence the texts may be used; “unknown” is an answer too.")},
    )
    others = forms.ChoiceField(
        label=_("Other columns"),
        choices=[("keep", _("Keep with each dialogue")), ("out", _("Leave out"))],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what becomes of the other columns.")},
    )
    words = forms.FileField(
        label=_("List of words to flag"),
        required=False,
        help_text=_("A text file, one word per line. Our own short list of coarse words is always used."),
    )

    def __init__(
        self,
        *args: Any,
        review: Job,
        failed: Job | None = None,
        counts: bool = False,
        tried: Mapping[str, str] = NOTHING_TRIED,
        others: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        """To count again with these choices (`counts`), the licence and what becomes of the `others`, the columns that
        are none of ours, may be missing yet.

        The form of an import that `failed` comes back as it was filled in, and so do choices that are `tried`, which
        are shown before anything is counted.
        """
        self.review = review
        tried = {name: tried[name] for name in TRIED if name in tried} if tried.get("format") in READERS else {}
        format = tried.get("format") or (review.result or {}).get("format") or review.arguments["format"]
        named = {name: failed.arguments[name] for name in NAMED} if failed else {}
        kwargs["initial"] = {**review.arguments, **named, **tried, "format": format}
        super().__init__(*args, **kwargs)
        heeded = READERS[format].HEEDS if format else ()
        for name in ("zone", "seed", "leave"):
            if name not in heeded:
                del self.fields[name]
        for name in ("licence", "others"):
            self.fields[name].required = not counts
        if not others:
            del self.fields["others"]
        for field in self.fields.values():
            field.widget.attrs["form"] = self.ELEMENT

    def clean_words(self) -> Any:
        file = self.cleaned_data["words"]
        if file and file.size > MOST_BYTES:
            raise forms.ValidationError(_("The file is larger than 1 MiB. Split it into several lists."))
        return file

    def focus_first_error(self) -> None:
        """Let the page open at the first field that is wrong."""
        for name in [name for name in self.errors if name in self.fields][:1]:
            self.fields[name].widget.attrs["autofocus"] = True

    @property
    def changes(self) -> dict[str, Any]:
        """What is to be read and stored as. Only after is_valid()."""
        return {name: value for name, value in self.cleaned_data.items() if name != "words"}

    @property
    def keeps_others(self) -> bool:
        """Tell whether the columns that are none of ours are kept. Only after is_valid()."""
        return self.cleaned_data.get("others") == "keep"

    @property
    def must_count(self) -> bool:
        """Tell whether the counts of the review are not of these choices. Only after is_valid()."""
        chosen = {name: self.cleaned_data[name] for name in READING if name in self.fields}
        return bool(self.cleaned_data["words"]) or chosen != {name: self.initial[name] for name in chosen}
