"""Base of all commands: acting user, output of refusals and results, exit codes (0, 1 refused, 2 usage)."""

import json
import os
import re
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet

from core.actions.people import administrator
from core.actions.refusals import Refused, RefusedLine
from core.domain.draws import LARGEST_SEED
from core.domain.wording import MOST_NAMED, alike
from core.models import User
from core.permissions import may, roles_of

REFUSED = 1
SHOWN = 50  # refused rows
EVERY = 2.0  # seconds between two lines of progress


class ColloquyCommand(BaseCommand):
    """Command that acts as the administrator or as the user of --as, and prints one JSON object with --json."""

    requires_system_checks: list[str] = []
    permission: str  # name of the permission that the acting user needs
    needs_account = True

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--as", dest="username", metavar="USERNAME", help="act as this person, with their rights")
        parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        self.as_json: bool = options["json"]
        by = acting(options["username"]) if options["username"] or self.needs_account else None
        if by is not None and not may(by, self.permission):
            self.refuse(f"{by.username} may not do this: {_of_roles(by)} has no right to it.", code="not_allowed")
        try:
            self.act(by=by, **options)
        except Refused as refused:
            if refused.lines is None:
                self.refuse(str(refused), code=refused.code)
            self.list_refused([row for row in refused.lines if row["line"]])  # the message itself tells of a whole file
            self.refuse(str(refused), code=refused.code, stored=0, rows_refused=refused.lines)

    def act(self, *args: Any, **options: Any) -> None:
        """Do the work: each command names the options that it takes, and `by`, the person who acts."""
        raise NotImplementedError

    def say(self, result: dict[str, Any], text: str) -> None:
        """Print the result: as JSON with --json, else in words."""
        self.stdout.write(json.dumps(result, ensure_ascii=False) if self.as_json else text)

    def refuse(self, text: str, **details: Any) -> NoReturn:
        """Print why the input was refused, and exit with code 1."""
        if self.as_json:
            self.stdout.write(json.dumps({"error": text, **details}, ensure_ascii=False))
        self.stderr.write(text)
        sys.exit(REFUSED)

    def list_refused(self, rows: Sequence[RefusedLine]) -> None:
        """Print the first refused rows, one a line."""
        for row in rows[:SHOWN]:
            self.stderr.write(f"{_where(row)}: {row['reason']}")
        if len(rows) > SHOWN:
            self.stderr.write(f"and {len(rows) - SHOWN:,} more; --json lists them")


class InstallationCommand(ColloquyCommand):
    """Command for the installation itself. It works where there is no account yet, or no database."""

    permission = "installation.keep"
    needs_account = False


def _of_roles(person: User) -> str:
    held = sorted(roles_of(person))
    return f"the role {' or '.join(held)}" if held else "a person without a role in a project"


def _where(row: RefusedLine) -> str:
    line = f", line {row['line']}" if row["line"] is not None else ""
    record = f", record {row['record']}" if "record" in row else ""
    return row["file"] + line + record + (f" ({row['dialogue']})" if row.get("dialogue") else "")


def readable_file(text: str) -> Path:
    """Argument type: a file that can be read."""
    path = Path(text)
    if not path.is_file() or not os.access(path, os.R_OK):
        raise ArgumentTypeError(f"there is no file {text} that can be read")
    return path


def file_to_write(text: str) -> Path:
    """Argument type: a file to write, in a folder that is there."""
    path = Path(text)
    if path.is_dir():
        raise ArgumentTypeError(f"{text} is a folder: name a file in it")
    if not path.parent.is_dir():
        raise ArgumentTypeError(f"there is no folder {path.parent}: create it first")
    return path


def folder(text: str) -> Path:
    """Argument type: a folder to write to, there already or not."""
    if not text.strip():
        raise ArgumentTypeError("name a folder")
    path = Path(text)
    if file := next((each for each in (path, *path.parents) if each.exists() and not each.is_dir()), None):
        raise ArgumentTypeError(f"{file} is a file: name a folder")
    return path


@contextmanager
def writing_to(out: Path) -> Iterator[None]:
    """Say in a sentence why a file or folder cannot be written. Raises CommandError."""
    try:
        yield
    except OSError as wrong:
        raise CommandError(f"{out} cannot be written: {wrong.strerror}.", returncode=2) from wrong


def seed(text: str) -> int:
    """Argument type: a seed that is stored."""
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise ArgumentTypeError(f"a whole number from 0 to {LARGEST_SEED:,}, not {text}")
    return int(text)


def acting(username: str | None) -> User:
    """Return the acting user: the administrator, or the named user. Raises CommandError."""
    if username is None:
        return administrator()
    if User.objects.filter(username=username, is_active=False).exists():
        raise CommandError(f"The account “{username}” is ended: nobody acts as it.", returncode=2)
    return person(username, candidates=User.objects.filter(is_active=True))


def person(username: str, *, candidates: QuerySet[User]) -> User:
    try:
        return candidates.get(username=username)
    except User.DoesNotExist:
        known = list(candidates.order_by("username").values_list("username", flat=True))
        raise unknown("user", username, known, made_by="create_user") from None


def counted(number: int, one: str, several: str = "") -> str:
    """Format a number with its noun: “1 row”, “2 rows”; “1 person”, “2 people”."""
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"


def unknown(kind: str, name: str, known: Sequence[str], *, made_by: str) -> CommandError:
    """Build the error for an unknown name, with similar known names or else the first of all known."""
    if near := alike(name, known):
        there_is = f"Did you mean {' or '.join(near)}?"
    elif known:
        more = f" and {len(known) - MOST_NAMED:,} more" if len(known) > MOST_NAMED else ""
        there_is = f"Known: {', '.join(known[:MOST_NAMED])}{more}."
    else:
        there_is = f"There is none yet: {made_by} makes one."
    return CommandError(f"There is no {kind} “{name}”. {there_is}", returncode=2)


class ProgressPrinter:
    """Prints `done of total` on standard error at most every two seconds, and each score on dev."""

    def __init__(self, command: BaseCommand, what: str) -> None:
        self.command, self.what, self.said_at = command, what, time.monotonic()

    def __call__(
        self,
        done: int,
        total: int | None = None,
        *,
        training: int | None = None,
        step: int | None = None,
        loss: float | None = None,
        dev: float | None = None,
    ) -> None:
        if dev is not None or time.monotonic() - self.said_at >= EVERY:
            self.said_at = time.monotonic()
            figures = {"step": step and f"{step:,}", "loss": _short(loss), "dev": _short(dev)}
            told = "".join(f", {name} {figure}" for name, figure in figures.items() if figure)
            self.command.stderr.write(f"{self.what}: {done:,}" + (f" of {total:,}" if total else "") + told)


def _short(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.4g}"
