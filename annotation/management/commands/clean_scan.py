"""Scan all pairs of a project for what should not reach annotators. Pairs with findings then wait for a decision.

Example: manage.py clean_scan forum --words dirty.txt --name "forum words"
"""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from annotation.actions.cleaning import cleaning_rules, cleaning_scan
from annotation.management.finding import project
from annotation.selectors.cleaning.cleaning import rule_name, rules_of
from core.domain.text import one_line
from core.management.command import ColloquyCommand, ProgressPrinter, counted, readable_file, unknown
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "project.manage"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--words", metavar="FILE", type=readable_file, help="store this list first, a word a line")
        parser.add_argument("--name", help="of the list; a list of this name is replaced (default: the file's name)")
        parser.add_argument("--off", metavar="RULE", action="append", default=[], help="leave a rule or list out")
        parser.add_argument("--on", metavar="RULE", action="append", default=[], help="use it again")

    def act(
        self,
        *,
        by: User,
        slug: str,
        words: Path | None,
        name: str | None,
        off: list[str],
        on: list[str],
        **options: Any,
    ) -> None:
        target = project(slug, permission=self.permission, by=by)
        if name is not None and words is None:
            raise CommandError("--name is the name of a list: say --words FILE, too.", returncode=2)
        own_list = [] if words is None else [one_line(name or words.stem)]
        known = [rule.key for rule in rules_of(target)] + own_list
        if missing := [key for key in (*off, *on) if key not in known]:  # before anything is stored
            raise unknown("rule", missing[0], known, made_by="clean_scan --words")
        if words is not None:
            with words.open("rb") as file:
                cleaning_rules.put_words(project=target, name=name or words.stem, file=file, by=by)
        for keys, is_on in ((off, False), (on, True)):
            for key in keys:
                cleaning_rules.switch(project=target, key=key, is_on=is_on, by=by)
        result = cleaning_scan.scan(project=target, report=ProgressPrinter(self, "pairs read"), by=by)
        found = "".join(f"\n  {rule_name(rule)} ({rule}): {count:,}" for rule, count in result["by_rule"].items())
        text = "{pairs} read, {found:,} of them marked, {waiting} for a decision.".format(
            pairs=counted(result["pairs"], "pair"),
            found=result["found"],
            waiting=counted(result["waiting"], "waits", "wait"),
        )
        self.say(result, text + found)
