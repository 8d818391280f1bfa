"""Prodigy's examples, one JSON object each, of whose keys `answer` says what became of the task: it is no response.

https://prodi.gy/docs/api-interfaces
"""

from collections.abc import Mapping, Sequence

HASHES = ("_task_hash", "_input_hash")
VERDICTS = {"accept", "reject", "ignore"}


def is_verdict(key: str, rows: Sequence[Mapping[str, object]]) -> bool:
    """Tell whether a key of rows holds what became of their tasks."""
    if key != "answer":
        return False
    return any(name in row for row in rows for name in HASHES) or VERDICTS.issuperset(
        str(row[key]) for row in rows if key in row
    )
