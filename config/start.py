"""Bring the installation up to date and run it: `PORT=8000 python -m config.start [--no-demo]`, as bin/start does."""

import hashlib
import os
import sys
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

import manage
from config import lock, processes
from config.loading import load, warm

WELCOME = """
Colloquy is ready: http://127.0.0.1:{port}/ (Ctrl-C stops it)

{logins}"""
WITHOUT_DEMO = "The first account: .venv/bin/python manage.py create_user NAME --role administrator"


def main(arguments: list[str]) -> int | str | None:
    """Run the product until a signal. Return what to exit with: nothing, or why it could not begin."""
    try:
        load()
    except ImproperlyConfigured as wrong:
        return f"The settings are wrong. {wrong}"
    if taken := lock.hold(_data_dir()):
        return taken
    reading, writing = os.pipe()
    prepare = partial(_prepare, writing, has_demo="--no-demo" not in arguments)
    child = os.fork() or processes.end_with(prepare)
    os.close(writing)
    warm()
    with os.fdopen(reading) as pipe:
        logins = pipe.read()
    _child, status = os.waitpid(child, 0)
    if status:
        return os.waitstatus_to_exitcode(status)
    return processes.main(WELCOME.format(port=os.environ["PORT"], logins=logins or WITHOUT_DEMO))


def _data_dir() -> Path:
    from django.conf import settings

    return Path(settings.DATA_DIR)


def _prepare(pipe: int, *, has_demo: bool) -> None:
    """Migrate, collect static files, load the demo and write its logins into the pipe.

    This needs a fork: what it does with the database must not be shared with the processes that start later.
    """
    _manage("migrate", "--verbosity", "0")
    _collect_static_files()
    if has_demo:
        with os.fdopen(pipe, "w") as logins, redirect_stdout(logins):
            _manage("demo")


def _manage(*command: str) -> None:
    sys.argv = ["manage.py", *command]
    manage.main()


def _collect_static_files() -> None:
    """Collect them unless none has changed since: to name and to pack them all takes a while."""
    from django.conf import settings

    digest = hashlib.sha256()
    sources = [Path("requirements.lock"), Path("config/static.py"), *Path("static").rglob("*")]
    for path in sorted(sources):
        digest.update(f"{path} {path.stat().st_size} {path.stat().st_mtime_ns}\n".encode())
    collected = settings.STATIC_ROOT / "collected"
    if not collected.exists() or collected.read_text() != digest.hexdigest():
        _manage("collectstatic", "--no-input", "--verbosity", "0")
        collected.write_text(digest.hexdigest())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
