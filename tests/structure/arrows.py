"""Imports between modules: doors between the apps, arrows against the direction, circles."""

import ast
from collections.abc import Iterator, Mapping
from importlib.util import resolve_name

from tests.architecture import LAYERS
from tests.structure.checkout import PRODUCT, Checkout, Module

Graph = Mapping[str, set[str]]


def imported_names(module: Module) -> Iterator[str]:
    """Yield the full name of everything a module imports, also inside functions."""
    package = module.name if module.is_package else module.name.rpartition(".")[0]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = resolve_name("." * node.level + (node.module or ""), package)
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def module_of(name: str, known: set[str]) -> str | None:
    """Return the module that a full name is in: its longest prefix that is a module."""
    parts = name.split(".")
    beginnings = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((beginning for beginning in beginnings if beginning in known), None)


def import_graph(checkout: Checkout) -> Graph:
    return {
        module.name: {
            other
            for name in imported_names(module)
            if (other := module_of(name, checkout.names)) and other != module.name
        }
        for module in checkout.product
    }


def doors(checkout: Checkout, source: str, target: str) -> tuple[set[str], list[str]]:
    """Return what one app imports from another: the modules, and each name as often as a file imports it."""
    names = [
        name
        for module in checkout.product
        if module.parts[0] == source
        for name in sorted(set(imported_names(module)))
        if name.split(".")[0] == target
    ]
    return {module_of(name, checkout.names) or name for name in names}, names


def declared_doors(checkout: Checkout) -> list[str]:
    """Return the DOORS in the checkout's own tests/architecture.py."""
    architecture = (module for module in checkout.tests if module.name == "tests.architecture")
    for node in (node for module in architecture for node in module.tree.body):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "DOORS":
            return [str(constant.value) for constant in ast.walk(node.value) if isinstance(constant, ast.Constant)]
    return []


def upward_arrows(graph: Graph) -> list[str]:
    return [f"{name} → {other}" for name in sorted(graph) for other in sorted(graph[name]) if is_upward(name, other)]


def is_upward(name: str, other: str) -> bool:
    """Tell whether an import runs upward: between apps by their order, inside an app by the order of its layers."""
    app, other_app = PRODUCT.index(name.split(".")[0]), PRODUCT.index(other.split(".")[0])
    if app != other_app or app == PRODUCT.index("config"):
        return other_app < app
    return layer(other) < layer(name)


def layer(name: str) -> int:
    """Return the index of a module's layer, 0 the highest; the app itself and parts not in LAYERS are the lowest."""
    part = f"{name}.".split(".")[1]
    return next((depth for depth, layer in enumerate(LAYERS) if part in layer), len(LAYERS))


def circles(graph: Graph) -> list[list[str]]:
    """Return the strongly connected components of two or more modules (Tarjan's algorithm)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        numbers[name] = lowest[name] = len(numbers)
        path.append(name)
        for other in sorted(graph[name]):
            if other not in numbers:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in path:
                lowest[name] = min(lowest[name], numbers[other])
        if lowest[name] == numbers[name]:
            circle = path[path.index(name) :]
            del path[path.index(name) :]
            if len(circle) > 1:
                found.append(sorted(circle))

    for name in sorted(graph):
        if name not in numbers:
            visit(name)
    return sorted(found)
