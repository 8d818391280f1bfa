"""Log of a process, for the test that kills it."""

import os
from pathlib import Path
from uuid import UUID


class Log:
    """Log file with a line for each word, written before the call returns, so that it outlives the process."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def say(self, word: str, key: UUID | str = "", detail: int | str = "") -> None:
        os.write(self.file, f"{word} {key} {detail}".strip().encode() + b"\n")

    def said(self, word: str) -> list[list[str]]:
        """Return key and detail of each line that begins with the word."""
        lines = self.path.read_text().split("\n")[:-1]
        return [rest for first, *rest in (line.split(" ", 2) for line in lines) if first == word]
