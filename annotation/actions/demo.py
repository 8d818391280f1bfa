"""The sample: thirty Chinese pairs in the middle of being rated, and a dozen English dialogues in the middle of being
rewritten (demo_dialogues), made as people would make them; and fifty dialogues of everyday talk as a corpus."""

import csv
import json
import secrets
from importlib import resources
from typing import Any

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.db import transaction

from annotation.actions import assignments, corpora, demo_dialogues, imports, people, projects, ratings, releases
from annotation.models import Corpus, Project, Role, Step, User

SLUG, CORPUS, DIALOGUES = "sample-pairs", "sample-talk", demo_dialogues.SLUG
TITLE = "论坛问答对 示例"
CAST = {
    "admin": ("Noor Haddad", Role.ADMINISTRATOR),
    "ines": ("Ines Ferreira", Role.RESEARCHER),
    "amara": ("Amara Diallo", Role.INSPECTOR),
    "linyue": ("林悦", Role.ANNOTATOR),
    "zhou": ("周子衡", Role.ANNOTATOR),
    "heman": ("何曼", Role.ANNOTATOR),
}
FIRST_TWO_DONE = 22  # pairs with both grades; of the next few one person has graded
FIRST_DONE = 26
# Two rows that the import refuses, so that its page has refused rows to show.
BROKEN_ROWS = ['{"prompt": "周末去哪儿玩？"}', '{"prompt": "晚饭吃什么？", "response": ']


def exists() -> bool:
    return Project.objects.filter(slug=SLUG).exists()


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
    return Project.objects.get(slug=SLUG) if exists() else _load_pairs(cast, members)


@transaction.atomic
def _load_pairs(cast: dict[str, User], members: set[User]) -> Project:
    """An import with refused rows, grades, a skip, a release."""
    researcher = cast["ines"]
    project = projects.create(
        slug=SLUG, kind="rating", title=TITLE, source_licence="CC0-1.0, written for this sample", by=researcher
    )
    for member in members:
        projects.add_member(project=project, person=member, by=researcher)
    _import(project, researcher)
    _rate(project, cast)
    releases.freeze(project=project, seed=0, report=_silent, by=researcher)
    return project


def _load_corpus(researcher: User) -> None:
    with resources.as_file(resources.files("annotation.demo").joinpath("talk.jsonl")) as path:
        corpora.import_corpus(name=CORPUS, path=path, format="jsonl", partial=False, report=_silent, by=researcher)


def people_of_the_sample() -> dict[str, User]:
    """By user name; whoever is missing is made."""
    return {username: _person(username) for username in CAST}


def _silent(done: int, total: int | None = None) -> None:
    """The sample is loaded in a moment: nobody needs its progress."""


def _person(username: str) -> User:
    found = User.objects.filter(username=username).first()
    name, role = CAST[username]
    return found or people.create_user(username=username, name=name, role=role, by=None)


def _import(project: Project, researcher: User) -> None:
    text = _read("pairs.jsonl") + "\n".join(BROKEN_ROWS) + "\n"
    file: File[bytes] = ContentFile(text.encode(), name="forum-pairs.jsonl")
    received = imports.receive(project=project, file=file, name="forum-pairs.jsonl", by=researcher)
    imports.check(received=received, report=_silent, by=researcher)
    imports.store(received=received, partial=True, report=_silent, by=researcher)


def _rate(project: Project, cast: dict[str, User]) -> None:
    """Two people grade most pairs as grades.csv says; a third skips one that nobody has graded yet."""
    grades = {row["item"]: row for row in csv.DictReader(_read("grades.csv").splitlines())}
    _grade_next(project, cast["linyue"], grades, "first", FIRST_DONE)
    _grade_next(project, cast["zhou"], grades, "second", FIRST_TWO_DONE)
    [seat] = assignments.hold(project=project, step=Step.RATE, by=cast["heman"])
    ratings.skip(seat=seat, reason="other", by=cast["heman"])


def _grade_next(project: Project, person: User, grades: dict[str, Any], column: str, pairs: int) -> None:
    for number in range(pairs):
        [seat] = assignments.hold(project=project, step=Step.RATE, by=person)
        row = grades[seat.place.item.external_id]
        milliseconds = 7_000 + 1_300 * (number * 7 % 9)  # as long as people take, not as long as a loop does
        ratings.submit(
            seat=seat, grade=int(row[column]), reason=row[f"{column}_reason"], milliseconds=milliseconds, by=person
        )


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
