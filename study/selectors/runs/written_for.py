"""Other material that a file of predictions may have been made for: its letters name candidates in that order."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from annotation.domain.releases.splitting import Split
from core.models.people import User
from study.baselines.base import RankingInstance
from study.models import Question
from study.permissions import question_sets_of
from study.selectors.runs.sources import NoSuchSource, Source, source_of


class OtherMaterial(NamedTuple):
    """Material whose candidates are in another order; `is_certain` if the rows are certainly its own."""

    source: Source
    is_certain: bool


def made_for_another(
    ids: Sequence[str], source: Source, asked: Sequence[RankingInstance], *, by: User
) -> OtherMaterial | None:
    """Return the material that a file with these ids, in this order, was or may have been made for, besides the source.

    A set draws the order of its questions and of their candidates anew. So rows that do not come in the order of the
    source, but in that of a set or corpus with the same ids, or that are all of its ids, have its order of candidates.
    Rows for a set or a study that come in no order at all may have that of the corpus. None where the candidates are in
    the source's own order, too.
    """
    own = {one.id: one.candidates for one in asked}
    if _come_in_order(ids, own):
        return None
    doubtful: list[Source] = []
    for other in _sharing_ids(source, by):
        theirs = {one.id: one.candidates for one in other.instances()}
        if all(theirs[id] == own[id] for id in ids if id in theirs):
            continue
        if set(ids) <= theirs.keys() and (_come_in_order(ids, theirs) or len(ids) == len(theirs)):
            return OtherMaterial(other, is_certain=True)
        doubtful.append(other)
    if doubtful and (source.question_set or source.study):
        return OtherMaterial(min(doubtful, key=_is_set), is_certain=False)
    return None


def material_with(ids: Collection[str], source: Source, *, by: User) -> Source | None:
    """Return a split, a corpus or a set that has all of these ids, and questions in common with the source."""
    corpora = _corpora_of(source)
    parts = [f"{corpus}:{split}" for corpus in corpora for split in Split]
    found = _readable([*parts, *corpora, *_sets_of(corpora, by)], source, by)
    return next((other for other in found if {*ids} <= {one.id for one in other.instances()}), None)


def _come_in_order(ids: Sequence[str], order: Collection[str]) -> bool:
    """Tell whether the ids, some of `order`, come in its order."""
    wanted = set(ids)
    return [id for id in order if id in wanted] == [*ids]


def _is_set(source: Source) -> bool:
    return source.question_set is not None


def _sharing_ids(source: Source, by: User) -> Iterator[Source]:
    """Yield the sets and corpora that a person may read and that have the source's instances under their ids, too."""
    corpora = _corpora_of(source)
    return _readable(sorted({*_sets_of(corpora, by), *corpora} - {source.origin}), source, by)


def _corpora_of(source: Source) -> list[str]:
    """Return the names of the corpora that the instances of a source are from."""
    if not (source.question_set or source.study):
        return [source.origin]
    asked = Question.objects.counting().order_by()
    of_set = asked.filter(question_set=source.question_set)
    found = of_set if source.question_set else asked.filter(question_set__studies=source.study)
    return sorted(found.values_list("corpus", flat=True).distinct())


def _sets_of(corpora: Collection[str], by: User) -> list[str]:
    """Return the names of the sets that a person may read and that have questions of these corpora."""
    sets = question_sets_of(by).filter(questions__corpus__in=corpora).order_by()
    return sorted(sets.values_list("name", flat=True).distinct())


def _readable(names: Sequence[str], source: Source, by: User) -> Iterator[Source]:
    """Yield the sources of these names that a person may read, but the one."""
    for name in names:
        try:
            if name != source.name:
                yield source_of(name, by=by)
        except NoSuchSource:
            continue
