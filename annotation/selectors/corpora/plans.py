"""What people plan to change of a corpus, and what was changed of its parent to make it."""

from collections import Counter
from collections.abc import Collection

from django.db.models import Count, QuerySet

from annotation.domain.cleaning.cleaning_words import WordLists
from annotation.models import Corpus, DialogueEdit
from core.models import User


def plan_of(corpus: Corpus, *, by: User) -> QuerySet[DialogueEdit]:
    """Return what the person plans, in the order of the dialogues."""
    return corpus.edits.filter(made=None, by=by).order_by("position")


def planned_at(corpus: Corpus, positions: Collection[int], *, by: User) -> dict[int, DialogueEdit]:
    return {edit.position: edit for edit in plan_of(corpus, by=by).filter(position__in=positions)}


def counts_of(edits: QuerySet[DialogueEdit]) -> dict[str, int]:
    """Return how many dialogues are edited, left out and cleared."""
    counted = Counter(dict(edits.order_by().values_list("change").annotate(Count("pk"))))
    return {change.value: counted[change.value] for change in DialogueEdit.EditKind}


def with_words(edits: QuerySet[DialogueEdit], words: WordLists) -> list[str]:
    """Return the ids of the edited dialogues in whose texts, as they are now, one of the words stands."""
    edited = edits.order_by("position").values_list("external_id", "texts")
    return [id for id, texts in edited if texts and words.occur_in(texts)]
