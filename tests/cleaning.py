"""A project with pairs that rules mark, for the tests of cleaning."""

from io import BytesIO

from annotation.actions.cleaning import cleaning, cleaning_rules, cleaning_scan
from annotation.actions.queue import assignments
from annotation.domain.cleaning.cleaning import CleaningVerdict
from annotation.domain.workflow import AssignmentState
from annotation.models import Assignment, CleaningDecision, Item, Project, Step
from core.models import User
from tests.factories import no_progress, stored

WEATHER = "今天天气怎么样？"
PAIRS = f"""{WEATHER}\t挺好的，出去走走。
{WEATHER}\t我这边在下雨。
{WEATHER}\t你自己看窗外。
周末去哪儿玩？\t加我微信 lin_2024x 一起去。
周末去哪儿玩？\t在家睡觉。
晚饭吃什么？\t吃面。
"""
MARKED = 4  # of the six pairs


def marked_pairs(project: Project) -> dict[str, Item]:
    """Create six pairs, four of them marked by built-in rules; return the items by response."""
    stored(project, PAIRS)
    scan(project)
    return {item.content["response"]: item for item in project.items.all()}


def scan(project: Project) -> dict[str, object]:
    return cleaning_scan.scan(project=project, report=no_progress, by=project.created_by)


def put_words(project: Project, *words: str, name: str = "ours") -> None:
    file = BytesIO("\n".join(words).encode())
    cleaning_rules.put_words(project=project, name=name, file=file, by=project.created_by)


def take(project: Project, by: User, count: int = 1) -> list[Assignment]:
    """Claim pairs to clean, and return those the person then holds."""
    return assignments.claim(project=project, step=Step.CLEAN, count=count, by=by)


def take_pair(project: Project, by: User, item: Item) -> Assignment:
    """Claim this very pair for the person, and return everything else they held."""
    held = take(project, by, count=100)
    [assignment] = [assignment for assignment in held if assignment.slot.item_id == item.pk]
    for other in held:
        if other.pk != assignment.pk:
            assignments.give_up(assignment=other, becomes=AssignmentState.RETURNED, by=by)
    return assignment


def decide(project: Project, by: User, item: Item, verdict: CleaningVerdict) -> CleaningDecision:
    return cleaning.decide(assignment=take_pair(project, by, item), verdict=verdict, by=by)
