"""Practice items of a rewriting project: handed to whoever has not passed practice yet, at slots without slot numbers.

Everybody may be sent to them, once a round: the first time they meet an item is its first round, and so on.
"""

from annotation.actions.qualification.gold_stream import open_round
from annotation.models import Cursor, Project, Slot
from annotation.selectors.qualification.practice_drafts import met_by, practice_of
from annotation.selectors.qualification.qualification import items_to_practise
from core.domain.draws import least_met
from core.models import User


def next_slot(cursor: Cursor, *, project: Project, by: User) -> Slot | None:
    """Of the practice item that the person has met least often, in an order that the seed draws; None where they have
    handed in all that an attempt has, or may not practise. The cursor is locked.
    """
    if practice_of(project, by).left <= 0:
        return None
    met = met_by(by, project)
    key, *_later = least_met(met, project.seed, "practice item", project.slug, by.username)
    slot = Slot.objects.filter(queue=cursor.queue_id, item__digest=key, item__project=project, round=met[key] + 1)
    if not slot.exists():
        open_round(cursor.queue_id, items_to_practise(project), met[key] + 1)
    return slot.get()
