"""Acts of several people at the same time."""

import threading
import time
from collections.abc import Callable, Sequence

from django.db import connection

from tests.live_server import PATIENCE


def at_once(acts: Sequence[Callable[[], object]]) -> None:
    """Run each act in a thread of its own, and raise what goes wrong in any of them."""
    wrong, together = [], threading.Barrier(len(acts))

    def one(act: Callable[[], object]) -> None:
        try:
            together.wait(timeout=PATIENCE)
            act()
        except Exception as error:
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    assert wrong == []


def wait_until_another_waits() -> None:
    """Wait until another connection waits for a lock; on SQLite return at once: it has one writer."""
    if connection.vendor == "sqlite":
        return
    end = time.monotonic() + PATIENCE
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
            assert time.monotonic() < end, "no one waits"
            time.sleep(0.02)
