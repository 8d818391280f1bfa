"""Types of files by their first bytes, byte ranges of browsers, and differences of transcripts."""

import pytest

from annotation.domain.rewriting.versions import Change
from annotation.domain.transcription.recordings import RecordingKind, asked_bytes, fits, media_type
from annotation.domain.transcription.transcripts import changes
from tests.recordings import MACHINE_TEXT, SAID, picture, tone

KINDS = {
    "audio/wav": tone(0.01),
    "audio/mpeg": b"\xff\xfb\x90\x64" + bytes(60),
    "audio/ogg": b"OggS\x00\x02" + bytes(22) + b"\x01\x13OpusHead",
    "audio/flac": b"fLaC\x00\x00\x00\x22",
    "audio/mp4": b"\x00\x00\x00\x20ftypM4A \x00\x00\x00\x00",
    "image/png": picture(),
    "image/jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "image/webp": b"RIFF\x24\x00\x00\x00WEBPVP8 ",
}
OTHERS = {
    "nothing": b"",
    "text": b"ID3 is a tag, said W to M.",
    "text of UTF-16": "W: Hello there".encode("utf-16"),
    "a page": b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "a film": b"OggS\x00\x02" + bytes(22) + b"\x01\x2a\x80theora",
    "a film of another kind": b"\x00\x00\x00\x20ftypqt  \x00\x00\x00\x00",
    "AVI": b"RIFF\x24\x00\x00\x00AVI LIST",
    "AAC without a box": b"\xff\xf1\x50\x80",
    "GIF": b"GIF89a",
}


@pytest.mark.parametrize("kind", KINDS)
def test_audio_and_pictures_are_known_by_their_content(kind):
    assert media_type(KINDS[kind]) == kind
    assert fits(RecordingKind.AUDIO, kind) == kind.startswith("audio")
    assert fits(RecordingKind.ANSWER_IMAGE, kind) == kind.startswith("image")


def test_an_mp3_may_begin_with_a_tag():
    assert media_type(b"ID3\x04\x00\x00\x00\x00\x0f\x76TSSE") == "audio/mpeg"


@pytest.mark.parametrize("name", OTHERS)
def test_anything_else_is_neither(name):
    assert media_type(OTHERS[name]) == ""
    assert not fits(RecordingKind.AUDIO, "")


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("", None),
        ("bytes=0-", range(100)),
        ("bytes=40-49", range(40, 50)),
        ("bytes=90-1000", range(90, 100)),
        ("bytes=-10", range(90, 100)),
        ("bytes=-1000", range(100)),
        ("bytes=0-1,5-6", None),
        ("bytes=9-5", None),
        ("bytes=-", None),
        ("lines=1-2", None),
        ("bytes=a-b", None),
    ],
)
def test_a_range_is_read_as_browsers_mean_it(header, part):
    assert asked_bytes(header, 100) == part


@pytest.mark.parametrize("header", ["bytes=100-", "bytes=500-600", "bytes=-0"])
def test_a_range_of_which_the_file_has_nothing_is_an_error(header):
    with pytest.raises(ValueError, match="none of these bytes"):
        asked_bytes(header, 100)


def told(before, after):
    return [[(str(piece.change), piece.text) for piece in pieces] for pieces in changes(before, after)]


def test_the_difference_names_the_words_that_changed():
    found = told(MACHINE_TEXT, SAID)
    assert ("removed", "cook") in found[0]
    assert ("added", "book") in found[0]
    assert found[2] == [("same", "W: Then take the library room.")]


@pytest.mark.parametrize(
    "after",
    [
        SAID,
        MACHINE_TEXT[1:],
        [*MACHINE_TEXT, {"speaker": "M", "text": "Fine."}],
        [{"speaker": "W", "text": "Did you manage"}, {"speaker": "M", "text": "to book it?"}, *SAID[1:]],
        [],
    ],
)
def test_either_transcript_can_be_read_from_the_difference(after):
    def text(without):
        lines = [
            "".join(piece.text for piece in pieces if piece.change != without)
            for pieces in changes(MACHINE_TEXT, after)
        ]
        return "\n".join(filter(None, lines))

    def joined(turns):
        return "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in turns)

    assert text(Change.ADDED) == joined(MACHINE_TEXT)
    assert text(Change.REMOVED) == joined(after)
