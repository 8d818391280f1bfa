"""What benchmarks/releases_of_two_versions.py has a shell of either version do: commands, pages, times, secrets.

It is read by `manage.py shell` of this checkout and of an older one, so it names only what both have.
"""

import html
import importlib
import json
import re
import shlex
import sys
import threading
import types
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import call_command, execute_from_command_line, get_commands, load_command_class
from django.core.wsgi import get_wsgi_application
from django.db.models import DateTimeField
from django.test import Client

NOON = "2026-01-31T12:00:00Z"
TYPES = ("attitude", "algebraic", "intention", "situation", "multi_fact", "other", "unsure")
ASK_ONE_BY_ONE = 1  # bots at once: who joins first gets the first form


def play(steps: Iterable[str], out: str) -> None:
    """Take the steps: "FILE < COMMAND" stores the JSON that the command prints, "shell CODE" is Python."""
    for step in steps:
        file, stores, command = step.rpartition(" < ")
        if step.startswith("shell "):
            exec(step.removeprefix("shell "), globals() | {"out": out})
            continue
        with redirect_stdout(StringIO()) as printed:
            execute_from_command_line(["manage.py", *shlex.split(command), *["--json"] * bool(stores)])
        if stores:
            store(Path(out, file), json.loads(printed.getvalue()))


def store(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False), encoding="utf-8")


def browser(name: str) -> Client:
    client = Client(SERVER_NAME="localhost", HTTP_ACCEPT_LANGUAGE="en")
    client.force_login(get_user_model().objects.get(username=name))
    return client


def fetch(out: str, *pages: tuple[str, str]) -> None:
    """Store what administrators are answered at these addresses."""
    client = browser("administrator")
    for address, file in pages:
        answer: Any = client.get(address)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        path = Path(out, file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body if answer.status_code == 200 else f"status {answer.status_code}\n".encode())
        if path.suffix == ".json" and answer.status_code == 200:
            store(path, json.loads(body))


def work(name: str, page: str, act: str, fields: Callable[[str, int], Mapping[str, Any]]) -> None:
    """Do what a page offers a person until it offers nothing."""
    client, done, project = browser(name), 0, page.rsplit("/", 2)[0]
    while found := re.search(f"{project}/[a-z]+/([0-9]+)/", text := client.get(page).content.decode()):
        answer = client.post(f"{found[0]}{act}/", fields(text, done))
        assert answer.status_code == 302, (page, answer.status_code)
        done += 1
    print(f"{name}: {done} at {page}", file=sys.stderr)


def heard(page: str, _done: int) -> dict[str, Any]:
    """Return the fields of a transcript, corrected."""
    texts = map(html.unescape, re.findall(r'<textarea[^>]*name="text"[^>]*>([^<]+)</textarea>', page))
    speakers = re.findall(r'<input[^>]*name="speaker"\s+value="([^"]+)"', page)
    revision = re.search(r'name="revision" value="([0-9]+)"', page)
    assert revision
    said = [text.replace("sister", "brother") for text in texts]
    return {"speaker": speakers, "text": said, "answer": 0, "revision": revision[1]}


def named(_page: str, done: int) -> dict[str, Any]:
    """Return the fields of a reasoning type."""
    return {"answer": TYPES[done % len(TYPES)], "milliseconds": 4000}


def return_one(slug: str) -> None:
    """Return the first accepted instance of a project to its author."""
    items = apps.get_model("annotation", "Item").objects.filter(project__slug=slug, state="kept")
    call_command("reopen", slug, items.order_by("position")[0].external_id, why="The second one is right, too.")


def open_with_reason(out: str, slug: str) -> None:
    """Open a study, with a reason where the version takes one: its audit may find something in questions made up."""
    known = load_command_class(get_commands()["open_study"], "open_study").create_parser("manage.py", "open_study")
    reason = " --reason 'Made up for a comparison.'" * ("--reason" in known.format_help())
    play([f"{slug}/opened-told.json < open_study {slug}{reason}"], out)


def make_times_one() -> None:
    for model in apps.get_models():
        for field in model._meta.fields:
            if isinstance(field, DateTimeField):
                rows = model._base_manager.filter(**{f"{field.name}__isnull": False})
                rows.update(**{field.name: NOON})


def leave_out_secrets() -> None:
    """Let this process draw by the seed and the other names alone, as versions without secrets do."""
    tables = [model for model in apps.get_models() if any(field.name == "secret" for field in model._meta.fields)]
    if not tables or not apps.is_installed("core"):
        return
    draws: Any = importlib.import_module("core.domain.draws")
    draws.plain = types.FunctionType(draws.uniforms.__code__, vars(draws))
    draws.secrets = {secret for model in tables for secret in model._base_manager.values_list("secret", flat=True)}

    def draw(seed: int, *names: str) -> Any:
        return plain(seed, *[name for name in names if name not in secrets])  # type: ignore[name-defined]  # noqa: F821

    draws.uniforms.__code__ = draw.__code__  # every module has the function itself


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


def take_survey(slug: str, people: int) -> None:
    """Let bots take an open survey, one after another."""
    server = make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    command: Any = importlib.import_module("study.management.commands.simulate_participants")
    command.AT_ONCE = ASK_ONE_BY_ONE
    call_command("simulate_participants", slug, people=people, url=f"http://localhost:{server.server_port}")
    server.shutdown()
