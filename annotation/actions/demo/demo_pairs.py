"""The sample of rating: Chinese pairs half cleaned, graded, adjudicated and discussed, made by the same actions that
people use.
"""

from collections.abc import Mapping
from io import BytesIO

from django.core.files import File
from django.core.files.base import ContentFile
from django.db import transaction

from annotation.actions import flags
from annotation.actions.adjudication import adjudication
from annotation.actions.adjudication.adjudication import Decision
from annotation.actions.cleaning import cleaning, cleaning_scan
from annotation.actions.imports import imports
from annotation.actions.projects import projects
from annotation.actions.qualification import gold, qualification
from annotation.actions.queue import assignments
from annotation.actions.rating import ratings
from annotation.actions.releases import releases
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.rating.rating import reasons_for
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, Item, Project, Purpose, Step
from core.actions.jobs import silent
from core.models import Role, User
from core.models.hidden_draws import new_secret

SLUG = "sample-pairs"
TITLE = "论坛问答对 示例"
# The secret while the sample is made, so that the same gold comes everywhere and one rater is paused after eight pairs;
# the project is then given a secret of its own.
DRAWN_BY = "sample 4968"
# Gold comes often at first, so that a few dozen pairs are enough to meet some.
SETTINGS = {
    "adjudicate": "on",
    "practice": 5,
    "gold_first": 50,
    "gold_half": 5,
    "gold_lowest": 5,
    "gold_window": 5,
    "gold_misses": 3,
}
RATERS = ("linyue", "zhou", "heman", "xujing")
FIRST_TWO_DONE = 22  # pairs with both grades; the next few have one
FIRST_DONE = 26
KNOWN, BESIDE, FAR = 0, 1, 2  # distance of a person's grades from the known grade on gold
# Two rows that the import refuses, so that its page shows refused rows.
BROKEN_ROWS = ['{"prompt": "周末去哪儿玩？"}', '{"prompt": "晚饭吃什么？", "response": ']
# Decisions about pairs with findings, by their ids; one more pair waits.
VERDICTS = {
    "linyue": {"p13-1": CleaningVerdict.KNOWLEDGE, "p16-1": CleaningVerdict.KEEP},
    "amara": {"p14-1": CleaningVerdict.SENSITIVE},
}
# The adjudicator's decisions, by pair; one more pair waits.
DECISIONS = {"p12-2": Decision(5, "interesting"), "p06-2": Decision(None, "ambiguous")}
FLAGGED, COMMENT = "p08-2", "“绩效”在这里算玩笑，还是跑题？"

Grades = Mapping[str, Mapping[str, str]]  # by item: first, first_reason, second, second_reason


def exists() -> bool:
    """Tell whether the sample project is stored."""
    return Project.objects.filter(slug=SLUG).exists()


@transaction.atomic
def load(
    *, cast: dict[str, User], members: Mapping[User, Role], pairs: str, grades: Grades, gold_pairs: str
) -> Project:
    """Create the project: an import with refused rows, cleaning, practice, grades, a pause, a dispute, a flag and a
    release.
    """
    researcher = cast["ines"]
    project = projects.create(
        slug=SLUG,
        kind="rating",
        title=TITLE,
        settings=SETTINGS,
        source_licence="CC0-1.0, written for this sample",
        by=researcher,
    )
    _draw_by(DRAWN_BY, project)
    for member, role in members.items():
        projects.add_member(project=project, person=member, role=role, by=researcher)
    _import(project, pairs, researcher)
    _clean(project, cast)
    gold.import_gold(project=project, source=BytesIO(gold_pairs.encode()), file_name="gold.csv", by=researcher)
    _qualify(project, cast)
    _rate(project, cast, grades)
    _adjudicate(project, cast["amara"])
    flagged = Assignment.objects.get(
        person=cast["linyue"], slot__item__external_id=FLAGGED, slot__queue__project=project
    )
    flags.raise_flag(assignment=flagged, comment=COMMENT, by=cast["linyue"])
    releases.freeze(project=project, seed=0, report=silent, by=researcher)
    _draw_by(new_secret(), project)
    return project


def _draw_by(secret: str, project: Project) -> None:
    project.secret = secret
    project.save(update_fields=["secret"])


def _import(project: Project, pairs: str, researcher: User) -> None:
    text = pairs + "\n".join(BROKEN_ROWS) + "\n"
    file: File[bytes] = ContentFile(text.encode(), name="forum-pairs.jsonl")
    received = imports.receive(project=project, file=file, name="forum-pairs.jsonl", by=researcher)
    imports.check(received=received, report=silent, by=researcher)
    imports.store(received=received, partial=True, report=silent, by=researcher)


def _clean(project: Project, cast: dict[str, User]) -> None:
    cleaning_scan.scan(project=project, report=silent, by=cast["ines"])
    for username, verdicts in VERDICTS.items():
        for assignment in _claim_all(project, Step.CLEAN, cast[username]):
            if verdict := verdicts.get(assignment.slot.item.external_id):
                cleaning.decide(assignment=assignment, verdict=verdict, by=cast[username])
            else:
                _give_back(assignment)


def _qualify(project: Project, cast: dict[str, User]) -> None:
    """Let all raters pass practice, one of them at the second attempt."""
    _practise(project, cast["heman"], FAR)
    for username in RATERS:
        _practise(project, cast[username], KNOWN)


def _practise(project: Project, person: User, off: int) -> None:
    attempt = qualification.begin(project=project, by=person)
    for practice in attempt.grades.select_related("item__gold"):
        grade, reason = _grade_of(practice.item, project, off)
        qualification.practise(project=project, position=practice.position, grade=grade, reason=reason, by=person)


def _rate(project: Project, cast: dict[str, User], grades: Grades) -> None:
    """Let one person grade until paused for missed gold, two as the file says; a fourth skips a pair."""
    before = _grade_next(project, cast["xujing"], grades, "second", FIRST_TWO_DONE, FAR)
    _grade_next(project, cast["linyue"], grades, "first", FIRST_DONE, KNOWN)
    _grade_next(project, cast["zhou"], grades, "second", FIRST_TWO_DONE - before, BESIDE)
    skipped = _next_pair(project, cast["heman"], KNOWN)
    assert skipped is not None
    ratings.skip(assignment=skipped, reason="other", by=cast["heman"])


def _grade_next(project: Project, person: User, grades: Grades, column: str, most: int, off: int) -> int:
    """Grade `most` pairs, or until the person is paused. Return the number of graded pairs."""
    for number in range(most):
        assignment = _next_pair(project, person, off)
        if assignment is None:
            return number
        row = grades[assignment.slot.item.external_id]
        _submit(assignment, int(row[column]), row[f"{column}_reason"], number)
    return most


def _next_pair(project: Project, person: User, off: int) -> Assignment | None:
    """Grade the gold on the way and return the person's next pair to rate; None for a paused person."""
    while claimed := assignments.claim(project=project, step=Step.RATE, by=person):
        [assignment] = claimed
        if assignment.slot.item.purpose == Purpose.WORK:
            return assignment
        _submit(assignment, *_grade_of(assignment.slot.item, project, off), assignment.pk)
    return None


def _submit(assignment: Assignment, grade: int, reason: str, number: int) -> None:
    milliseconds = 7_000 + 1_300 * (number * 7 % 9)  # a time a person needs, for plausible hours
    ratings.submit(assignment=assignment, grade=grade, reason=reason, milliseconds=milliseconds, by=assignment.person)


def _grade_of(item: Item, project: Project, off: int) -> tuple[int, str]:
    """Return a grade at the distance `off` from a gold pair's known grade, with a type that the grade allows."""
    known, scale = item.gold.grade, project.rating.grades
    if not off:
        return known, item.gold.reason
    grade = known + off if known + off in scale else known - off
    types = reasons_for(project.guidelines.all()[:1].get().content, grade)
    return grade, types[0]["key"] if types else ""


def _adjudicate(project: Project, inspector: User) -> None:
    for assignment in _claim_all(project, Step.ADJUDICATE, inspector):
        if decision := DECISIONS.get(assignment.slot.item.external_id):
            adjudication.decide(assignment=assignment, decision=decision, by=inspector)
        else:
            _give_back(assignment)


def _claim_all(project: Project, step: Step, person: User) -> list[Assignment]:
    waiting = project.queues.get(step=step).slots.filter(free__gt=0).count()
    return assignments.claim(project=project, step=step, count=waiting, by=person)


def _give_back(assignment: Assignment) -> None:
    assignments.give_up(assignment=assignment, becomes=AssignmentState.RETURNED, by=assignment.person)
