"""Pages in the form in which tests compare them."""

import re


def without_tokens(html: str) -> str:
    """Return the page without the random tokens of each request, which may contain any short word."""
    return re.sub(r"[0-9A-Za-z]{32,}", "", html)


def on_one_line(html: bytes | str) -> str:
    """Return the page as a browser reads it: blanks and line breaks in a row are one blank, and none is before `>`."""
    text = html.decode() if isinstance(html, bytes) else html
    return re.sub(r"\s+(?=/?>)", "", re.sub(r"\s+", " ", text))


def closed_up(html: bytes | str) -> str:
    """Return the page on one line, without the blanks before and after tags."""
    return re.sub(r"\s*(<[^>]*>)\s*", r"\1", on_one_line(html))
