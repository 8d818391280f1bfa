"""The bytes of a file that a browser asks for (RFC 9110, 14): needed for jumping in audio."""

import re

ASKED = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def asked_bytes(header: str, size: int) -> range | None:
    """Return the bytes of the one range in a Range header; None where the whole file is the answer.

    That is the case without a header, with one that cannot be read, and with several ranges, which a server need not
    support. Raises ValueError for a range outside the file.
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
