"""Texts kept on disk while a reader gathers what belongs together."""

import json
from typing import IO


class KeptTexts:
    """Texts in a file, found again by their places."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def keep(self, text: str) -> int:
        """Keep a text at the end of the file. Return its place."""
        place = self._file.seek(0, 2)
        self._file.write(json.dumps(text).encode() + b"\n")
        return place

    def at(self, place: int) -> str:
        self._file.seek(place)
        return str(json.loads(self._file.readline()))
