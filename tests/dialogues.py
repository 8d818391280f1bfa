"""A rewriting project for tests: dialogues to rewrite, four candidates for each, a verdict on them."""

from annotation.actions.inspection import inspections
from annotation.actions.projects import projects
from annotation.actions.queue import assignments
from annotation.actions.rewriting import rewrites
from annotation.models import Inspection, Item, Kind, Project, Queue, Rewrite, Slot, Step
from core.domain.text import digest
from core.models import User

TURNS = [
    ("W", "Did you manage to book the community hall for Saturday?"),
    ("M", "I tried, but the choir has it until four. I took the library room instead, from two to five."),
    ("W", "The library room seats thirty. We've sold forty-two tickets already."),
    ("M", "I know. That's why I asked Mrs Okafor whether we could open the doors to the courtyard."),
    ("W", "And what did she say?"),
    ("M", "She doesn't mind, as long as we keep it down once the reading group arrives."),
]
QUESTION = "What is the problem with the library room?"
CHOICES = [
    "It is taken by a choir until four.",
    "It is too small for the audience.",
    "It closes before the end.",
]
ANSWER = 1
CUT = 4
CANDIDATES = [
    "Opening the courtyard would help, or twelve people will have nowhere to sit.",
    "So the choir will be singing in the library room until four?",
    "Then let's ask everyone to leave a little earlier than planned.",
    "Good, thirty chairs are plenty for the tickets we've sold.",
]


def rewriting_project(by: User, slug: str = "dream", title: str = "Listening items", **settings: int) -> Project:
    return projects.create(slug=slug, kind=Kind.REWRITING, title=title, settings=settings, by=by)


def items(project: Project, count: int) -> list[Item]:
    """Create items of the project, each told apart by its number."""
    queue = Queue.objects.get(project=project, step=Step.WRITE)
    made = [_item(project, queue.tail + number) for number in range(1, count + 1)]
    for item in made:
        item.save()
        Slot.objects.create(queue=queue, item=item, required=1, free=1, position=item.position)
    queue.tail += count
    queue.save(update_fields=["tail"])
    return made


def take_writing(project: Project, by: User) -> Rewrite:
    """Claim an item to write and open its page."""
    [assignment] = assignments.claim(project=project, step=Step.WRITE, by=by)
    return rewrites.open_assignment(assignment=assignment, by=by)


def write_next(project: Project, by: User) -> Rewrite:
    """Claim the next item, write it and submit it."""
    rewrite = take_writing(project, by)
    changed = [CANDIDATES[0].replace("twelve", f"{12 + rewrite.assignment.slot.round}"), *CANDIDATES[1:]]
    return rewrites.submit(rewrite=rewrite, cut=CUT, candidates=changed, revision=rewrite.revision, by=by)


def take_inspecting(project: Project, by: User) -> Inspection:
    [assignment] = assignments.claim(project=project, step=Step.INSPECT, by=by)
    return inspections.open_assignment(assignment=assignment, by=by)


ACCEPT = {"is_correct": True, "is_unique": True, "is_revisable": None, "comments": {}}
RETURN = {"is_correct": True, "is_unique": False, "is_revisable": True, "comments": {"2": "This fits as well."}}
DISCARD = {"is_correct": False, "is_unique": False, "is_revisable": False, "comments": {}}


def judge_next(project: Project, by: User, verdict: dict[str, object] = ACCEPT) -> Inspection:
    """Claim the next item, answer blind with the right candidate, and give the verdict."""
    inspection = inspections.answer(inspection=take_inspecting(project, by), candidate=0, by=by)
    return inspections.decide(inspection=inspection, by=by, **verdict)


def _item(project: Project, position: int) -> Item:
    turns = [{"speaker": speaker, "text": text} for speaker, text in TURNS]
    turns[0]["text"] = f"Number {position}. {turns[0]['text']}"
    content = {"turns": turns, "question": QUESTION, "choices": CHOICES, "answer": ANSWER}
    key = digest(turns[0]["text"])
    return Item(
        project=project, position=position, content=content, digest=key, group=key[::-1], external_id=f"4-{position}"
    )
