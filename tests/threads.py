"""Acts of several people at the same time."""

import threading
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
