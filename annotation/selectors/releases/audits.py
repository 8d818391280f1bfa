"""Audits of corpora and of releases of instances for leaks and shortcuts: their reports, and the last one made."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from annotation.domain.corpora.dialogue import Turn, conversation
from annotation.domain.releases.leaks import Context, Leak, Likeness, leaks
from annotation.models import Corpus, Dialogue, Kind, Release
from annotation.permissions import corpora_of
from annotation.selectors.corpora import corpora
from annotation.selectors.corpora.corpus_pages import Option, options_of
from annotation.selectors.releases import releases
from core.domain.artefacts import ArtefactQuestion, Check, equal_options, shortcuts
from core.domain.text import candidate_texts
from core.domain.transitions import JobState
from core.models import Job, User

KIND = "audit"

Subject = Corpus | Release


class AuditProgress(Protocol):
    """A callback that reports progress."""

    def __call__(self, done: int, total: int | None = None) -> None: ...


class HoldsPairs(Exception):
    """Raised for a release of rated pairs, which has neither contexts nor options."""


class AuditRow(NamedTuple):
    """One instance or dialogue; `position` is its position in the corpus or release."""

    position: int
    id: str
    split: str
    context: Sequence[Turn]
    options: Sequence[str]
    answer: int | None


def named(name: str, *, by: User) -> Subject:
    """Return the corpus, or the release SLUG@NUMBER (SLUG: its newest), that the person may use; never a single split.

    Raises Release.DoesNotExist, and HoldsPairs.
    """
    if corpus := corpora_of(by).filter(name=name).first():
        return corpus
    release = releases.named(name, by=by)
    if release.project.kind != Kind.REWRITING:
        raise HoldsPairs(name)
    return release


def names_of(by: User) -> list[str]:
    """Return the names of what can be audited."""
    return [name for name in corpora.names_of(by) if ":" not in name] + releases.names_of(by)


def audit_report(subject: Subject, report: AuditProgress) -> dict[str, Any]:
    """Return all findings of an audit, JSON-ready (docs/data-formats.md).

    These are contexts in several splits, equal options, and the success of guessing: domain/leaks and domain/artefacts.
    Instances without a known answer count only for leaks and equal options.
    """
    rows = list(_rows(subject))
    report(10, 100)  # the linear model takes most of the time
    found, phrases = leaks([Context(row.split, row.context) for row in rows])
    report(20, 100)
    asked = [row for row in rows if row.answer is not None and len(row.options) > 1]
    checks, level = shortcuts([_question(row) for row in asked])
    equal = [row for row in rows if equal_options(row.options)]
    report(100, 100)
    return {
        "of": str(subject),
        "checksum": subject.checksum,
        "instances": len(rows),
        "answered": len(asked),
        "splits": dict(Counter(row.split for row in rows if row.split)),
        "leaks": _counts(found) | {"phrases": phrases, "rows": [_leak(leak, rows) for leak in found]},
        "shortcuts": {
            "level": level,
            "equal_options": {"n": len(equal), "rows": [_told(row) for row in equal]},
            **{name: _checked(check, asked) for name, check in checks.items()},
        },
    }


def _rows(subject: Subject) -> Iterator[AuditRow]:
    if isinstance(subject, Corpus):
        with closing(corpora.dialogues_of(subject)) as dialogues:
            yield from map(_of_corpus, dialogues)
    else:
        with closing(releases.instances_of(subject)) as instances:
            yield from (_of_release(position, content) for position, content in enumerate(instances))


def _of_corpus(each: Dialogue) -> AuditRow:
    return AuditRow(each.position, each.external_id, each.split, each.turns, each.candidates or (), each.answer)


def _of_release(position: int, content: dict[str, Any]) -> AuditRow:
    return AuditRow(position, *(content[name] for name in ("id", "split", "context", "candidates", "answer")))


def _question(row: AuditRow) -> ArtefactQuestion:
    assert row.answer is not None
    texts = [turn["text"] for turn in row.context]
    return ArtefactQuestion(texts, candidate_texts(row.options).texts, row.answer, conversation(row.context))


def _checked(check: Check, asked: Sequence[AuditRow]) -> dict[str, Any]:
    examples = [_told(asked[number]) for number in check.examples]
    return {**check._asdict(), "finding": str(check.finding), "examples": examples}


def _counts(found: Sequence[Leak]) -> dict[str, int]:
    """Count the leaks: exact ones count as near too; similar ones are pairs of contexts that are neither."""
    of = {likeness: sum(leak.likeness is likeness for leak in found) for likeness in Likeness}
    return {
        "exact": of[Likeness.EXACT],
        "near": of[Likeness.EXACT] + of[Likeness.NEAR],
        "similar": of[Likeness.SIMILAR],
    }


def _leak(leak: Leak, rows: Sequence[AuditRow]) -> dict[str, Any]:
    return {"likeness": str(leak.likeness), "instances": [_told(rows[index]) for index in leak.indices]}


def _told(row: AuditRow) -> dict[str, Any]:
    return {"position": row.position, "id": row.id, "split": row.split}


@dataclass(frozen=True)
class AuditedInstance:
    """An instance as shown on a page."""

    id: str
    split: str
    turns: Sequence[Turn]
    options: list[Option]


def shown(subject: Subject, positions: Sequence[int]) -> list[AuditedInstance]:
    """Return the instances at these positions, in this order."""
    if isinstance(subject, Corpus):
        rows = {each.position: _of_corpus(each) for each in subject.dialogues.filter(position__in=positions)}
    else:
        found = subject.instances.filter(position__in=positions).values_list("position", "content")
        rows = {position: _of_release(position, content) for position, content in found}
    return [
        AuditedInstance(row.id, row.split, row.context, options_of(row.options, row.answer))
        for row in (rows[position] for position in positions)
    ]


def last_audit(subject: Subject) -> Job | None:
    """Return the job that audits it, or the last one that did."""
    return Job.objects.filter(kind=KIND, arguments=arguments_of(subject)).first()


def arguments_of(subject: Subject) -> dict[str, int]:
    """Return the arguments that name it in a job."""
    return {"corpus" if isinstance(subject, Corpus) else "release": subject.pk}


def last_report(subject: Subject) -> dict[str, Any] | None:
    """Return the result of the last finished audit, or None. It stays valid, because the material is frozen."""
    done = Job.objects.filter(kind=KIND, arguments=arguments_of(subject), state=JobState.DONE).first()
    return done.result if done else None
