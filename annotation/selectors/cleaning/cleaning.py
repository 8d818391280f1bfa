"""Cleaning of a project: its rules, pairs that wait for a decision, and the decisions made."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from annotation.domain.cleaning.cleaning import (
    OWN_LISTS,
    OWN_RULES,
    CleaningVerdict,
    Findings,
    Span,
    own_rules,
    own_words,
    suggested,
)
from annotation.domain.cleaning.cleaning_patterns import PATTERNS
from annotation.domain.workflow import AssignmentState, ItemState
from annotation.models import Assignment, CleaningDecision, CleaningFinding, Item, Project, Queue, Slot, Step
from annotation.permissions import projects_as
from annotation.selectors.rating.own_work import count_ahead
from core.models import Event, Job, Role, User
from core.models.scoped import scope_of

SCAN = "scan"
LAST = 5  # the person's own last decisions, shown beside the work
PAGE = 50


@dataclass(frozen=True)
class Rule:
    """A rule as used in a project. `words` is the size of a list, None for a pattern."""

    key: str
    is_own: bool  # built in
    is_on: bool
    words: int | None

    @property
    def name(self) -> str:
        return rule_name(self.key)


def rule_name(key: str) -> str:
    """Return the name that people read: translated for built-in rules, as given for uploaded lists."""
    if key in PATTERNS:
        return gettext(PATTERNS[key].name)
    return gettext(OWN_LISTS[key]) if key in OWN_LISTS else key


def rules_of(project: Project) -> list[Rule]:
    """Return the built-in rules for the project's language first, then the uploaded lists, by name."""
    stored, language = {rule.key: rule for rule in project.cleaning_rules.all()}, project.chosen.language
    own = [
        Rule(key, True, key not in stored or stored[key].is_on, len(own_words(language)) if key in OWN_LISTS else None)
        for key in own_rules(language)
    ]
    lists = [stored[key] for key in sorted(stored) if key not in OWN_RULES]
    return own + [Rule(each.key, False, each.is_on, len(each.words or ())) for each in lists]


def words_of(project: Project, key: str) -> Sequence[str] | None:
    """Return the words of one list, built-in or uploaded; None where there is no such list."""
    if key in OWN_LISTS:
        return own_words(project.chosen.language)
    lists = project.cleaning_rules.filter(key=key, words__isnull=False)
    return lists.values_list("words", flat=True).first()


def lists_in_use(project: Project) -> dict[str, Sequence[str]]:
    """Return the words of every list that is switched on."""
    in_use = {rule.key for rule in rules_of(project) if rule.is_on}
    own: dict[str, Sequence[str]] = {key: own_words(project.chosen.language) for key in OWN_LISTS if key in in_use}
    uploaded = project.cleaning_rules.filter(key__in=in_use, words__isnull=False)
    return own | {key: words for key, words in uploaded.values_list("key", "words") if words is not None}


def patterns_in_use(project: Project) -> set[str]:
    return {rule.key for rule in rules_of(project) if rule.is_on and rule.key in PATTERNS}


def scan_job(project: Project) -> Job | None:
    """Return the job that scans the project, or the last one that did."""
    return Job.objects.filter(**scope_of(project), kind=SCAN).first()


def has_scanned(project: Project) -> bool:
    """Return whether the pairs were scanned at least once."""
    return Event.objects.filter(**scope_of(project), subject="project", became="scanned").exists()


def spans_in(findings: Findings, part: str) -> list[tuple[int, int]]:
    """Return start and end of everything found in one of the two texts."""
    return [(start, end) for spans in findings.values() for where, start, end in spans if where == part]


@dataclass(frozen=True)
class MarkedPair:
    """A pair on a cleaning assignment, with its findings and the number of pairs with its prompt, itself included."""

    assignment: int
    item: Item
    findings: dict[str, list[Span]]
    responses: int
    decision: CleaningDecision | None = None  # the person's own, once they decided

    def spans(self, part: str) -> list[tuple[int, int]]:
        return spans_in(self.findings, part)

    @property
    def suggests(self) -> CleaningVerdict | None:
        return suggested(self.findings)


def findings_of(items: Sequence[int]) -> dict[int, dict[str, list[Span]]]:
    """Return the findings by item and rule, in the order of the rules' keys."""
    found: dict[int, dict[str, list[Span]]] = {item: {} for item in items}
    for item, rule, spans in (
        CleaningFinding.objects.filter(item__in=items).order_by("rule").values_list("item", "rule", "spans")
    ):
        found[item][rule] = [Span(*span) for span in spans]
    return found


def responses_of(items: Sequence[Item]) -> QuerySet[Item]:
    """Return the pairs with the prompts of the items of one project, these included, in any state."""
    projects, prompts = {item.project_id for item in items}, {item.group for item in items}
    return Item.objects.work().filter(project__in=projects, group__in=prompts)


def pairs_on(assignments: Sequence[Assignment]) -> list[MarkedPair]:
    """Return the pairs of the assignments, in the same order."""
    items = Item.objects.in_bulk([assignment.slot.item_id for assignment in assignments])
    found = findings_of(list(items))
    of_groups = Item.objects.counting().filter(
        project__in={item.project_id for item in items.values()}, group__in={item.group for item in items.values()}
    )
    responses = dict(of_groups.order_by().values_list("group").annotate(Count("pk")))
    return [
        MarkedPair(assignment.pk, item, found[item.pk], responses.get(item.group, 1))
        for assignment in assignments
        for item in [items[assignment.slot.item_id]]
    ]


def last_decided(project: Project, person: User) -> list[MarkedPair]:
    """Return the person's last decisions in force in this project, the newest first."""
    own = CleaningDecision.objects.in_force().of_project(project).filter(assignment__person=person)
    newest = own.select_related("assignment__slot__item").order_by("-decided_at", "-pk")[:LAST]
    return [
        MarkedPair(
            each.assignment_id,
            each.assignment.slot.item,
            {rule: [Span(*span) for span in spans] for rule, spans in each.findings.items()},
            max(1, each.removed),
            each,
        )
        for each in newest
    ]


def count_left(project: Project, person: User, *, held: int, most: int) -> int:
    """Return the number of pairs for the person to clean: the `held` ones, and at most `most` others."""
    queue = project.queues.get(step=Step.CLEAN)
    cursor = person.cursors.filter(queue=queue).values_list("position", flat=True).first() or 0
    return held + count_ahead(queue, person, cursor, most=most)


def waiting_in(project: Project) -> int:
    """Return the number of pairs that wait for a decision, including those that people hold."""
    return waiting_slots(project).count()


def waiting_slots(project: Project) -> QuerySet[Slot]:
    """Return the slots of the pairs that wait for a decision, including those that people hold."""
    held = Exists(Assignment.objects.filter(slot=OuterRef("pk"), state=AssignmentState.HELD))
    slots = Slot.objects.filter(queue__project=project, queue__step=Step.CLEAN)
    return slots.filter(Q(free__gt=0) | held).exclude(item__state=ItemState.CLEANED)


@dataclass(frozen=True)
class CleaningWork:
    """A project with the number of pairs that wait to be cleaned."""

    project: Project
    waiting: int


def cleaning_work(person: User, role: Role) -> list[CleaningWork]:
    """Return the projects in which a person has this role and pairs wait to be cleaned."""
    slots = Slot.objects.filter(queue__step=Step.CLEAN, free__gt=0)
    queues = Queue.objects.filter(
        step=Step.CLEAN, project__in=projects_as(person, role), project__archived_at=None
    ).select_related("project")
    held = Assignment.objects.filter(person=person, state=AssignmentState.HELD, slot__queue__step=Step.CLEAN)
    waiting = Counter(dict(slots.filter(queue__in=queues).order_by().values_list("queue").annotate(Count("pk"))))
    waiting.update(held.values_list("slot__queue", flat=True))
    return [CleaningWork(queue.project, waiting[queue.pk]) for queue in queues if waiting[queue.pk]]


@dataclass
class DecisionTally:
    """Decisions in force by verdict, the number undone, and the time of the last one."""

    keep: int = 0
    sensitive: int = 0
    knowledge: int = 0
    undone: int = 0
    last_at: datetime | None = None

    @property
    def decided(self) -> int:
        return self.keep + self.sensitive + self.knowledge

    def add(self, verdict: str, *, is_undone: bool, at: datetime) -> None:
        counted = "undone" if is_undone else verdict
        setattr(self, counted, getattr(self, counted) + 1)
        self.last_at = max(self.last_at or at, at)


@dataclass(frozen=True)
class Ledger:
    """Findings and decisions, by rule and by person. A pair with two rules counts for both."""

    found: Counter[str]  # pairs by rule
    by_rule: dict[str, DecisionTally] = field(default_factory=dict)
    by_person: dict[User, DecisionTally] = field(default_factory=dict)


def ledger_of(project: Project) -> Ledger:
    found = CleaningFinding.objects.filter(item__project=project).order_by().values_list("rule").annotate(Count("pk"))
    ledger = Ledger(Counter(dict(found)))
    made = CleaningDecision.objects.of_project(project).order_by("pk")
    rows = made.values_list("findings", "assignment__person", "verdict", "undone_at", "decided_at")
    by_person: dict[int, DecisionTally] = {}
    for findings, person, verdict, undone_at, at in rows.iterator():
        for tally in [
            *(ledger.by_rule.setdefault(rule, DecisionTally()) for rule in findings),
            by_person.setdefault(person, DecisionTally()),
        ]:
            tally.add(verdict, is_undone=undone_at is not None, at=at)
    people = User.objects.in_bulk(by_person)
    for person, tally in sorted(by_person.items(), key=lambda each: (-each[1].decided, people[each[0]].username)):
        ledger.by_person[people[person]] = tally
    return ledger


def decisions_of(
    project: Project, *, rule: str = "", person: str = "", verdict: str = ""
) -> QuerySet[CleaningDecision]:
    """Return the decisions, the newest first, optionally of one rule, one person's user name or one verdict."""
    made = CleaningDecision.objects.of_project(project).select_related("assignment__person", "assignment__slot__item")
    if rule:
        made = made.filter(findings__has_key=rule)
    if person:
        made = made.filter(assignment__person__username=person)
    if verdict:
        made = made.filter(verdict=verdict)
    return made.order_by("-decided_at", "-pk")


def deciders_of(project: Project) -> list[str]:
    """Return the user names of those who decided about a pair, sorted."""
    made = CleaningDecision.objects.of_project(project)
    return sorted(set(made.values_list("assignment__person__username", flat=True)))


def cleaning_report(project: Project) -> dict[str, Any]:
    """Return the object that `cleaning_ledger --json` prints: numbers of pairs and decisions by rule and user name."""
    ledger = ledger_of(project)
    return {
        "waiting": waiting_in(project),
        "rules": {
            rule.key: {
                "on": rule.is_on,
                "found": ledger.found[rule.key],
                **_numbers(ledger.by_rule.get(rule.key, DecisionTally())),
            }
            for rule in rules_of(project)
        },
        "people": {person.username: _numbers(tally) for person, tally in ledger.by_person.items()},
    }


def _numbers(tally: DecisionTally) -> dict[str, int]:
    return {
        "keep": tally.keep,
        "sensitive": tally.sensitive,
        "knowledge": tally.knowledge,
        "undone": tally.undone,
    }
