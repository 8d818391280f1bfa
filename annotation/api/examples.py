"""One example answer of each kind, for the OpenAPI document and the page *API*."""

from typing import Any

from drf_spectacular.utils import OpenApiExample

PAIR = {"prompt": "Where shall we go this weekend?", "response": "Up the hill: everything is in bloom."}

CLEANING = {
    "waiting": 12,
    "rules": {
        "phone": {"on": True, "found": 31, "keep": 4, "sensitive": 15, "knowledge": 0, "undone": 1},
    },
    "people": {"linyue": {"keep": 4, "sensitive": 15, "knowledge": 0, "undone": 1}},
}
CLEANING_DECISION = {
    "item": "p17-1",
    "prompt": "How can I reach you?",
    "response": "Call 138 0000 0000.",
    "user": "linyue",
    "verdict": "sensitive",
    "rules": ["phone"],
    "removed": 1,
    "decided_at": "2026-03-02T09:30:00Z",
    "undone_at": None,
}
GOLD = {"item": "9f2c04d1b7a35e68", **PAIR, "grade": 5, "type": "interesting", "explanation": "It invites an answer."}
QUALIFICATION = {
    "practice": 20,
    "gold": 170,
    "raters": [
        {
            "user": "linyue",
            "name": "Lin Yue",
            "status": "free",
            "paused_at": None,
            "attempts": [
                {
                    "number": 1,
                    "state": "passed",
                    "kappa": 0.74,
                    "accuracy": 0.7,
                    "begun_at": "2026-03-01T08:00:00Z",
                    "ended_at": "2026-03-01T08:20:00Z",
                }
            ],
            "gold": 40,
            "missed": 3,
            "recent": 10,
            "recently_missed": 1,
        }
    ],
}
FLAG = {
    "flag": 12,
    "user": "linyue",
    "item": "p17-1",
    **PAIR,
    "comment": "Which mountain?",
    "raised_at": "2026-03-02T09:30:00Z",
    "note": None,
    "resolved_at": None,
}
KAPPA = {
    "kappa": 0.62,
    "kappa_asymptotic": [0.58, 0.66],
    "kappa_linear": 0.71,
    "kappa_linear_asymptotic": [0.68, 0.74],
}
QUADRATIC = {"kappa_quadratic": 0.79, "kappa_quadratic_asymptotic": [0.76, 0.82]}
QUALITY = {
    "people": [
        {
            "user": "linyue",
            "name": "Lin Yue",
            "graded": 1200,
            "skipped": 4,
            "voided": 0,
            "median_seconds": 8.2,
            "hours": 3.4,
            "pairs_an_hour": 352.9,
            "grades": {"1": 90, "2": 210, "3": 520, "4": 300, "5": 80},
            "types": {"versatile": 310},
            "partners_n": 1180,
            "partners_kappa_quadratic": 0.77,
            "drift": {
                "trend": "steady",
                "n": 400,
                "early_mean": -0.02,
                "late_mean": 0.04,
                "difference": 0.06,
                "difference_ci": [-0.07, 0.19],
                "p": 0.37,
                "p_adjusted": 0.74,
            },
            "gold": {"n": 40, "missed": 3},
        }
    ],
    "pairs": [{"raters": ["Lin Yue", "Zhou Ziheng"], "n": 390, "percent": 0.71, **KAPPA, **QUADRATIC}],
}
PAYABLE = {
    "people": [
        {
            "user": "linyue",
            "name": "Lin Yue",
            "since": "2026-03-01",
            "until": "2026-03-31",
            "counted": 1160,
            "other": 40,
            "voided": 0,
            "skipped": 4,
            "hours": 3.4,
        }
    ],
}
ADJUDICATION = {
    "item": "p17-1",
    **PAIR,
    "user": "amara",
    "grade": 4,
    "reason": "",
    "decided_at": "2026-03-02T09:30:00Z",
    "state": "kept",
}
RATING = {
    "rater": "r1",
    "item": "p17-1",
    "digest": "9f2c04d1b7a35e68",
    **PAIR,
    "grade": 3,
    "type": "versatile",
    "counted": True,
    "assignment": "submitted",
    "purpose": "work",
    "step": "rate",
    "guideline": 1,
    "claimed_at": "2026-03-02T09:29:48Z",
    "graded_at": "2026-03-02T09:30:00Z",
    "replaced_at": None,
    "milliseconds": 8200,
    "models": ["Qwen2.5-72B"],
    "model_grades": [4],
}
CHECK = {"n": 886, "value": 0.346, "chance": 0.25, "interval": [0.302, 0.393], "finding": "look"}
AUDIT = {
    "of": "mutual",
    "checksum": "4f0c…",
    "instances": 5971,
    "answered": 5391,
    "leaks": {
        "exact": 1,
        "near": 1,
        "similar": 0,
        "rows": [
            {
                "likeness": "exact",
                "instances": [
                    {"position": 17, "id": "train_18", "split": "train"},
                    {"position": 5100, "id": "dev_3", "split": "dev"},
                ],
            }
        ],
    },
    "shortcuts": {"level": 0.9958, "equal_options": {"n": 0, "rows": []}, "shortest": CHECK},
}


def example(value: Any, media_type: str = "application/json") -> list[OpenApiExample]:
    """Return an answer in the form that a schema needs for its examples."""
    return [OpenApiExample("An answer", value=value, response_only=True, media_type=media_type)]
