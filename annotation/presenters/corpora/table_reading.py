"""How a table of dialogues is read: its columns, with the forms that change the choice, on the review of a file."""

from dataclasses import replace
from pathlib import Path

from django.core.files.storage import default_storage
from django.http import QueryDict

from annotation.actions.corpora.corpus_jobs import recipe_of
from annotation.forms.corpora import FORMATS, TABLE, ReviewForm
from annotation.forms.imports import ReadingForm
from annotation.importers import dialogue_tables
from annotation.importers.archive import kind_of
from annotation.importers.dialogue_columns import ANY, choice_of
from annotation.importers.layout import LayoutChoice, ParsedHeader
from annotation.presenters.reading_choices import FileReading, reading_as_sent
from annotation.selectors.imports import ImportPreview, shown
from core.models import Job


def table_reading(review: Job, sent: QueryDict) -> FileReading | None:
    """Return the reading of the file of a review as a table, by what was `sent`; None in another format.

    Of an archive there is none: its files are not unpacked for a page.
    """
    format = sent.get("format") or (review.result or {}).get("format") or review.arguments["format"]
    path = Path(default_storage.path(review.arguments["file"]))
    if format != TABLE or not path.is_file() or kind_of(path):
        return None
    counted = choice_of(recipe_of(review))

    def look(_format: str, choice: LayoutChoice) -> ImportPreview:
        seen = dialogue_tables.preview(path, file_name=review.arguments["file_name"], choice=choice)
        return shown(seen, ANY)

    def form(sent: QueryDict | None, header: ParsedHeader | None) -> ReadingForm:
        named = [(TABLE, FORMATS[TABLE])]
        return ReadingForm(
            sent, formats=named, format=TABLE, choice=counted, asks=("header", "separator"), header=header
        )

    reading = reading_as_sent(look, form, ANY.known, TABLE, counted, sent)
    for each in (reading.form, reading.columns_form):
        for field in each.fields.values() if each else ():
            field.widget.attrs["form"] = ReviewForm.ELEMENT
    return reading


def is_trial(review: Job, reading: FileReading) -> bool:
    """Tell whether a table is shown as it was sent while the counts of the review are of another reading."""
    is_table = (review.result or {}).get("format") == TABLE
    shown_as = replace(reading.choice, keeps_others=choice_of(recipe_of(review)).keeps_others)
    return reading.is_trial and not (is_table and is_counted(review, shown_as))


def is_counted(review: Job, choice: LayoutChoice) -> bool:
    """Tell whether the counts of a review are of its file read with this choice."""
    path = Path(default_storage.path(review.arguments["file"]))
    counted = choice_of(recipe_of(review))
    layouts = [dialogue_tables.preview(path, choice=each).layout for each in (counted, choice)]
    same = (counted.separator, counted.keeps_others) == (choice.separator, choice.keeps_others)
    return same and layouts[0] == layouts[1]
