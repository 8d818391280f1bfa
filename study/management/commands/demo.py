"""Load the samples once and print the accounts that can look at them. Example: manage.py demo"""

from typing import Any

from annotation.actions.demo.demo import CAST, SLUG, logins
from core.management.command import ColloquyCommand
from core.models.people import User
from study.actions.demo import demo


class Command(ColloquyCommand):
    help = __doc__
    permission = "demo.load"
    needs_account = False  # the sample has an administrator of its own

    def act(self, *, by: User | None, **options: Any) -> None:
        study = demo.load()
        people = [
            {"username": username, "password": password, "role": CAST[username][1]}
            for username, password in logins().items()
        ]
        table = "\n".join(f"  {who['role']:<14} {who['username']:<10} {who['password']}" for who in people)
        self.say({"project": SLUG, "study": study.slug, "people": people}, f"Sign in as\n{table}")
