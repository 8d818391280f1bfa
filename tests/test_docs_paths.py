"""The paths that the documents name are there: files, folders, and what a file is said to define."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ["CONTRIBUTING.md", "README.md", "docs/architecture.md", "docs/data-formats.md", "docs/metrics.md"]
PAGES += [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs" / "adr").glob("*.md"))]
TOP = {path.name for path in ROOT.iterdir()} - {"var", "node_modules"} | {"APP"}
PLACEHOLDER = re.compile(r"\b(?:APP|LAYER|NOUN)\b")  # any that there is

# Where the names of each column of the table of steps are, first to last. An app's own folder comes after its layer's.
FOLDERS = {
    "rule": ("{app}/domain/{name}", "{app}/{name}"),
    "write": ("{app}/actions/{name}",),
    "read": ("{app}/selectors/{name}",),
    "page": ("{app}/views/{name}",),
    "presenter": ("{app}/presenters/{name}",),
    "script": ("static/js/{name}",),
    "command": ("{app}/management/commands/{name}",),
    "noun": ("templates/{app}/{name}/",),
}


def named_paths(page: str) -> list[str]:
    """What stands in backticks and begins with a folder or file of the repository."""
    marked = re.findall(r"`([^`\s]+)`", (ROOT / page).read_text(encoding="utf-8"))
    return [path for path in marked if path.split("/")[0] in TOP and ("/" in path or "." in path)]


def is_there(path: str) -> bool:
    file, _, name = path.partition("::")
    found = list(ROOT.glob(PLACEHOLDER.sub("*", file.rstrip("/"))))
    if not name:
        return any(each.is_dir() for each in found) if file.endswith("/") else bool(found)
    defined = re.compile(rf"^(?:(?:def|class) {name}\b|{name}\b.*=)", re.MULTILINE)
    return any(defined.search(each.read_text(encoding="utf-8")) for each in found)


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_is_named_exists(page: str) -> None:
    assert [path for path in named_paths(page) if not is_there(path)] == []


def steps() -> list[tuple[str, dict[str, str]]]:
    """Each row of the tables of steps, with its app."""
    rows, app, columns = [], "", []
    for line in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            app, columns = line.strip("# "), []
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("| ") else []
        if cells and not columns:
            columns = cells
        elif cells and "noun" in columns:
            rows.append((app, dict(zip(columns, cells, strict=True))))
    return rows


@pytest.mark.parametrize(("app", "row"), steps(), ids=lambda part: part if isinstance(part, str) else part["step"])
def test_every_file_of_a_step_exists(app: str, row: dict[str, str]) -> None:
    missing = [
        f"{column}: {name}"
        for column, folders in FOLDERS.items()
        for name in row[column].split(" · ")
        if name != "—" and not any(_is_module(folder.format(app=app, name=name)) for folder in folders)
    ]
    assert missing == []


def _is_module(path: str) -> bool:
    if path.endswith("/"):
        return (ROOT / path).is_dir()
    return any((ROOT / f"{path}{suffix}").is_file() for suffix in (".py", ".js"))


def test_every_command_is_in_the_table_of_steps() -> None:
    told = {name for _app, row in steps() for name in row["command"].split(" · ")} - {"—"}
    commands = {
        path.stem for app in ("annotation", "study") for path in (ROOT / app / "management/commands").glob("*.py")
    }
    assert told == commands - {"__init__"}


def test_every_module_that_writes_or_answers_pages_is_of_a_capability_in_the_table() -> None:
    """A capability may have more modules than the table names, never one in a package that it does not name."""
    for column, layer in {"write": "actions", "page": "views"}.items():
        for app in ("annotation", "study"):
            told = {name.split("/")[0] for of, row in steps() if of == app for name in row[column].split(" · ")}
            folder = ROOT / app / layer
            there = {path.stem for path in folder.iterdir() if path.stem != "__init__" and path.name != "__pycache__"}
            assert there - told <= {"demo"}, (app, layer)
