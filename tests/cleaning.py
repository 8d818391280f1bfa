"""A project with pairs that rules mark, for the tests of cleaning."""

from io import BytesIO

from annotation.actions import assignments, cleaning, cleaning_rules, cleaning_scan
from annotation.domain.cleaning import Verdict
from annotation.domain.workflow import SeatState
from annotation.models import CleaningDecision, Item, Project, Seat, Step, User
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
    """Six pairs, four of them marked by rules of our own; by response."""
    stored(project, PAIRS)
    scan(project)
    return {item.content["response"]: item for item in project.items.all()}


def scan(project: Project) -> dict[str, object]:
    return cleaning_scan.scan(project=project, report=no_progress, by=project.created_by)


def put_words(project: Project, *words: str, name: str = "ours") -> None:
    file = BytesIO("\n".join(words).encode())
    cleaning_rules.put_words(project=project, name=name, file=file, by=project.created_by)


def take(project: Project, by: User, count: int = 1) -> list[Seat]:
    """The pairs the person has in hand to clean then."""
    return assignments.hold(project=project, step=Step.CLEAN, count=count, by=by)


def take_pair(project: Project, by: User, item: Item) -> Seat:
    """The person's seat on this very pair; what else they held goes back."""
    held = take(project, by, count=100)
    [seat] = [seat for seat in held if seat.place.item_id == item.pk]
    for other in held:
        if other.pk != seat.pk:
            assignments.give_up(seat=other, becomes=SeatState.RETURNED, by=by)
    return seat


def decide(project: Project, by: User, item: Item, verdict: Verdict) -> CleaningDecision:
    return cleaning.decide(seat=take_pair(project, by, item), verdict=verdict, by=by)
