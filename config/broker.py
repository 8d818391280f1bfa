"""The filesystem broker, made safe for several processes.

kombu's own writes a message into its final file piece by piece, and empties the table of queues before it locks it. A
worker that reads at that moment finds an empty file and crashes. Here a message gets its name when it is complete, and
a lock guards the table.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.transport import filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: Any, **kwargs: Any) -> None:  # type: ignore[override]  # named as kombu's own
        folder = Path(self.data_folder_out)
        draft = folder / f"{uuid4()}.draft"
        draft.write_text(dumps(payload))
        # kombu takes messages in the order of their names
        draft.rename(folder / f"{round(monotonic() * 1000)}_{uuid4()}.{queue}.msg")

    def get_table(self, exchange: str) -> Any:
        with self._turn():
            return super().get_table(exchange)

    def _queue_bind(self, *arguments: Any) -> None:
        with self._turn():
            super()._queue_bind(*arguments)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        gate = os.open(self.control_folder / "turn", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(gate, fcntl.LOCK_EX)
            yield
        finally:
            os.close(gate)


class Transport(filesystem.Transport):
    Channel = Channel
