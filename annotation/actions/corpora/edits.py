"""Edits of a corpus, which never changes: what a person plans for its dialogues, and the corpus that is made of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.core.files.storage import default_storage
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.actions.corpora.contents import EVERY
from annotation.actions.corpora.corpora import must_be_free, reporting
from annotation.actions.corpora.corpus_jobs import words_in
from annotation.actions.corpora.spooled import COLUMNS, SpooledCorpus
from annotation.actions.imports.refused_rows import RowsRefused
from annotation.domain.cleaning.cleaning import OWN_WORDS, own_words
from annotation.domain.cleaning.cleaning_words import WordLists
from annotation.domain.corpora import edits as rules
from annotation.domain.corpora.edits import DialogueChange
from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.languages import BOTH
from annotation.exporters.dialogues import TURN_KEYS
from annotation.importers import dialogue_edits
from annotation.importers.dialogues import DialogueRow
from annotation.importers.rows import BadRow
from annotation.models import Corpus, Dialogue, DialogueEdit
from annotation.selectors.corpora.corpora import dialogues_of
from core.actions import jobs, names
from core.actions.events import record
from core.actions.jobs import ProgressReport, begin_storing, handles
from core.actions.refusals import Refused, RefusedLine
from core.models import Job, User
from core.models.bulk import gather_statistics, insert

KIND = "edit_corpus"
PRUNED = "pruned"  # in the ledger: dialogues that a person left out
REFUSALS = {
    "not_flagged": _("The dialogue has no flag to clear."),
    "other_turns": _("The number of texts is not the number of turns in the dialogue."),
    "turn_empty": _("A text is empty. To drop the dialogue, leave it out."),
    "turn_too_long": _("A text is too long."),
    "nothing_edited": _("Nothing was changed."),
    "no_such_dialogue": _("The corpus has no dialogue with this id."),
    "nothing_planned": _("Nothing is planned: edit, leave out or clear a dialogue first."),
    "none_left": _("No dialogue is left."),
}
TAKEN = _("This short name has just been taken. Your plan is still here: choose another name.")


def plan(*, corpus: Corpus, dialogue: Dialogue, change: DialogueChange, by: User) -> DialogueEdit:
    """Plan a change of a dialogue, in place of what the person planned for it before. Raises Refused."""
    if code := rules.why_not(change, dialogue.turns, flagged=dialogue.flagged):
        raise _refused(code)
    with transaction.atomic():
        names.keep([corpus.name])
        undo(corpus=corpus, position=dialogue.position, by=by)
        return DialogueEdit.objects.create(corpus=corpus, by=by, **_as_row(dialogue, change))


def undo(*, corpus: Corpus, position: int, by: User) -> None:
    """Take back what the person planned for a dialogue."""
    corpus.edits.filter(made=None, by=by, position=position).delete()


def words_of_corpus(corpus: Corpus) -> WordLists:
    """Return the words by which the dialogues of a corpus, or of the one it descends from, were flagged.

    A list that came from the shell, or whose file is gone, is not among them; our own always is.
    """
    while corpus.parent:
        corpus = corpus.parent
    kept = corpus.job.arguments.get("lists", []) if corpus.job else []
    lists = {each["name"]: words_in(each["file"]) for each in kept if default_storage.exists(each["file"])}
    return WordLists({OWN_WORDS: own_words(BOTH), **lists})


@transaction.atomic
def ask_for_corpus(*, corpus: Corpus, name: str, by: User) -> Job:
    """Request a job that makes a corpus of what the person planned. Raises Refused."""
    must_be_free(name)
    if not corpus.edits.filter(made=None, by=by).exists():
        raise _refused("nothing_planned")
    return jobs.ask_for(kind=KIND, arguments={"corpus": corpus.pk, "name": name}, scope=None, by=by)


@handles(
    KIND,
    title=_("Creating the edited corpus"),
    page=lambda job: ("corpus", [job.arguments["name"]]),
    refusals=REFUSALS | dict.fromkeys(("corpus_exists", "slug_taken"), TAKEN),
)
def run_edits(job: Job, report: ProgressReport) -> dict[str, Any]:
    """Make the corpus of the plan as it is when the job begins; what is planned meanwhile stays planned."""
    made = Corpus.objects.filter(job=job).first()
    if made is None:
        parent = Corpus.objects.get(pk=job.arguments["corpus"])
        planned = list(parent.edits.filter(made=None, by=job.created_by).order_by("pk"))
        changes = {row.external_id: DialogueChange(row.change, row.texts) for row in planned}
        made = make(
            parent=parent,
            name=job.arguments["name"],
            changes=changes,
            planned_to=planned[-1].pk if planned else 0,
            report=report,
            job=job,
            by=job.created_by,
        )
    return {"corpus": made.name, "dialogues": made.dialogues_count}


class ChangesRefused(Refused):
    """Refusal of changes, of which `wrong` has the code by the id of the dialogue; nothing was stored."""

    def __init__(self, wrong: Mapping[str, str]) -> None:
        id, code = next(iter(wrong.items()))
        super().__init__(code, f"{id}: {REFUSALS[code]}")
        self.wrong = wrong


def make_of_file(*, parent: Corpus, name: str, path: Path, report: ProgressReport, by: User) -> Corpus:
    """Make a corpus of the edits in a file (importers.dialogue_edits). Raises Refused, with the refused lines."""
    must_be_free(name)
    read = list(dialogue_edits.read(path))
    if bad := [row for row in read if isinstance(row, BadRow)]:
        raise RowsRefused(bad)
    rows = {row.id: row for row in read if not isinstance(row, BadRow)}
    try:
        return make(
            parent=parent, name=name, changes={id: row.change for id, row in rows.items()}, report=report, by=by
        )
    except ChangesRefused as refused:
        wrong = sorted((rows[id].line, code) for id, code in refused.wrong.items())
        refused.lines = [
            RefusedLine(file=path.name, line=line, code=code, reason=str(REFUSALS[code])) for line, code in wrong
        ]
        raise


def make(
    *,
    parent: Corpus,
    name: str,
    changes: Mapping[str, DialogueChange],
    planned_to: int = 0,
    report: ProgressReport,
    job: Job | None = None,
    by: User | None,
) -> Corpus:
    """Make a corpus of another one with these changes, by the ids of dialogues; the other stays as it is.

    Licence, source and recipe are those of the parent. A dialogue that a person edited or cleared has no flag.
    Planned edits up to this key are done with then. Raises Refused; nothing is stored then.
    """
    must_be_free(name)
    if not changes:
        raise _refused("nothing_planned")
    with TemporaryFile() as file:
        edited = _Edited(SpooledCorpus(file))
        for done, dialogue in enumerate(dialogues_of(parent), start=1):
            edited.add(dialogue, changes.get(dialogue.external_id))
            if done % EVERY == 0:
                report(done // 2, parent.dialogues_count)  # reading is the first half, storing the second
        if wrong := {**edited.wrong, **dict.fromkeys(changes.keys() - edited.seen, "no_such_dialogue")}:
            raise ChangesRefused(wrong)
        if not edited.spooled.rows:
            raise _refused("none_left")
        begin_storing(job)
        return _store(parent, name, edited, planned_to, report, job, by)


@dataclass
class _Edited:
    """The rows of the new corpus, the changes that were made, and the changes that cannot be made, by id."""

    spooled: SpooledCorpus
    made: list[DialogueEdit] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    wrong: dict[str, str] = field(default_factory=dict)
    ledger: ImportLedger = field(default_factory=ImportLedger)

    def add(self, dialogue: Dialogue, change: DialogueChange | None) -> None:
        self.ledger.read += 1
        row = _row_of(dialogue)
        if change is None:
            self.ledger.kept += 1
            self.spooled.add(row)
            return
        self.seen.add(row.id)
        if code := rules.why_not(change, row.turns, flagged=row.flagged):
            self.wrong[row.id] = code
            return
        self.made.append(DialogueEdit(**_as_row(dialogue, change)))
        if change.kind == rules.LEFT_OUT:
            self.ledger.dropped[PRUNED] += 1
            return
        self.ledger.kept += 1
        self.ledger.changed[change.kind] += 1
        if change.texts is not None:  # still of the conversation that its text was the key of
            turns: Any = rules.edited(row.turns, change.texts)
            row = row._replace(turns=turns, conversation=dialogue.conversation, as_written="")
        self.spooled.add(row._replace(flagged=False))


@transaction.atomic
def _store(
    parent: Corpus,
    name: str,
    edited: _Edited,
    planned_to: int,
    report: ProgressReport,
    job: Job | None,
    by: User | None,
) -> Corpus:
    must_be_free(name)
    names.keep([parent.name])
    names.claim(name, "corpus")
    spooled = edited.spooled
    made = Corpus.objects.create(
        name=name,
        format=parent.format,
        parent=parent,
        checksum=spooled.checksum.hexdigest(),
        dialogues_count=spooled.rows,
        statistics=spooled.statistics,
        source=parent.source,
        licence=parent.licence,
        recipe=parent.recipe,
        ledger=edited.ledger.as_mapping(),
        job=job,
        created_by=by,
    )
    insert(Dialogue, COLUMNS, reporting(spooled.values(made), spooled.rows, 0, report))
    gather_statistics(Dialogue)
    parent.edits.filter(made=None, by=by, pk__lte=planned_to).delete()
    for row in edited.made:
        row.corpus, row.made, row.by = parent, made, by
    DialogueEdit.objects.bulk_create(edited.made, batch_size=EVERY)
    record(made, became="edited", scope=None, by=by)
    return made


def _row_of(dialogue: Dialogue) -> DialogueRow:
    """Return the row that the dialogue was stored from; PostgreSQL has the keys of an object in an order of its own."""
    turns: Any = [{key: turn[key] for key in TURN_KEYS if key in turn} for turn in dialogue.turns]
    return DialogueRow(
        dialogue.external_id,
        dialogue.split,
        turns,
        dialogue.candidates,
        dialogue.answer,
        "" if dialogue.conversation == dialogue.digest else dialogue.conversation,
        dialogue.facts,
        dialogue.as_written,
        flagged=dialogue.flagged,
    )


def _as_row(dialogue: Dialogue, change: DialogueChange) -> dict[str, Any]:
    texts = None if change.texts is None else [*change.texts]
    return {
        "position": dialogue.position,
        "external_id": dialogue.external_id,
        "change": change.kind,
        "texts": texts,
    }


def _refused(code: str) -> Refused:
    return Refused(code, REFUSALS[code])
