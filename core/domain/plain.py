"""Values of figures as plain JSON, and back by their types: dataclasses, tuples, enumerations, arrays, times.

A dataclass becomes the list of its fields; what is only named, such as a person, becomes its key. What is written is
read by the same version of the program alone.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

KeyOf = Mapping[type, Callable[[Any], int]]  # of the types that are only named
Named = Mapping[type, Mapping[int, Any]]  # what the keys of each type name
Reader = Callable[[Any, Named], Any]


def as_plain(value: Any, key_of: KeyOf) -> Any:
    """Return a value made of lists, dictionaries with texts as keys, texts, numbers, True, False and None alone."""
    if type(value) in key_of:
        return key_of[type(value)](value)
    if is_dataclass(value) and not isinstance(value, type):
        return [as_plain(getattr(value, field.name), key_of) for field in fields(value)]
    if isinstance(value, Mapping):
        return {str(key): as_plain(each, key_of) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_plain(each, key_of) for each in value]
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, datetime):
        return value.isoformat()
    return value.value if isinstance(value, Enum) else value


def from_plain(kind: Any, plain: Any, named: Named) -> Any:
    """Return the value of a type that `as_plain` made plain."""
    return _reader(kind)(plain, named)


@cache
def _reader(kind: Any) -> Reader:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        [some] = (_reader(each) for each in inner if each is not type(None))
        return lambda plain, named: None if plain is None else some(plain, named)
    if origin is tuple and inner[-1] is not Ellipsis:
        readers = [_reader(each) for each in inner]
        return lambda plain, named: tuple(read(each, named) for read, each in zip(readers, plain, strict=True))
    if origin in (list, tuple, Sequence):
        of_each, make = _reader(inner[0]), tuple if origin is tuple else list
        return lambda plain, named: make(of_each(each, named) for each in plain)
    if origin is dict:
        key, of_value = inner[0], _reader(inner[1])
        return lambda plain, named: {key(name): of_value(each, named) for name, each in plain.items()}
    return _reader_of_class(origin or kind)


def _reader_of_class(kind: Any) -> Reader:
    if is_dataclass(kind):
        return _reader_of_dataclass(kind)
    makers: dict[type, Callable[[Any], Any]] = {
        np.ndarray: np.array,
        datetime: datetime.fromisoformat,
        Counter: Counter,
    }
    make = kind if issubclass(kind, Enum) else makers.get(kind)
    if make:
        return lambda plain, named: make(plain)
    return lambda plain, named: named[kind][plain] if kind in named else plain


def _reader_of_dataclass(kind: Any) -> Reader:
    hints = get_type_hints(kind)
    readers = [_reader(hints[field.name]) for field in fields(kind)]

    def read(plain: Any, named: Named) -> Any:
        if kind in named:
            return named[kind][plain]
        return kind(*[read(each, named) for read, each in zip(readers, plain, strict=True)])

    return read
