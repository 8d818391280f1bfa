"""Names, addresses and the like become tags; what only looks like one stays."""

from collections import Counter

import pytest

from annotation.domain.corpora.replacements import KINDS, replaced, without_entities


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("mail a.pell@harbour.example, please", "email", "mail [email], please"),
        ("see http://paste.example/61204.", "url", "see [url]."),
        ("see www.lamps.example now", "url", "see [url] now"),
        ("photo: t.example.co/x81", "url", "photo: [url]"),
        ("it is in /etc/pm/power.d/ now", "path", "it is in [path] now"),
        ("look at ~/.bashrc", "path", "look at [path]"),
        (r"in C:\Users\ann", "path", "in [path]"),
        ("ssh to 192.0.2.17 fails", "ip", "ssh to [ip] fails"),
        ("I live at 12 Old Harbour Road.", "address", "I live at [address]"),
        ("call 555 0147", "phone", "call [phone]"),
        ("call +44 20 7946 0958 now", "phone", "call [phone] now"),
        ("call (020) 7946 0958", "phone", "call [phone]"),
        ("@pt_wren no! #cold", "user", "@user no! #cold"),
        ("ask Dr. Tessa Wren about it", "name", "ask Dr. [name] about it"),
        ("my name is Tessa", "name", "my name is [name]"),
    ],
)
def test_each_kind_becomes_its_tag_and_is_counted(text, kind, expected):
    changed = Counter()
    assert replaced(text, changed) == expected
    assert +changed == {kind: 1}
    assert replaced(text, Counter(), leave=KINDS) == text


@pytest.mark.parametrize(
    "text",
    [
        "and/or 1/2 w/o",
        "#mondays at 10:30 on 2008-07-14",
        "kernel 2.6.32-21-generic of 12.04",
        "@user says hello",
        "type /msg bot hello",
        "Mr and Mrs, is it?",
        "room 1204, 15 people",
        "e.g. this. And that",
    ],
)
def test_what_only_looks_like_one_stays(text):
    changed = Counter()
    assert replaced(text, changed) == text
    assert not +changed


def test_a_text_with_tags_stays_as_it_is():
    text = replaced("mail a@b.example or @ann at http://b.example/c", Counter())
    assert replaced(text, Counter()) == text


def test_entities_become_characters():
    changed = Counter()
    assert without_entities("Q&amp;A &gt; me &amp; you", changed) == "Q&A > me & you"
    assert without_entities("salt & pepper", changed) == "salt & pepper"
    assert changed == {"html_entities": 1}
