"""Question sets made of another one, which stays as it is: questions left out, or the texts of one edited."""

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.importers.dialogues import LONGEST_TEXT
from core.actions.refusals import Refused
from core.domain.artefacts import equal_options
from core.domain.text import normalise, one_line
from core.models.people import User
from study.actions.questions import question_rows
from study.actions.questions.question_rows import Row
from study.actions.questions.questions import check_name, store
from study.baselines.ablation import SHUFFLE
from study.domain.questions.sampling import EDITED, has_own_candidates
from study.models import QuestionSet

LONGEST_REASON = 500  # characters


@transaction.atomic
def leave_out(*, question_set: QuestionSet, name: str, ids: Collection[str], why: str, by: User) -> QuestionSet:
    """Make a set without some questions, in any condition. Raises Refused for an unknown id, and when none is left."""
    rows = question_rows.stored_rows(question_set)
    for id in ids:
        _check_is_there(id, rows)
    kept = [row for row in rows if _whole(row) not in ids]
    if not kept:
        raise Refused("none_left", _("No questions are left. Draw another set."))
    changes = [{"id": id, "change": "left_out", "why": _reason(why)} for id in sorted(ids)]
    return _revised(question_set, name, kept, changes, by)


@transaction.atomic
def edit(
    *,
    question_set: QuestionSet,
    name: str,
    id: str,
    turns: Mapping[int, str],
    candidates: Mapping[int, str],
    why: str,
    by: User,
) -> QuestionSet:
    """Make a set with other texts of a question, in each condition: of turns and candidates by number, from 0.

    Turns that say the same are edited together. Raises Refused for an unknown id or number, an empty or too long text,
    candidates that are equal, and turns that read the same shuffled.
    """
    rows = question_rows.stored_rows(question_set)
    whole = _check_is_there(id, rows)
    said = {turn["text"]: turn["text"] for turn in whole["context"]}
    try:
        said |= {whole["context"][turn]["text"]: normalise(text) for turn, text in turns.items()}
        offered = [*whole["candidates"]]
        for number, text in candidates.items():
            offered[number] = normalise(text)
    except IndexError:
        raise Refused("no_such_text", _("The question has no turn or candidate with this number.")) from None
    _check_texts([*said.values()], offered)
    edited = [_edited(row, said, offered) if _whole(row) == id else row for row in rows]
    if edited == rows:
        raise Refused("nothing_edited", _("Nothing was changed."))
    _check_order([row for row in edited if _whole(row) == id])
    return _revised(question_set, name, edited, [{"id": id, "change": "edited", "why": _reason(why)}], by)


def _check_texts(said: list[str], offered: list[str]) -> None:
    if not all(said) or not all(offered):
        raise Refused("text_empty", _("A text is empty. To drop the question, leave it out."))
    if max(map(len, (*said, *offered))) > LONGEST_TEXT:
        text = _("A text is longer than %(most)s characters. Shorten it.")
        raise Refused("text_long", text % {"most": f"{LONGEST_TEXT:,}"})
    if equal_options(offered):
        raise Refused("candidates_equal", _("Two candidates are the same except for case, punctuation and space."))


def _check_order(rows: list[Row]) -> None:
    """Refuse a question that reads the same in its own and in its shuffled order."""
    texts = {row["condition"]: [turn["text"] for turn in row["context"]] for row in rows}
    if texts.get(SHUFFLE) == texts[""]:
        text = _("With these texts the shuffled turns would read as in their original order. Make the turns differ.")
        raise Refused("order_kept", text)


def _edited(row: Row, said: Mapping[str, str], offered: list[str]) -> Row:
    """Return a row with other texts; it says which candidates were edited, beside where each came from."""
    context = [{**turn, "text": said[turn["text"]]} for turn in row["context"]]
    changed = {number for number, text in enumerate(offered) if text != row["candidates"][number]}
    origins = [[*origin[:2], EDITED] if number in changed else origin for number, origin in enumerate(row["origins"])]
    pick = EDITED if changed else row["pick"]
    return {**row, "context": context, "candidates": offered, "origins": origins, "pick": pick}


def _whole(row: Row) -> str:
    return str(row["whole_id"] or row["external_id"])


def _check_is_there(id: str, rows: list[Row]) -> Row:
    for row in rows:
        if row["external_id"] == id and not row["condition"]:
            return row
    raise Refused("no_such_question", _("The set has no question “%(id)s”.") % {"id": id})


def _reason(why: str) -> str:
    reason = one_line(why)
    if not reason or len(reason) > LONGEST_REASON:
        text = _("Give a reason of at most %(most)s characters: it is kept with the set.")
        raise Refused("reason_missing", text % {"most": LONGEST_REASON})
    return reason


def _revised(parent: QuestionSet, name: str, rows: list[Row], changes: list[dict[str, str]], by: User) -> QuestionSet:
    check_name(name)
    times = Counter(row["condition"] for row in rows)
    own = sum(has_own_candidates(row["pick"], row["origins"]) and not row["condition"] for row in rows)
    recipe: dict[str, Any] = {
        **parent.recipe,
        "count": times[""],
        "own_candidates": own,
        "changes": [*parent.recipe.get("changes", []), *changes],
    }
    if "conditions" in recipe:
        recipe["conditions"] = {condition: times[condition] for condition in recipe["conditions"] if times[condition]}
    revised = QuestionSet(
        name=name,
        seed=parent.seed,
        recipe=recipe,
        left_out=parent.left_out,
        checksum=question_rows.checksum(rows),
        parent=parent,
        created_by=by,
    )
    return store(revised, rows, by=by)
