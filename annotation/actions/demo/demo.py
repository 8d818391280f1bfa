"""Load the samples: Chinese pairs half rated (demo_pairs), a dozen English dialogues half rewritten (demo_dialogues),
and fifty everyday dialogues as a corpus.
"""

import csv
import json
import secrets
from importlib import resources

from django.conf import settings

from annotation.actions.corpora import corpora
from annotation.actions.demo import demo_dialogues, demo_pairs
from annotation.models import Corpus, Project
from core.actions import people
from core.actions.jobs import silent
from core.models import Role, User

SLUG, CORPUS, DIALOGUES = demo_pairs.SLUG, "sample-talk", demo_dialogues.SLUG
CAST = {
    "admin": ("Noor Haddad", Role.ADMINISTRATOR),
    "ines": ("Ines Ferreira", Role.RESEARCHER),
    "amara": ("Amara Diallo", Role.INSPECTOR),
    "linyue": ("林悦", Role.ANNOTATOR),
    "zhou": ("周子衡", Role.ANNOTATOR),
    "heman": ("何曼", Role.ANNOTATOR),
    "xujing": ("许静", Role.ANNOTATOR),
}


def exists() -> bool:
    """Tell whether the sample project is stored."""
    return demo_pairs.exists()


def load(*, by: User | None = None) -> Project:
    """Load the samples of rating and of rewriting, and the corpus, except those already stored. Return the rating
    project.
    """
    cast = people_of_the_sample()
    members: dict[User, Role] = {
        cast[username]: role for username, (_name, role) in CAST.items() if role != Role.ADMINISTRATOR
    }
    if by and not by.is_administrator:
        members.setdefault(by, Role.RESEARCHER)
    if not Corpus.objects.filter(name=CORPUS).exists():
        _load_corpus(cast["ines"])
    if not demo_dialogues.exists():
        dialogues, drafts = json.loads(_read("dialogues.json")), json.loads(_read("rewrites.json"))
        demo_dialogues.load(cast=cast, members=members, dialogues=dialogues, drafts=drafts)
    if exists():
        return Project.objects.get(slug=SLUG)
    return demo_pairs.load(
        cast=cast,
        members=members,
        pairs=_read("pairs.jsonl"),
        grades=_by_item(_read("grades.csv")),
        gold_pairs=_read("gold.csv"),
    )


def _load_corpus(researcher: User) -> None:
    with resources.as_file(resources.files("annotation.demo").joinpath("talk.jsonl")) as path:
        corpora.import_corpus(name=CORPUS, path=path, format="jsonl", partial=False, report=silent, by=researcher)


def people_of_the_sample() -> dict[str, User]:
    """Return the people of the sample by user name; create those that are missing."""
    return {username: _person(username) for username in CAST}


def _person(username: str) -> User:
    found = User.objects.filter(username=username).first()
    name, role = CAST[username]
    return found or people.create_user(username=username, name=name, role=role, by=None)


def _by_item(table: str) -> dict[str, dict[str, str]]:
    return {row["item"]: row for row in csv.DictReader(table.splitlines())}


def _read(name: str) -> str:
    return resources.files("annotation.demo").joinpath(name).read_text(encoding="utf-8")


def logins() -> dict[str, str]:
    """Return a password for each person of the sample, drawn once and kept in a file that only its owner reads."""
    kept = settings.DATA_DIR / "demo-logins.json"
    if not kept.exists():
        passwords = {username: secrets.token_urlsafe(9) for username in CAST}
        for username, password in passwords.items():
            person = User.objects.get(username=username)
            person.set_password(password)
            person.save(update_fields=["password"])
        kept.touch(mode=0o600)
        kept.write_text(json.dumps(passwords, indent=2) + "\n")
    return dict(json.loads(kept.read_text()))
