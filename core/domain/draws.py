"""Named random numbers: the same seed and names always give the same numbers, whatever was drawn before."""

import json
import struct
from collections.abc import Mapping
from hashlib import sha256

# Largest seed that a page or a command accepts, from 0: numpy takes no negative seed, and a database keeps 64 bits.
LARGEST_SEED = 10**18 - 1

Uniforms = tuple[float, float, float, float]


def uniforms(seed: int, *names: str) -> Uniforms:
    """Return four independent numbers in [0, 1) that belong to these names under this seed.

    The draws of a generator depend on their order and on the version of its library; these depend on their arguments
    alone (SHA-256, 53 bits each).
    """
    digest = sha256(json.dumps([seed, *names]).encode()).digest()
    first, second, third, fourth = (word >> 11 for word in struct.unpack(">4Q", digest))
    return first / 2**53, second / 2**53, third / 2**53, fourth / 2**53


def lowest_first(numbers: Mapping[str, int], seed: int, what: str, *names: str) -> list[str]:
    """Return the keys of ``numbers`` with the lowest number first, ties in seeded random order."""
    return sorted(numbers, key=lambda key: (numbers[key], uniforms(seed, what, key, *names)[0]))
