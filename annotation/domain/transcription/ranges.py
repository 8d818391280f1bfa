"""Which bytes of a file a browser asks for (RFC 9110, 14): what makes jumping in audio work."""

import re

ASKED = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def asked_bytes(header: str, size: int) -> range | None:
    """The bytes of the one range that a Range header asks for; None where the whole file is the answer: without a
    header, with one that cannot be read, and with several ranges, which nobody has to give.

    ValueError for a range of which the file has nothing.
    """
    found = ASKED.fullmatch(header.strip().replace(" ", ""))
    if not found or not (found[1] or found[2]):
        return None
    if not found[1]:
        wanted = range(max(0, size - int(found[2])), size)
    else:
        last = int(found[2]) if found[2] else size - 1
        if found[2] and last < int(found[1]):
            return None
        wanted = range(int(found[1]), min(last + 1, size))
    if not wanted:
        raise ValueError("The file has none of these bytes.")
    return wanted
