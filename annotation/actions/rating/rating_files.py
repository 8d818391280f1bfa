"""Files of grades, by people or by a model: rows by item, and the stored items they are about."""

from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Q

from annotation.actions.imports.refused_rows import RowsRefused
from annotation.importers.rows import BadRow, RatingRow
from annotation.models import Item, Project
from core.domain.text import digest


def readable(
    rows: Iterable[RatingRow | BadRow], is_partial: bool
) -> tuple[dict[str, list[RatingRow]], int, list[BadRow]]:
    """Return the counting rows by item, in file order, the number of other rows, and those refused.

    Raises RowsRefused for refused rows unless `is_partial`, and where the whole file or every row is refused.
    """
    by_item: dict[str, list[RatingRow]] = defaultdict(list)
    bad: list[BadRow] = []
    uncounted = 0
    for row in rows:
        if isinstance(row, BadRow):
            bad.append(row)
        elif row.counted:
            by_item[row.item].append(row)
        else:
            uncounted += 1
    if bad and not (is_partial and by_item and all(row.line for row in bad)):
        raise RowsRefused(bad)
    return by_item, uncounted, bad


def text_of(given: list[RatingRow]) -> tuple[str, str] | None:
    """Return the prompt and response of the first of an item's rows that has them."""
    return next(((row.prompt, row.response) for row in given if row.prompt and row.response), None)


def known_items(project: Project, texts: dict[str, tuple[str, str] | None]) -> dict[str, Item]:
    """Return the stored items by label: an item with the same id, or with the same text if it has no id of its own."""
    digests = {label: digest(*text) for label, text in texts.items() if text}
    same = project.items.work().filter(Q(external_id__in=texts) | Q(digest__in=digests.values()))
    by_id = {item.external_id: item for item in same if item.external_id}
    by_text = {item.digest: item for item in same}
    known = {}
    for label in texts:
        item = by_text.get(digests.get(label, ""))
        if item is None or item.external_id not in ("", label):
            item = by_id.get(label)
        if item is not None:
            known[label] = item
    return known


def is_other_text(row: RatingRow, item: Item) -> bool:
    """Tell whether the row's grade is for another text than that of the stored item with this id."""
    texts = item.content["prompt"], item.content["response"]
    return bool(row.prompt and row.response and item.has_text) and digest(row.prompt, row.response) != digest(*texts)
