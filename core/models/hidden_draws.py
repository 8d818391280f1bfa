"""Secrets of draws that hide something, such as where gold lies (docs/adr/0019)."""

from secrets import token_hex


def new_secret() -> str:
    """Return a random secret of 128 bits, as 32 hexadecimal digits."""
    return token_hex(16)
