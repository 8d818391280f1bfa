"""Leak and shortcut audits of corpora and of releases of instances: what is found, and the last one that was made."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from annotation.domain.corpora.dialogue import Turn, conversation
from annotation.domain.releases.artefacts import ArtefactQuestion, Check, equal_options, shortcuts
from annotation.domain.releases.leaks import Context, Leak, Likeness, leaks
from annotation.models import Corpus, Dialogue, Kind, Release
from annotation.permissions import corpora_of
from annotation.selectors.corpora import corpora
from annotation.selectors.corpora.corpus_pages import Option, options_of
from annotation.selectors.releases import releases
from core.domain.transitions import JobState
from core.models import Job, User

KIND = "audit"

Subject = Corpus | Release


class AuditProgress(Protocol):
    def __call__(self, done: int, total: int | None = None) -> None: ...


class HoldsPairs(Exception):
    """A release of rated pairs has neither contexts nor options."""


class AuditRow(NamedTuple):
    """One instance or dialogue of either kind of material. `position` is its place there."""

    position: int
    id: str
    split: str
    context: Sequence[Turn]
    options: Sequence[str]
    answer: int | None


def named(name: str, *, by: User) -> Subject:
    """The corpus, or the release SLUG@NUMBER (SLUG: its newest), that the person has a right to; never a split of one.

    Raises Release.DoesNotExist, and HoldsPairs.
    """
    if corpus := corpora_of(by).filter(name=name).first():
        return corpus
    release = releases.named(name, by=by)
    if release.project.kind != Kind.REWRITING:
        raise HoldsPairs(name)
    return release


def names_of(by: User) -> list[str]:
    """What can be audited, by name."""
    return [name for name in corpora.names_of(by) if ":" not in name] + releases.names_of(by)


def audit_report(subject: Subject, report: AuditProgress) -> dict[str, Any]:
    """Everything an audit finds, JSON-ready (docs/data-formats.md).

    Where a context stands in several splits, which options are equal, and how far guessing gets: domain/leaks and
    domain/artefacts. Instances without a known answer count for leaks and equal options alone.
    """
    rows = list(_rows(subject))
    report(10, 100)  # the linear model takes the most
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
    return ArtefactQuestion([turn["text"] for turn in row.context], row.options, row.answer, conversation(row.context))


def _checked(check: Check, asked: Sequence[AuditRow]) -> dict[str, Any]:
    examples = [_told(asked[number]) for number in check.examples]
    return {**check._asdict(), "finding": str(check.finding), "examples": examples}


def _counts(found: Sequence[Leak]) -> dict[str, int]:
    """What is exact is near as well; similar are pairs of contexts that are neither."""
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
    """An instance as a page shows it."""

    id: str
    split: str
    turns: Sequence[Turn]
    options: list[Option]


def shown(subject: Subject, positions: Sequence[int]) -> list[AuditedInstance]:
    """The instances at these positions, in this order."""
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
    """The job that audits it, or did last."""
    return Job.objects.filter(kind=KIND, arguments=arguments_of(subject)).first()


def arguments_of(subject: Subject) -> dict[str, int]:
    """What names it in a job."""
    return {"corpus" if isinstance(subject, Corpus) else "release": subject.pk}


def last_report(subject: Subject) -> dict[str, Any] | None:
    """What the last audit found; None where none has come to its end. Its material is frozen: it stays true."""
    done = Job.objects.filter(kind=KIND, arguments=arguments_of(subject), state=JobState.DONE).first()
    return done.result if done else None
