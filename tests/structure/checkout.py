"""Files of a checkout that are measured, read once."""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

PRODUCT = ("config", "study", "annotation", "core")
TESTS = ("tests", "benchmarks")
THESE_MEASURES = ("tests/structure/", "tests/test_structure.py")


@dataclass(frozen=True)
class Module:
    name: str  # dotted, without .__init__
    path: str
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @property
    def parts(self) -> list[str]:
        return self.name.split(".")

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")

    @property
    def lines(self) -> int:
        return len(self.source.splitlines())


class Checkout:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.product = list(self._modules(PRODUCT))
        self.tests = list(self._modules(TESTS))
        self.templates = {
            str(path.relative_to(root)): path.read_text(encoding="utf-8")
            for path in sorted((root / "templates").rglob("*.html"))
        }

    def _modules(self, folders: tuple[str, ...]) -> Iterator[Module]:
        """Yield every written module; left out are generated migrations, and these measures, which name what they
        count.
        """
        for folder in folders:
            for path in sorted((self.root / folder).rglob("*.py")):
                inside = path.relative_to(self.root)
                if "migrations" not in inside.parts and not str(inside).startswith(THESE_MEASURES):
                    name = ".".join(inside.with_suffix("").parts).removesuffix(".__init__")
                    yield Module(name, str(inside), path.read_text(encoding="utf-8"))

    @cached_property
    def names(self) -> set[str]:
        """Return the names of the product's modules and packages."""
        return {module.name for module in self.product}

    @cached_property
    def checked_by_mypy(self) -> list[Module]:
        """Return the product's modules under `files` of [tool.mypy], without those that match `exclude`."""
        project = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        options = project.get("tool", {}).get("mypy", {})
        files = options.get("files", [])
        files = [one.strip() for one in files.split(",")] if isinstance(files, str) else files
        exclude = options.get("exclude", [])
        patterns = [exclude] if isinstance(exclude, str) else exclude
        return [
            module
            for module in self.product
            if any(file == "." or f"{module.path}/".startswith(f"{file.rstrip('/')}/") for file in files)
            and not any(re.search(pattern, module.path) for pattern in patterns)
        ]
