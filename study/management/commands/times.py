"""Print how long people took in a closed study: median and quartiles at a question and of the whole survey.

Of all and of each group, corpus, condition, form and ten places. Example: manage.py times summer --json
"""

from typing import Any

from django.core.management.base import CommandParser

from core.actions import stored_figures
from core.management.command import ColloquyCommand
from core.models.people import User
from study.actions.results import TIMES
from study.management.command import study
from study.models import Study
from study.selectors.results.results import is_readable
from study.selectors.results.times import AGAINST_SCORE

UNITS = {"questions": (1000, "s"), "survey": (1, "min")}


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.view"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        found = study(slug, by=by)
        if not is_readable(found):
            self.refuse(f"No times before “{slug}” closes: manage.py close_study {slug}", code="still_open")
        content = stored_figures.computed(TIMES, found).content
        times = _with_random_ids(found, {name: each for name, each in content.items() if name != AGAINST_SCORE})
        self.say({"study": slug, **times}, _table(times))


def _with_random_ids(study: Study, times: dict[str, Any]) -> dict[str, Any]:
    rule = times["too_fast"]
    if rule is None:
        return times
    ids = dict(study.participants.values_list("pk", "public_id"))
    return times | {
        "too_fast": rule | {"people": [each | {"person": str(ids[each["person"]])} for each in rule["people"]]}
    }


def _table(times: dict[str, Any]) -> str:
    lines = [_line(part, *unit) for name, unit in UNITS.items() for part in times[name] if part["times"]]
    lines += [_ratio(each) for each in times["ratios"]]
    fast = (times["too_fast"] or {"people": []})["people"]
    lines += [f"too fast: {each['person']}  median {each['seconds']:.1f} s" for each in fast]
    return "\n".join(lines) or "No times yet."


def _ratio(found: dict[str, Any]) -> str:
    ends = f" ({found['ci'][0]:.2f} to {found['ci'][1]:.2f})" if found["ci"] else ""
    return f"{found['group']} took {found['ratio']:.2f} times as long as {found['against']}{ends}, at a question"


def _line(part: dict[str, Any], per: int, unit: str) -> str:
    name = " ".join(filter(None, (part["field"], part["name"]))) or "all"
    if part["quartiles"] is None:
        told = "fewer than five people"
    else:
        lower, median, upper = ("beyond" if end is None else f"{end / per:.1f}" for end in part["quartiles"])
        told = f"{median} {unit} ({lower} to {upper})"
    cut = f", {part['cut']:,} cut by the deadline" if part["cut"] else ""
    return f"{name:<28}{told:<28}n = {part['times']:,}, people {part['people']:,}{cut}"
