"""Rules about the source, checked with `ast`: directions of imports, pure modules, sizes, unique names."""

import ast
from collections.abc import Iterable, Iterator
from importlib.util import resolve_name
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# An app imports itself and the apps to its right.
HOUSES = ("config", "study", "annotation", "core")

# Inside an app a part imports parts of its own line and of the lines below.
LAYERS = (
    {"apps", "urls"},
    {"views", "api", "management"},
    {"presenters", "templatetags"},
    {"forms", "tasks", "nursery"},
    {"actions"},
    {"selectors"},
    {"importers", "exporters", "permissions", "figures"},
    {"models"},
    {"domain", "baselines"},
)

# The only ways from study into annotation: packages and modules. Everything in core is open to both.
DOORS = (
    "annotation.actions.demo",
    "annotation.actions.imports.refused_rows",
    "annotation.domain.releases.splitting",
    "annotation.importers",
    "annotation.permissions",
    "annotation.selectors.corpora",
    "annotation.selectors.releases",
)

PURE = {"domain", "baselines"}
IMPURE_MODULES = {
    "celery",
    "django",
    "logging",
    "os",
    "pathlib",
    "random",
    "requests",
    "rest_framework",
    "secrets",
    "shutil",
    "socket",
    "sqlite3",
    "structlog",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "urllib",
}
MAY_IMPORT = {"baselines": "pathlib"}  # a model saves and loads its state in a folder that it is given
IMPURE_CALLS = {"open", "input", "print", "datetime.now", "datetime.today", "datetime.utcnow", "date.today", "uuid4"}
GENERATORS = {"Random", "default_rng", "Generator", "PCG64", "SeedSequence"}  # pure when they are given a seed

MOST_LINES_OF_A_FILE = 300
MOST_LINES_OF_A_FUNCTION = 60


def sources(*houses: str) -> Iterator[tuple[str, str]]:
    """Yield the name and source of every written module; generated migrations are left out."""
    for house in houses:
        for path in sorted((ROOT / house).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if "migrations" not in parts:
                yield ".".join(parts), path.read_text(encoding="utf-8")


def imports(module: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and full name of everything a module imports, also inside functions."""
    package = module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), package)
            yield from ((node.lineno, f"{origin}.{alias.name}") for alias in node.names)


def wrong_arrows(module: str, source: str) -> list[str]:
    reasons = ((line, why_wrong(module, imported)) for line, imported in imports(module, source))
    return [f"{module}:{line}: {reason}" for line, reason in reasons if reason]


def why_wrong(module: str, imported: str) -> str | None:
    house, part = f"{module}.".split(".")[:2]
    other, other_part = f"{imported}.".split(".")[:2]
    if other not in HOUSES:
        return None
    if HOUSES.index(other) < HOUSES.index(house):
        return f"{house} must not import {imported}: the arrow is {' → '.join(HOUSES)}"
    for name in (part, other_part):
        if not any(name in layer for layer in LAYERS):
            return f"“{name}” is in none of the LAYERS"
    if height(other_part) > height(part):
        return f"{part} must not import {imported}: {other_part} is above it"
    if (house, other) == ("study", "annotation") and not any(f"{imported}.".startswith(f"{door}.") for door in DOORS):
        return f"{house} must not import {imported}: it is none of the DOORS"
    return None


def height(part: str) -> int:
    return next(-depth for depth, layer in enumerate(LAYERS) if part in layer)


def impurities(module: str, source: str) -> list[str]:
    """Return what a pure module must not do: Django, input and output, the clock, unseeded randomness."""
    found = [
        (line, f"imports {imported}")
        for line, imported in imports(module, source)
        if imported.split(".")[0] in IMPURE_MODULES - {MAY_IMPORT.get(module.split(".")[1])}
        and imported != "random.Random"
    ]
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    found += [(call.lineno, f"calls {ast.unparse(call.func)}") for call in calls if is_impure(call)]
    return [f"{module}:{line}: {what}" for line, what in found]


def is_impure(call: ast.Call) -> bool:
    names = ast.unparse(call.func).split(".")
    if names[-1] in GENERATORS:
        return not call.args and not call.keywords
    of_numpy = names[:-1] in (["np", "random"], ["numpy", "random"])
    return of_numpy or names[-1] in IMPURE_CALLS or ".".join(names[-2:]) in IMPURE_CALLS


def long_functions(module: str, source: str) -> list[str]:
    functions = (
        node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    lengths = ((node, (node.end_lineno or node.lineno) - node.lineno + 1) for node in functions)
    return [
        f"{module}:{node.lineno}: {node.name} has {length} lines"
        for node, length in lengths
        if length > MOST_LINES_OF_A_FUNCTION
    ]


# Django requires these names: the class of a command, and the options of a model, form or serializer.
NAMES_OF_DJANGO = {"Command", "Meta", "Migration"}


def class_names(module: str, source: str) -> Iterator[tuple[str, str]]:
    """Yield each class of a module, inner ones too, with the module's name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name not in NAMES_OF_DJANGO:
            yield node.name, module


def names_used_twice(modules: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the class names that several classes have, with their modules."""
    found: dict[str, list[str]] = {}
    for module, source in modules:
        for name, where in class_names(module, source):
            found.setdefault(name, []).append(where)
    return {name: where for name, where in found.items() if len(where) > 1}


CHANGES_OF_TABLES = {"add", "append", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}


def changed_tables(module: str, source: str) -> list[str]:
    """Return the places where a module changes, at import, a table that it took from another app.

    What core needs of the apps above it they register when they are ready, through a function of core.
    """
    tree = ast.parse(source)
    app = module.split(".")[0]
    taken = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in set(HOUSES) - {app}
        for alias in node.names
    }
    return [f"{module}:{line}: changes {name}" for line, name in _changes(tree.body) if name.split(".")[0] in taken]


def _changes(statements: Iterable[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Yield line and name of each table that statements outside functions change."""
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr in CHANGES_OF_TABLES:
                    yield node.lineno, ast.unparse(node.func.value)
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                yield node.lineno, ast.unparse(node.value)
