"""Other material that a file of predictions was evidently made for: its letters name candidates in that order."""

from collections.abc import Collection, Iterator, Sequence

from core.models.people import User
from study.baselines.base import RankingInstance
from study.models import Question
from study.permissions import question_sets_of
from study.selectors.runs.sources import NoSuchSource, Source, source_of


def made_for_another(
    ids: Sequence[str], source: Source, asked: Sequence[RankingInstance], *, by: User
) -> Source | None:
    """Return the material that a file with these ids, in this order, was made for, where it is not the source.

    A set draws the order of its questions and of their candidates anew. So rows that do not come in the order of the
    source, but in that of a set or corpus with the same ids, or that are all of its ids, have its order of candidates.
    None where that is the source's own order of candidates.
    """
    own = {one.id: one.candidates for one in asked}
    if _come_in_order(ids, own):
        return None
    for other in _sharing_ids(source, by):
        theirs = {one.id: one.candidates for one in other.instances()}
        if not set(ids) <= theirs.keys() or all(theirs[id] == own[id] for id in ids):
            continue
        if _come_in_order(ids, theirs) or len(ids) == len(theirs):
            return other
    return None


def _come_in_order(ids: Sequence[str], order: Collection[str]) -> bool:
    """Tell whether the ids, some of `order`, come in its order."""
    wanted = set(ids)
    return [id for id in order if id in wanted] == [*ids]


def _sharing_ids(source: Source, by: User) -> Iterator[Source]:
    """Yield the sets and corpora that a person may read and that have the source's instances under their ids, too."""
    asked = Question.objects.counting().order_by()
    if source.question_set:
        asked = asked.filter(question_set=source.question_set)
    elif source.study:
        asked = asked.filter(question_set__studies=source.study)
    else:
        asked = asked.filter(corpus=source.origin)
    corpora = set(asked.values_list("corpus", flat=True).distinct())
    sets = question_sets_of(by).filter(questions__corpus__in=corpora).order_by().values_list("name", flat=True)
    for name in sorted({*sets, *corpora} - {source.name, source.origin}):
        try:
            yield source_of(name, by=by)
        except NoSuchSource:
            continue
