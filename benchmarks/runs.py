"""Parts of benchmarks, each in its own process and on its own database."""

import os
import subprocess
import sys
import tempfile
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from tests import databases, services


def kinds() -> tuple[str, ...]:
    """Return the databases that run here."""
    return ("SQLite", "PostgreSQL") if services.postgres_url() else ("SQLite",)


def run(module: str, *arguments: str, on: str) -> None:
    """Run a module on a new, empty database of this kind."""
    with tempfile.TemporaryDirectory() as folder, new_database(on, Path(folder)) as url:
        own = {"DATABASE_URL": url, "DATA_DIR": folder, "SECRET_KEY": "-"}
        own["DJANGO_SETTINGS_MODULE"] = "config.settings"
        subprocess.run([sys.executable, "-m", module, *arguments], env=os.environ | own, check=True)


def new_database(kind: str, folder: Path) -> AbstractContextManager[str]:
    """Return the address of a new, empty database; SQLite's is a file in the folder."""
    server = services.postgres_url()
    if kind == "PostgreSQL" and server:
        return databases.postgresql(server)
    return nullcontext(databases.sqlite(folder))
