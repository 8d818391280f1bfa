"""Changes of dialogues as a page lists them: each with the texts before and after."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.urls import reverse

from annotation.domain.corpora.edits import texts_of
from annotation.models import Corpus, DialogueEdit

MOST = 5  # texts shown of a dialogue


@dataclass(frozen=True)
class ShownChange:
    """A change of one dialogue, and the texts that it changes: the number of each turn, before and after."""

    edit: DialogueEdit
    href: str
    texts: list[tuple[int, str, str]] = field(default_factory=list)
    more: int = 0


def changes_of(parent: Corpus, edits: Iterable[DialogueEdit]) -> list[ShownChange]:
    edits = list(edits)
    at = {row.position: row for row in parent.dialogues.filter(position__in=[edit.position for edit in edits])}
    shown = []
    for edit in edits:
        old = texts_of(at[edit.position].turns)
        pairs = enumerate(zip(old, edit.texts or old, strict=True), start=1)
        changed = [(number, before, after) for number, (before, after) in pairs if before != after]
        href = reverse("corpus_dialogue", args=[parent.name, edit.position])
        shown.append(ShownChange(edit, href, changed[:MOST], len(changed[MOST:])))
    return shown
