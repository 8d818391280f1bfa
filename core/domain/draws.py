"""Random numbers by name: the same seed and names give the same numbers, whatever was drawn before."""

import json
import struct
from collections.abc import Mapping
from hashlib import sha256

# The seeds that somebody may choose are those from 0 to this, by page and by shell: numpy takes none below 0, and a
# database keeps 64 bits.
LARGEST_SEED = 10**18 - 1

Uniforms = tuple[float, float, float, float]


def uniforms(seed: int, *names: str) -> Uniforms:
    """Four independent numbers in [0, 1) that belong to these names under this seed.

    A generator gives numbers by turn, so its draws depend on order and on its library's version; these depend on
    nothing but their arguments (SHA-256, 53 bits each).
    """
    digest = sha256(json.dumps([seed, *names]).encode()).digest()
    first, second, third, fourth = (word >> 11 for word in struct.unpack(">4Q", digest))
    return first / 2**53, second / 2**53, third / 2**53, fourth / 2**53


def least_met(seen: Mapping[str, int], seed: int, what: str, *names: str) -> list[str]:
    """All keys of ``seen``, which says how often each was met, the one to meet next first: none comes again before all
    others have come as often.
    """
    return sorted(seen, key=lambda key: (seen[key], uniforms(seed, what, key, *names)[0]))
