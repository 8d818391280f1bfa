"""List the flags on pairs or items, or resolve a flag with a note.

Example: manage.py flags forum
         manage.py flags forum --resolve 12 --note "The pair stays; the next guideline says so."
"""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions import flags
from annotation.management.finding import project
from annotation.models import Flag
from annotation.selectors.flags import flags_of
from core.domain.text import timestamp
from core.management.command import ColloquyCommand
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--resolved", action="store_true", help="list those that are resolved, not the open ones")
        parser.add_argument("--resolve", type=int, metavar="NUMBER", help="the flag that is resolved, as it was listed")
        parser.add_argument("--note", default="", metavar="TEXT", help="what came of it, for the person who raised it")

    def act(self, *, by: User, slug: str, resolved: bool, resolve: int | None, note: str, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        if resolve is not None:
            flag = Flag.objects.of_project(target).filter(pk=resolve).first()
            if flag is None:
                raise CommandError(f"{slug} has no flag {resolve}.", returncode=2)
            flag = flags.resolve(flag=flag, note=note, by=by)
            self.say(_row(flag), f"Flag {flag.pk} is resolved.")
            return
        rows = [_row(flag) for flag in flags_of(target, resolved=resolved)]
        self.say({"flags": rows}, "\n".join(map(_line, rows)) or "No flag.")


def _row(flag: Flag) -> dict[str, Any]:
    item = flag.assignment.slot.item
    return {
        "flag": flag.pk,
        "user": flag.assignment.person.username,
        "item": item.key,
        **item.content,
        "comment": flag.comment,
        "raised_at": timestamp(flag.raised_at),
        "note": flag.note or None,
    }


def _line(row: dict[str, Any]) -> str:
    said = "\n".join(f"  {line}" for line in _text_of(row))
    note = f"\n  resolved: {row['note']}" if row["note"] else ""
    return f"{row['flag']}  {row['user']}, {row['item']}: {row['comment'] or '-'}\n{said}{note}"


def _text_of(row: dict[str, Any]) -> list[str]:
    if "turns" not in row:
        return [row["prompt"], row["response"]]
    return [*(f"{turn['speaker']}: {turn['text']}" for turn in row["turns"]), row["question"]]
