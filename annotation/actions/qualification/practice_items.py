"""Practice items of a rewriting project, assigned to authors who have not passed practice, on slots without numbers.

An item can be assigned to each author, once a round: an author's first time with an item is its round 1, and so on.
"""

from annotation.actions.qualification.gold_stream import open_round
from annotation.models import Cursor, Project, Slot
from annotation.selectors.qualification.practice_drafts import met_by, practice_of
from annotation.selectors.qualification.qualification import items_to_practise
from core.domain.draws import least_met
from core.models import User


def next_slot(cursor: Cursor, *, project: Project, by: User) -> Slot | None:
    """Return a slot of the practice item that the person has had least often, in an order drawn from the seed.

    Return None if the person has submitted all drafts of the attempt, or may not practise. The caller holds the lock of
    the cursor.
    """
    if practice_of(project, by).left <= 0:
        return None
    met = met_by(by, project)
    key, *_later = least_met(met, project.seed, "practice item", project.slug, by.username)
    slot = Slot.objects.filter(queue=cursor.queue_id, item__digest=key, item__project=project, round=met[key] + 1)
    if not slot.exists():
        open_round(cursor.queue_id, items_to_practise(project), met[key] + 1)
    return slot.get()
