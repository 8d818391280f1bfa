"""Measures of places and sizes: request handlers, the rest of views/, short modules, class names."""

import ast
from collections import defaultdict
from collections.abc import Iterator

from tests.structure.checkout import Module

Function = ast.FunctionDef | ast.AsyncFunctionDef
OFTEN_NAMED_SO = {"Meta", "Command"}  # Django requires these names
FEW_LINES = 30


def is_in(module: Module, *layers: str) -> bool:
    return len(module.parts) > 1 and module.parts[1] in layers


def takes_a_request(function: Function) -> bool:
    """Tell whether the first parameter is `request`, or has a type of request (HttpRequest, AuthenticatedRequest)."""
    parameters = [*function.args.posonlyargs, *function.args.args]
    if not parameters:
        return False
    kind = parameters[0].annotation
    return parameters[0].arg == "request" or bool(kind and ast.unparse(kind).endswith("Request"))


def gives_a_response(function: Function) -> bool:
    """Tell whether one of the types in the annotation of the result ends with Response."""
    types = ast.unparse(function.returns).split("|") if function.returns else []
    return any(kind.strip(" '\"").split("[")[0].endswith("Response") for kind in types)


def is_view_class(node: ast.ClassDef) -> bool:
    """Tell whether a base is named as Django and Django REST framework name their views."""
    return any(ast.unparse(base).split("[")[0].endswith(("View", "ViewSet")) for base in node.bases)


def is_handler(node: ast.stmt) -> bool:
    """Tell whether it is a public function from a request to a response, or a class of views."""
    if isinstance(node, ast.ClassDef):
        return is_view_class(node)
    return isinstance(node, Function) and is_public(node) and takes_a_request(node) and gives_a_response(node)


def is_public(node: Function | ast.ClassDef) -> bool:
    return not node.name.startswith("_")


def handlers_elsewhere(modules: list[Module]) -> list[str]:
    """Return the handlers that are in neither views/ nor api/."""
    return [
        f"{module.name}.{node.name}"
        for module in modules
        if not is_in(module, "views", "api")
        for node in module.tree.body
        if isinstance(node, Function | ast.ClassDef) and is_handler(node)
    ]


def views_without_handler(modules: list[Module]) -> list[Module]:
    return [
        module
        for module in modules
        if is_in(module, "views") and not module.is_package and not any(map(is_handler, module.tree.body))
    ]


def other_names_in_views(modules: list[Module]) -> list[str]:
    """Return, from modules with a handler, other public functions and classes that take no request."""
    without = {module.name for module in views_without_handler(modules)}
    return [
        f"{module.name}.{node.name}"
        for module in modules
        if is_in(module, "views") and module.name not in without
        for node in module.tree.body
        if isinstance(node, Function | ast.ClassDef) and is_public(node) and not is_handler(node)
        if isinstance(node, ast.ClassDef) or not takes_a_request(node)
    ]


def private_functions_in_views(modules: list[Module]) -> list[tuple[str, int]]:
    """Return names and lengths of a module's private functions without a request, which work on what is shown."""
    without = {module.name for module in views_without_handler(modules)}
    return [
        (f"{module.name}.{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1)
        for module in modules
        if is_in(module, "views") and module.name not in without
        for node in module.tree.body
        if isinstance(node, Function) and not is_public(node) and not takes_a_request(node)
    ]


def short_modules(modules: list[Module]) -> list[Module]:
    """Return the short modules, without packages' own files and commands, which must be separate files."""
    return [
        module
        for module in modules
        if module.lines < FEW_LINES and not module.is_package and "commands" not in module.parts
    ]


def classes_of_one_name(modules: list[Module]) -> dict[str, list[str]]:
    """Return the class names used twice or more, in several modules or in one, with their places."""
    found: dict[str, list[str]] = defaultdict(list)
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef) and node.name not in OFTEN_NAMED_SO:
                found[node.name].append(module.name)
    return {name: modules for name, modules in sorted(found.items()) if len(modules) > 1}


def docstrings(modules: list[Module]) -> Iterator[tuple[str, str, str]]:
    """Yield path, name and text of each docstring; a module's own has no name."""
    for module in modules:
        for name, node in _documented(module.tree, ""):
            if text := ast.get_docstring(node):
                yield module.path, name, text


def _documented(node: ast.AST, name: str) -> Iterator[tuple[str, ast.Module | ast.ClassDef | Function]]:
    if isinstance(node, ast.Module | ast.ClassDef | Function):
        yield name, node
    for child in ast.iter_child_nodes(node):
        own = child.name if isinstance(child, ast.ClassDef | Function) else ""
        yield from _documented(child, ".".join(filter(None, [name, own])))
