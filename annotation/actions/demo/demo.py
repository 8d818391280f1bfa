"""The samples: Chinese pairs in the middle of being rated (demo_pairs), a dozen English dialogues in the middle of
being rewritten (demo_dialogues), and fifty dialogues of everyday talk as a corpus."""

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
    """Whether the project of the sample is there."""
    return demo_pairs.exists()


def load(*, by: User | None = None) -> Project:
    """The samples of rating and of rewriting, and the corpus; what is there already is left as it is. The rating
    project."""
    cast = people_of_the_sample()
    members = {*cast.values(), *([by] if by else [])}
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
    """By user name; whoever is missing is made."""
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
    """A password for every person of the sample, drawn once and kept in a file that only its owner reads."""
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
