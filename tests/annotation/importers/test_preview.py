import io

from annotation.importers.preview import preview


def test_a_preview_shows_what_was_guessed_and_five_rows():
    content = "Prompt;Response;note\n" + "".join(f"问{n};答{n};\n" for n in range(9))
    seen = preview(io.BytesIO(content.encode("gb18030")), file_name="forum.csv")
    assert (seen.layout.format, seen.layout.encoding.codec, seen.layout.delimiter) == ("csv", "gb18030", ";")
    assert seen.layout.header == ("Prompt", "Response", "note")
    assert [row.prompt for row in seen.rows] == ["问0", "问1", "问2", "问3", "问4"]
    assert seen.refusal is None


def test_a_plain_tsv_has_no_header():
    seen = preview(io.BytesIO(b"a\tb\nalone\n"))
    assert seen.layout.header is None
    assert [row.line for row in seen.rows] == [1, 2]


def test_a_preview_says_why_a_file_cannot_be_read():
    seen = preview(io.BytesIO(b"%PDF-1.7"), file_name="forum.pdf")
    assert str(seen.refusal).startswith("This is a PDF file")
    assert seen.layout is None and seen.rows == ()
