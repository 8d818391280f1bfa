"""Files that belong to an item: their types by their first bytes, whatever their names, and the parts asked for."""

import re
from enum import StrEnum


class RecordingKind(StrEnum):
    """The kinds of files that an item may have."""

    AUDIO = "audio"
    ANSWER_IMAGE = "answer_image"


LARGEST = {RecordingKind.AUDIO: 20 << 20, RecordingKind.ANSWER_IMAGE: 5 << 20}  # bytes in one file
HEAD = 64  # bytes needed to tell the type
SIGNATURES = {b"fLaC": "audio/flac", b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
RIFF = {b"WAVE": "audio/wav", b"WEBP": "image/webp"}
OGG_AUDIO = (b"vorbis", b"OpusHead", b"Speex", b"FLAC")  # in the first page; Theora is video
MP4_AUDIO = (b"M4A ", b"M4B ", b"mp41", b"mp42", b"isom", b"iso2")
ASKED_BYTES = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def media_type(head: bytes) -> str:
    """Return the media type of a file that begins with `head`; empty for other than the audio and images we show.

    WAV, MP3, Ogg, FLAC, M4A; PNG, JPEG, WebP.
    """
    if head[:4] == b"RIFF":
        return RIFF.get(head[8:12], "")
    if head[:4] == b"OggS":
        return "audio/ogg" if any(codec in head for codec in OGG_AUDIO) else ""
    if head[4:8] == b"ftyp":
        return "audio/mp4" if head[8:12] in MP4_AUDIO else ""
    if _is_mp3(head):
        return "audio/mpeg"
    return next((kind for signature, kind in SIGNATURES.items() if head.startswith(signature)), "")


def _is_mp3(head: bytes) -> bool:
    """Recognise an ID3 tag (ID3v2.2 to 2.4), or the header of a frame: sync bits, layer III, no reserved value."""
    if head[:3] == b"ID3":
        return len(head) >= 10 and head[3] in (2, 3, 4) and max(head[6:10]) < 0x80
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE6 != 0xE2:
        return False
    version, rate, frequency = head[1] >> 3 & 3, head[2] >> 4, head[2] >> 2 & 3
    return version != 1 and rate not in (0, 15) and frequency != 3


def fits(kind: RecordingKind, type_found: str) -> bool:
    """Return whether a file of this media type may be used for the kind."""
    wanted = {RecordingKind.AUDIO: "audio/", RecordingKind.ANSWER_IMAGE: "image/"}[kind]
    return type_found.startswith(wanted)


def asked_bytes(header: str, size: int) -> range | None:
    """Return the bytes of the one range in a Range header (RFC 9110, 14); None where the whole file is the answer.

    That is the case without a header, with one that cannot be read, and with several ranges, which a server need not
    support. Raises ValueError for a range outside the file.
    """
    found = ASKED_BYTES.fullmatch(header.strip().replace(" ", ""))
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
