"""Let an annotator paused for missed gold go on, or one who failed every attempt practise once more.

Example: manage.py resume_rater forum --user lin --why "misread the guideline, talked it over"
"""

from typing import Any

from django.core.management.base import CommandParser

from annotation.actions.qualification import qualification
from annotation.domain.qualification.qualification import QualificationStatus
from annotation.management.finding import project
from annotation.selectors.projects.members import people_of
from annotation.selectors.qualification.qualification import annotator_of
from core.domain.text import normalise
from core.management.command import ColloquyCommand, person
from core.models import User


class Command(ColloquyCommand):
    help = __doc__
    permission = "raters.judge"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG")
        parser.add_argument("--user", required=True, metavar="NAME")
        parser.add_argument("--why", required=True, metavar="TEXT")

    def act(self, *, by: User, slug: str, user: str, why: str, **options: Any) -> None:
        target = project(slug, permission=self.permission, by=by)
        found = person(user, candidates=people_of(target))
        is_failed = annotator_of(target, found).status == QualificationStatus.FAILED
        qualification.let_go_on(project=target, person=found, why=normalise(why), by=by)
        self.say({"resumed": user}, f"{user} may practise once more." if is_failed else f"{user} may go on.")
