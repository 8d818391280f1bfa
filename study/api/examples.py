"""One example answer of each kind, for the OpenAPI document and the page *API*."""

from drf_spectacular.utils import OpenApiExample

ANSWER_FILE = [
    OpenApiExample(
        "An answer",
        response_only=True,
        status_codes=["200", "202"],
        value={
            "upload": 41,
            "state": "done",
            "study": "summer-lab",
            "candidates": 5,
            "error": "",
            "outcome": {
                "study": "summer-lab",
                "created": True,
                "rows": 80,
                "stored": 78,
                "unanswered": 2,
                "duplicate": 0,
                "participants": 8,
                "described": 0,
                "questions": 0,
                "candidates": 5,
                "question_set": "evening",
            },
            "refused": 0,
            "rows": [],
            "created_at": "2026-03-02T09:30:00Z",
            "ended_at": "2026-03-02T09:30:02Z",
        },
    )
]
