"""Whether a model moves any figure of people, on real grades; ends with 1 if it does.

python -m benchmarks.models_beside_people usr_topical_chat.json

The file is that of USR (Mehri and Eskénazi 2020): responses with the grades 1 to 5 of three people under "Overall".
Two models are made of it: one grades as the first person does, one against all of them. Every key of `agreement
--json`, the bytes of the release without the models' columns, its figures and its card are compared before and after.
The last line says what kappa would be with both counted as people.
"""

import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = tempfile.TemporaryDirectory()
os.environ |= {
    "DATA_DIR": FOLDER.name,
    "DATABASE_URL": f"sqlite:///{FOLDER.name}/colloquy.sqlite3",
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "SECRET_KEY": "-",
}

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402

from annotation.actions.projects import projects  # noqa: E402
from annotation.actions.rating.imported_ratings import import_ratings  # noqa: E402
from annotation.actions.rating.model_grades import import_model_grades  # noqa: E402
from annotation.actions.releases import releases  # noqa: E402
from annotation.exporters.canonical import checksum  # noqa: E402
from annotation.exporters.card import data_card  # noqa: E402
from annotation.models import Project  # noqa: E402
from annotation.selectors.agreement.agreement import agreement_report  # noqa: E402
from annotation.selectors.releases.releases import instances_of, manifest_of  # noqa: E402
from core.models import Role, User  # noqa: E402
from tests import factories  # noqa: E402

MODELS = {"twin": lambda grades: grades[0], "contrary": lambda grades: 6 - sorted(grades)[1]}
OWN = ("models", "model_grades")
Row = dict[str, object]


def main(file: str) -> None:
    call_command("migrate", verbosity=0)
    researcher = factories.person("rui", Role.RESEARCHER)
    pairs = pairs_of(Path(file))
    people = [{**pair, "rater": f"r{n}", "grade": grade} for pair, given in pairs for n, grade in enumerate(given, 1)]
    project = rated("usr", people, researcher)
    before = of_people(project)
    of_models = {name: [{**pair, "grade": of(given)} for pair, given in pairs] for name, of in MODELS.items()}
    for name, rows in of_models.items():
        path = written(rows)
        import_model_grades(project=project, path=path, model=name, report=factories.no_progress, by=researcher)
    after = of_people(project)
    moved = [name for name in before if before[name] != after[name]]
    counted_in = people + [{**row, "rater": name} for name, rows in of_models.items() for row in rows]
    mixed = agreement_report(rated("mixed", counted_in, researcher))
    report = agreement_report(project)
    print(f"{len(pairs)} pairs, {len(people)} grades by people, {len(of_models)} models; compared: {', '.join(before)}")
    print(f"moved by the models: {', '.join(moved) or 'nothing'}")
    for model in report["models"]:
        for place in model["places"]:
            ends = " to ".join(f"{end:.3f}" for end in place["difference_ci"] or ()) or "no interval"
            print(
                f"{model['model']} for {place['rater']}: n {place['n']}, kappa {place['model']:.3f} against "
                f"{place['person']:.3f}, difference {place['difference']:.3f} ({ends}): {place['verdict']}"
            )
    kappas = [found["before"]["kappa"] for found in (report, mixed)]
    print("kappa before the filter {:.3f}; with both as people it would be {:.3f}".format(*kappas))
    sys.exit(bool(moved))


def pairs_of(file: Path) -> list[tuple[Row, list[int]]]:
    """Return each response with its grades; the same response to a context comes once."""
    found: dict[tuple[str, str], list[int]] = {}
    for record in json.loads(file.read_text(encoding="utf-8")):
        for each in record["responses"]:
            found.setdefault((record["context"], each["response"]), each["Overall"])
    texts = enumerate(found.items(), 1)
    return [({"item": f"u{n}", "prompt": said, "response": reply}, given) for n, ((said, reply), given) in texts]


def rated(slug: str, rows: list[Row], by: User) -> Project:
    project = projects.create(slug=slug, kind="rating", settings={"raters": "3"}, by=by)
    import_ratings(project=project, path=written(rows), report=factories.no_progress, by=by)
    return project


def written(rows: list[Row]) -> Path:
    path = Path(FOLDER.name, "grades.jsonl")
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def of_people(project: Project) -> dict[str, Any]:
    """Return what is said about people: the report by its keys, a release and its card."""
    report = agreement_report(project)
    release = releases.freeze(project=project, seed=0, report=factories.no_progress, by=project.created_by)
    card = data_card({**manifest_of(release), "release": "", "frozen_at": "2026", "checksum": "0" * 64})
    kept = ({name: value for name, value in row.items() if name not in OWN} for row in instances_of(release))
    return {
        **{key: value for key, value in report.items() if key != "models"},
        "release": checksum(kept),
        "counts": {name: count for name, count in release.counts.items() if name != "models"},
        "statistics": release.statistics,
        "frozen agreement": release.agreement,
        "card": re.sub(r"\n## Grades by models\n.*?(?=\n## )", "", card, flags=re.DOTALL),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
