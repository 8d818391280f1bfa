"""Create a study. Example: manage.py create_study lines --questions movie-q twitter-q --forms 4 --group crowd:136

For the ceiling of experts, whom add_experts adds: --takers signed-in --assign all --answer ranking --minutes 0
"""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.core.validators import validate_slug
from django.urls import reverse

from core.management.command import ColloquyCommand, seed
from core.models.people import User
from study.actions.survey import groups, studies
from study.domain.results.ranks import ANSWERS
from study.domain.survey.survey import ASSIGN, SIGNED_IN, TAKERS, group_as_typed
from study.domain.survey.texts import LANGUAGES
from study.management.command import live_address, question_set
from study.selectors.survey.plans import CONSENT, names_no_person


class Command(ColloquyCommand):
    help = __doc__
    permission = "study.create"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("slug", metavar="SLUG", help="letters, digits, hyphens and underscores")
        parser.add_argument("--questions", nargs="+", required=True, metavar="NAME", help="question sets")
        parser.add_argument("--title", default="", help="default: the SLUG")
        parser.add_argument("--language", default="en", choices=LANGUAGES, help="which the survey speaks")
        parser.add_argument("--forms", type=int, help="versions with different questions (default 4)")
        parser.add_argument("--per-form", type=int, help="questions in each (default 30)")
        parser.add_argument("--minutes", type=int, help="for the whole survey, 0 for no limit (default 40)")
        parser.add_argument("--assign", choices=ASSIGN, help="one form each, or all questions (default forms)")
        parser.add_argument("--answer", choices=ANSWERS, help="asked of each question (default first-second)")
        parser.add_argument("--takers", choices=TAKERS, help="by a link, or experts with an account (default link)")
        told = "default: crowd, or experts where they are signed in"
        parser.add_argument("--group", dest="groups", action="append", metavar="NAME[:QUOTA]", help=told)
        parser.add_argument(
            "--require-id",
            nargs="+",
            default=[],
            metavar="GROUP",
            help="groups only for people of a platform",
        )
        parser.add_argument("--set", dest="chosen", action="append", default=[], metavar="KEY=VALUE")
        parser.add_argument("--seed", type=seed, default=0, help="of forms and orders (default 0)")

    def act(self, *, by: User, slug: str, **options: Any) -> None:
        try:
            validate_slug(slug)
        except ValidationError as wrong:
            raise CommandError(f"“{slug}”: {' '.join(wrong.messages)}", returncode=2) from wrong
        names = ("forms", "per_form", "minutes", "assign", "answer", "takers")
        named = {name: options[name] for name in names if options[name] is not None}
        chosen = {**named, **dict(map(_pair, options["chosen"]))}
        one_group = [("experts", None)] if chosen.get("takers") == SIGNED_IN else [*studies.ONE_GROUP]
        wanted = [*map(_group, options["groups"])] if options["groups"] else one_group
        if unknown := sorted(set(options["require_id"]) - {name for name, _quota in wanted}):
            raise CommandError(f"--require-id {' '.join(unknown)}: the study has no such group.", returncode=2)
        sets = [question_set(each, by=by) for each in options["questions"]]
        study = studies.create(
            slug=slug,
            title=options["title"],
            question_sets=sets,
            settings=chosen,
            language=options["language"],
            groups=wanted,
            seed=options["seed"],
            by=by,
        )
        for group in study.groups.filter(name__in=options["require_id"]):
            groups.change(group=group, quota=group.quota, requires_id=True, by=by)
        if names_no_person(study):
            self.stderr.write(
                "Its consent names nobody whom participants can turn to. Write it on the study's page before opening: "
                f"{live_address()}{reverse('study_text', args=[study.slug, CONSENT])}"
            )
        made = [
            {"group": group.name, "quota": group.quota, "requires_id": group.requires_id}
            for group in study.groups.all()
        ]
        settings = study.survey.as_mapping()
        self.say(
            {"study": study.slug, "language": study.language, "settings": settings, "groups": made},
            f"Study {study.slug}: " + ", ".join(f"{key}={value}" for key, value in settings.items()),
        )


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--set {text}: write it as key=value, for example --set minutes=40.", returncode=2)
    return key.strip(), value.strip()


def _group(text: str) -> tuple[str, int | None]:
    try:
        return group_as_typed(text)
    except ValueError as wrong:
        said = f"--group {text}: write it as NAME or NAME:QUOTA, for example crowd:136."
        raise CommandError(said, returncode=2) from wrong
