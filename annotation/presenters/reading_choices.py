"""How a file is read: its first rows as chosen so far, and the forms that change the choice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.http import QueryDict

from annotation.forms.imports import ColumnsForm, ReadingForm
from annotation.importers.layout import LayoutChoice, ParsedHeader
from annotation.selectors.imports import ImportPreview

Look = Callable[[str, LayoutChoice], ImportPreview]  # what a file looks like in a format, read as chosen
MakeForm = Callable[[QueryDict | None, ParsedHeader | None], ReadingForm]


@dataclass(frozen=True)
class FileReading:
    """The first rows of a file, the layout in which they are read, and the forms to choose others."""

    look: ImportPreview
    choice: LayoutChoice
    form: ReadingForm
    columns_form: ColumnsForm | None

    @property
    def is_trial(self) -> bool:
        """True where the choices were sent and the whole file is not read so yet."""
        return self.form.is_bound


def reading_as_sent(
    look: Look, make_form: MakeForm, columns: Sequence[str], format: str, choice: LayoutChoice, sent: QueryDict
) -> FileReading:
    """Return the reading of a file by the choices that were `sent`, else by the given ones; columns are last, since
    another format, encoding or sheet has other ones.
    """
    seen = look(format, choice)
    form = make_form(sent if "format" in sent else None, seen.parsed_header)
    if form.is_bound and form.is_valid():
        format, choice = form.cleaned_data["format"], replace(form.choice, columns=choice.columns)
        if header := look(format, choice).parsed_header:
            named = ColumnsForm(sent, columns=columns, parsed_header=header, chosen={}, rater_columns=header.names)
            is_valid = named.is_valid()
            choice = replace(
                choice, columns=named.columns if is_valid else {}, raters=named.raters if is_valid else None
            )
        seen = look(format, choice)
    chosen = {**seen.read_from, **(choice.columns if seen.layout is None else {})}
    header = seen.parsed_header
    columns_form = None
    if header and columns:
        columns_form = ColumnsForm(
            columns=columns,
            parsed_header=header,
            chosen=chosen,
            rater_columns=seen.rater_columns,
            raters=seen.of_raters,
        )
    return FileReading(seen, choice, form, columns_form)
