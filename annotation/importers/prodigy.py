"""Prodigy's examples, one JSON object each, of whose keys `answer` says what became of the task: it is no response.

What was rejected or ignored keeps its texts, and what it says of them does not count.

https://prodi.gy/docs/api-interfaces
"""

from collections.abc import Mapping, Sequence

HASHES = ("_task_hash", "_input_hash")
VERDICT = "answer"
NOT_ACCEPTED = {"reject", "ignore"}
VERDICTS = {"accept", *NOT_ACCEPTED}


def have_verdicts(rows: Sequence[Mapping[str, object]]) -> bool:
    """Tell whether rows say what became of their tasks."""
    said = {str(row[VERDICT]) for row in rows if VERDICT in row}
    return bool(said) and (VERDICTS.issuperset(said) or any(name in row for row in rows for name in HASHES))
