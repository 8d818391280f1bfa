"""Sources that a model can be run on or trained with, by name.

A source is a corpus or a release or a split of it, a question set, or a study.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from json import dumps
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Count, Q, QuerySet

from annotation.domain.releases.splitting import Split
from annotation.permissions import corpora_of
from annotation.selectors.corpora import corpora
from annotation.selectors.releases import releases
from core.domain.text import candidate_texts
from core.models.people import User
from study.baselines.base import RankingInstance
from study.baselines.words import language_of
from study.models import Question, QuestionPurpose, QuestionSet, Study
from study.permissions import question_sets_of, studies_of
from study.selectors.runs.rated import prompts_of
from study.selectors.survey.plans import counting_questions, question_counts

CHUNK = 2_000
RATING = "rating"  # kind of project whose releases hold graded pairs

Ids = Collection[str] | None
Reading = Callable[[Ids], Iterable[RankingInstance]]


class NoSuchSource(Exception):
    """No source has this name, or the person may not use it."""


@dataclass(frozen=True)
class Source:
    """Instances of a corpus, release, question set or study.

    `origin` is the whole of which it is a part, `split` that part, "" for all of it. `checksum` covers the content of
    the origin (of a study: the questions themselves). `read` yields the instances with given ids, or all in their own
    order.
    """

    name: str
    origin: str
    split: str
    checksum: str
    read: Reading
    question_set: QuestionSet | None = None
    study: Study | None = None
    is_rated: bool = False  # its instances are prompts whose responses people graded

    def instances(self) -> list[RankingInstance]:
        """Return all instances, in their own order."""
        return list(self.read(None))

    def instances_named(self, ids: Collection[str]) -> dict[str, RankingInstance]:
        """Return the instances with these ids, by id; missing ones are left out."""
        return {instance.id: instance for instance in self.read(ids)}

    def shares_with(self, other: "Source") -> bool:
        """Return whether some instances are certainly in both."""
        return self.origin == other.origin and (self.split == other.split or not (self.split and other.split))


def source_of(name: str, *, by: User) -> Source:
    """Return the source called NAME or NAME:split, if the person may use it. Raises NoSuchSource."""
    for find in (_corpus, _release, _question_set, _study):
        try:
            return find(name, by)
        except ObjectDoesNotExist:
            continue
    raise NoSuchSource(name)


def candidates_in(name: str, *, by: User) -> int | None:
    """Return how many candidates an instance of a corpus or a split of it has; None of another source."""
    try:
        return corpora.candidates_of(*corpora.named(name, by=by))
    except ObjectDoesNotExist:
        return None


def _corpus(name: str, by: User) -> Source:
    corpus, split = corpora.named(name, by=by)

    def read(ids: Ids) -> Iterator[RankingInstance]:
        rows = corpora.dialogues_of(corpus, split) if ids is None else corpus.dialogues.filter(external_id__in=ids)
        for row in rows:
            yield _instance(row.external_id, row.turns, row.candidates or (), row.answer)

    return Source(name, corpus.name, split, corpus.checksum, read)


def _release(name: str, by: User) -> Source:
    own_name, colon, split = name.partition(":")
    if colon and split not in set(Split):
        raise ObjectDoesNotExist
    release = releases.named(own_name, by=by)

    def read(ids: Ids) -> Iterator[RankingInstance]:
        if release.project.kind == RATING:
            yield from prompts_of(release, split, ids)
            return
        rows = releases.instances_of(release) if ids is None else _named_in(release, ids)
        for row in rows:
            if not split or row["split"] == split:
                types = tuple(row.get("reasoning", ()))
                yield _instance(row["id"], row["context"], row["candidates"], row["answer"], types)

    name = f"{release}:{split}" if split else str(release)
    return Source(name, str(release), split, release.checksum, read, is_rated=release.project.kind == RATING)


def _question_set(name: str, by: User) -> Source:
    found = question_sets_of(by).get(name=name)
    questions = Question.objects.counting().filter(question_set=found).order_by("position")
    return Source(name, name, "", found.checksum, _reading(questions, lambda question: question.external_id), found)


def _study(name: str, by: User) -> Source:
    study = studies_of(by).get(slug=name)
    read = _reading(questions_of(study), _id_in_a_study(study))
    return Source(name, name, "", _checksum(read(None)), read, study=study)


@dataclass(frozen=True)
class SourceToAsk:
    """A source to choose; `can_be_asked` if it has candidates. `kind`: corpus, release, questions or study.

    `count` is that of its dialogues, instances or rated pairs.
    """

    kind: str
    name: str
    count: int
    can_be_asked: bool
    is_archived: bool = False


def choices_of(person: User, also: Collection[str] = ()) -> list[SourceToAsk]:
    """Return the sources to offer to a person, as `offered` has them."""
    return offered(every_source(person), also)


def offered(sources: Iterable[SourceToAsk], also: Collection[str] = ()) -> list[SourceToAsk]:
    """Return the sources without those that are archived; of these only the ones that `also` names."""
    return [source for source in sources if not source.is_archived or source.name in also]


def every_source(person: User) -> list[SourceToAsk]:
    """Return every source that a person may name, split by split, the newest first within its kind."""
    return [*_studies(person), *_question_sets(person), *_corpora(person), *_releases(person)]


def usual_training(name: str, *, by: User, among: Collection[SourceToAsk] | None = None) -> str:
    """Return the default training source for `name`: its own train split, or that of a corpus its questions come from.

    "" where there is none. `among` are all sources of the person, where they are read already.
    """
    names = _names(by, among)
    beside = (f"{origin}:{Split.TRAIN}" for origin in (name.partition(":")[0], *_corpora_asked_about(name, by)))
    return next((train for train in beside if train in names and train != name), "")


def usual_dev(name: str, train: str, *, by: User, among: Collection[SourceToAsk] | None = None) -> str:
    """Return the default dev source of a model that is asked about `name`: the dev split beside its training.

    "" where there is none, or where it is what the model is asked about.
    """
    dev = f"{train.partition(':')[0]}:{Split.DEV}"
    if dev not in _names(by, among):
        return ""
    return "" if source_of(dev, by=by).shares_with(source_of(name, by=by)) else dev


def _names(person: User, among: Collection[SourceToAsk] | None) -> set[str]:
    return {source.name for source in (every_source(person) if among is None else among)}


def _corpora_asked_about(name: str, by: User) -> list[str]:
    """Return the corpora that questions come from, the one of most questions first."""
    of_set = Q(question_set__in=question_sets_of(by).filter(name=name))
    of_study = Q(question_set__studies__in=studies_of(by).filter(slug=name))
    questions = Question.objects.counting().filter(of_set | of_study)
    by_number = questions.order_by().values_list("corpus").annotate(number=Count("pk")).order_by("-number", "corpus")
    return [corpus for corpus, _number in by_number]


def _studies(person: User) -> Iterator[SourceToAsk]:
    studies = studies_of(person).filter(is_imported=False)  # imported answers have no texts
    counts = question_counts(studies.order_by())
    for study in studies:
        yield SourceToAsk("study", study.slug, counts.get(study.pk, 0), True, study.archived_at is not None)


def _question_sets(person: User) -> Iterator[SourceToAsk]:
    counting = Count("questions", filter=Q(questions__purpose=QuestionPurpose.WORK), distinct=True)
    for found in question_sets_of(person).annotate(counted=counting):
        yield SourceToAsk("questions", found.name, found.counted, True, found.archived_at is not None)


def _corpora(person: User) -> Iterator[SourceToAsk]:
    for corpus in sorted(corpora_of(person), key=lambda corpus: corpus.variant_of_id is not None):
        for split, count in corpora.splits_of(corpus).items():
            has_instances = corpus.statistics[split]["instances"] == count
            name, is_archived = f"{corpus.name}:{split}" if split else corpus.name, corpus.archived_at is not None
            yield SourceToAsk("corpus", name, count, has_instances, is_archived)


def _releases(person: User) -> Iterator[SourceToAsk]:
    for release in releases.all_of(person):
        for split, count in release.counts["splits"].items():
            yield SourceToAsk("release", f"{release}:{split}", count, True)


def questions_of(study: Study) -> QuerySet[Question]:
    """Return the questions of a study that figures count.

    They are those of its forms or, before there are forms, of its question sets.
    """
    questions = counting_questions(study)
    if study.form_questions.exists():
        questions = Question.objects.counting().filter(pk__in=study.form_questions.values("question"))
    return questions.order_by("question_set_id", "position", "pk")


def _id_in_a_study(study: Study) -> Callable[[Question], str]:
    """Return the function of a question's id; its set's name is put before an id that several questions share."""
    ids = questions_of(study).order_by().values_list("external_id").annotate(times=Count("pk"))
    shared = set(ids.filter(times__gt=1).values_list("external_id", flat=True))

    def own_id(question: Question) -> str:
        belongs_to = question.question_set.name if question.question_set else study.slug
        return f"{belongs_to}:{question.external_id}" if question.external_id in shared else question.external_id

    return own_id


def _reading(questions: QuerySet[Question], own_id: Callable[[Question], str]) -> Reading:
    def read(ids: Ids) -> Iterator[RankingInstance]:
        for question in questions.select_related("question_set").iterator(chunk_size=CHUNK):
            if ids is None or own_id(question) in ids:
                yield instance_of(question, own_id(question))

    return read


def instance_of(question: Question, id: str) -> RankingInstance:
    """Return a question as models are asked it, under an id."""
    instance = _instance(id, question.context, question.candidates, question.answer)
    name = f"{question.question_set_id}/{question.name}"
    return replace(instance, condition=question.condition, question=name)


def _instance(
    id: str,
    turns: list[dict[str, str]],
    candidates: Sequence[str],
    answer: int | None,
    types: tuple[str, ...] = (),
) -> RankingInstance:
    """Build an instance of the texts that people read too."""
    context = tuple(turn["text"] for turn in turns)
    return RankingInstance(
        id,
        context,
        candidate_texts(candidates).texts,
        answer,
        speakers=tuple(turn["speaker"] for turn in turns),
        language=language_of(context),
        types=types,
    )


def _named_in(release: Any, ids: Collection[str]) -> Iterable[Any]:
    rows: Iterable[Any] = release.instances.filter(content__id__in=list(ids)).values_list("content", flat=True)
    return rows


def _checksum(instances: Iterable[RankingInstance]) -> str:
    digest = sha256()
    for each in instances:
        digest.update(dumps([each.id, each.context, each.candidates, each.answer]).encode() + b"\n")
    return digest.hexdigest()
