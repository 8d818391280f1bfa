"""Print how a checkout is built: python -m tests.structure [CHECKOUT] [--names] [--docstrings 30 --seed 0]."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from tests.structure import arrows, shape, texts
from tests.structure.checkout import Checkout


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.structure", description="Print how a checkout is built.")
    parser.add_argument("checkout", nargs="?", type=Path, default=Path(), help="its folder; else this one")
    parser.add_argument("--names", action="store_true", help="name what each number counts")
    parser.add_argument("--docstrings", type=int, default=0, help="print so many docstrings, drawn by lot")
    parser.add_argument("--seed", type=int, default=0, help="of the lot")
    options = parser.parse_args()
    StructureReport(Checkout(options.checkout.resolve()), with_names=options.names).print()
    if options.docstrings:
        print_docstrings(Checkout(options.checkout.resolve()), options.docstrings, options.seed)


class StructureReport:
    def __init__(self, checkout: Checkout, *, with_names: bool) -> None:
        self.checkout = checkout
        self.with_names = with_names

    def print(self) -> None:
        for part in (self.arrows, self.shape, self.types, self.templates, self.words):
            print(f"\n{part.__name__}")
            part()

    def row(self, label: str, value: object, names: Iterable[str] = ()) -> None:
        print(f"  {label:<72} {value}")
        if self.with_names:
            print(*(f"      {name}\n" for name in names), sep="", end="")

    def listed(self, label: str, names: Iterable[str]) -> None:
        names = sorted(names)
        self.row(label, len(names), names)

    def arrows(self) -> None:
        graph = arrows.import_graph(self.checkout)
        for app, other in (("study", "annotation"), ("study", "core"), ("annotation", "core")):
            modules, names = arrows.doors(self.checkout, app, other)
            self.listed(f"doors from {app} to {other}: modules imported", modules)
            self.row("    names imported: different ones, in all files", f"{len(set(names))}, {len(names)}")
        self.listed("doors that tests/architecture.py declares", arrows.declared_doors(self.checkout))
        self.listed("upward arrows", arrows.upward_arrows(graph))
        self.listed("circles between modules", map(" ".join, arrows.circles(graph)))

    def shape(self) -> None:
        print("  (a request handler: a public function that takes a request and gives a response, or a class of views)")
        product = self.checkout.product
        for label, modules in (("product", product), ("tests and benchmarks", self.checkout.tests)):
            lines = sum(module.lines for module in modules)
            self.row(f"{label}: files, lines", f"{len(modules)}, {lines}")
        twice = shape.classes_of_one_name(product)
        self.listed("class names used twice or more (without Meta, Command)", map(_with_modules, twice.items()))
        self.listed("request handlers outside views/ and api/", shape.handlers_elsewhere(product))
        without = shape.views_without_handler(product)
        self.listed("modules in views/ without a request handler", (module.name for module in without))
        self.row("    lines of these", sum(module.lines for module in without))
        self.listed("other public names in views/ that take no request", shape.other_names_in_views(product))
        private = shape.private_functions_in_views(product)
        self.listed("private functions in views/ that take no request", (name for name, _lines in private))
        self.row("    lines of these", sum(lines for _name, lines in private))
        short = shape.short_modules(product)
        self.listed(f"modules under {shape.FEW_LINES} lines (without __init__, commands)", (one.name for one in short))

    def types(self) -> None:
        product, tests = self._sources()
        for label, pattern in (
            ("fmt: skip, fmt: off", texts.FORMATTER_OFF),
            ("type: ignore", texts.TYPE_IGNORED),
            ("noqa", texts.LINT_IGNORED),
        ):
            self.row(f"{label}: product, tests", f"{texts.count(pattern, product)}, {texts.count(pattern, tests)}")
        checked, all_of_it = self.checkout.checked_by_mypy, self.checkout.product
        self.row("product files checked by mypy", _share(len(checked), len(all_of_it)))
        lines = [sum(module.lines for module in modules) for modules in (checked, all_of_it)]
        self.row("product lines checked by mypy", _share(*lines))

    def templates(self) -> None:
        print("  (a single text: one text with its variables, or one tag or attribute with one text to translate)")
        templates = self.checkout.templates
        self.row("files, lines", f"{len(templates)}, {sum(len(text.splitlines()) for text in templates.values())}")
        long = [(path, line.strip()) for path, text in templates.items() for line in texts.long_lines(text)]
        broken = [f"{path}: {line}" for path, line in long if not texts.is_single_text(line)]
        self.row(f"lines over {texts.LONGEST_LINE} characters", len(long))
        self.listed("    of them not a single text", broken)

    def words(self) -> None:
        found = list(shape.docstrings(self.checkout.product))
        riddles = [f"{path} {name}: {text}" for path, name, text in found if texts.begins_as_a_riddle(text)]
        self.row("docstrings of the product", len(found))
        self.listed("    that begin with Of, As, To, What, How, Who, Whether, That, ...", riddles)
        product, tests = self._sources()
        for word, pattern in texts.WORDS.items():
            self.row(f"“{word}”: product, tests", f"{texts.count(pattern, product)}, {texts.count(pattern, tests)}")

    def _sources(self) -> tuple[list[str], list[str]]:
        return [one.source for one in self.checkout.product], [one.source for one in self.checkout.tests]


def print_docstrings(checkout: Checkout, number: int, seed: int) -> None:
    print(f"\n{number} docstrings of the product, drawn with seed {seed}")
    for path, name, text in texts.drawn(list(shape.docstrings(checkout.product)), number, seed):
        print(f"  {path} {name}\n      {text.replace(chr(10), chr(10) + '      ')}")


def _with_modules(item: tuple[str, list[str]]) -> str:
    name, modules = item
    return f"{name}: {', '.join(modules)}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.0%})" if whole else "0 of 0"


if __name__ == "__main__":
    main()
