"""Names, addresses and the like become tags; what only looks like one stays."""

from collections import Counter

import pytest

from annotation.domain.corpora.ledger import ImportLedger, Replacement, ReplacementExamples
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
        ("it is 10.0.0.1.", "ip", "it is [ip]."),
        ("set 192.0.2.1/24 there", "ip", "set [ip]/24 there"),
        ("ping 4.3.2.1 works", "ip", "ping [ip] works"),
        ("use 8.8.4.4 for names", "ip", "use [ip] for names"),
        ("1.1.1.1 is slow", "ip", "[ip] is slow"),
        ("on 5.6.7.8:6667 now", "ip", "on [ip]:6667 now"),
        ("I live at 12 Old Harbour Road.", "address", "I live at [address]"),
        ("call 555 0147", "phone", "call [phone]"),
        ("call +44 20 7946 0958 now", "phone", "call [phone] now"),
        ("call (020) 7946 0958", "phone", "call [phone]"),
        ("call +44 (0)20 7946 0958", "phone", "call [phone]"),
        ("at +15551234567.", "phone", "at [phone]."),
        ("call 1-555-123-4567", "phone", "call [phone]"),
        ("555.123.4567 or mail", "phone", "[phone] or mail"),
        ("it is (555) 123-4567", "phone", "it is [phone]"),
        ("my number: 555 123 4567", "phone", "my number: [phone]"),
        ("01234 567890 after six", "phone", "[phone] after six"),
        ("0171-555-0147", "phone", "[phone]"),
        ("我的电话是13800138000，有事打给我", "phone", "我的电话是[phone]，有事打给我"),
        ("138 0013 8000", "phone", "[phone]"),
        ("@pt_wren no! #cold", "user", "@user no! #cold"),
        ("ask Dr. Tessa Wren about it", "name", "ask Dr. [name] about it"),
        ("my name is Tessa", "name", "my name is [name]"),
    ],
)
def test_each_kind_becomes_its_tag_and_is_counted(text, kind, expected):
    ledger = ImportLedger()
    assert replaced(text, ledger) == expected
    assert ledger.changed == {kind: 1}
    assert replaced(text, ImportLedger(), leave=KINDS) == text


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
        "kernel 2.6.8.1-3-686 or release 2.6.8.1",
        "linux-2.6.31.20 and nvidia-10.12.13.14",
        "flash 10.0.12.36ubuntu1 and 10.0.12.36-1",
        "version 10.0.12.36",
        "firefox 3.5.0.9, 1.2.3.4",
        "of 300.1.2.3 and 10.01.02.03 and 10.1.2.3.4",
        "try cvt 1280 1024",
        "try 640 480 1024 768",
        "Jun 05 12:06:46 lamp kernel",
        "2008 07 14 10:02",
        "port 6881 6999",
        'Modeline "1280x1024" 109.00 1280 1368 1496 1712 1024 1027 1034 1063',
        "Modeline 31.50 640 656 720 840 480 481 484 500",
        "driver 173-14-12 or 96 43 20",
        "[ 1234.567890] usb 1-1",
        "0000 0010 0020",
        "555-123-4567: no such file",
        "serial 555-123-4567-89",
        "+3 and +12345",
        "(1024) 768 (2008) 12 30",
    ],
)
def test_what_only_looks_like_one_stays(text):
    ledger = ImportLedger()
    assert replaced(text, ledger) == text
    assert not ledger.changed


def test_both_ends_of_a_range_of_addresses_become_tags():
    assert replaced("10.0.0.1-10.0.0.9", ImportLedger()) == "[ip]-[ip]"


def test_a_text_with_tags_stays_as_it_is():
    text = replaced("mail a@b.example or @ann at http://b.example/c", ImportLedger())
    assert replaced(text, ImportLedger()) == text


def test_an_example_shows_the_first_place_of_a_kind_with_the_text_around_it():
    ledger = ImportLedger(examples=ReplacementExamples(seed=0))
    replaced("mail a@b.example or c@d.example to Dr. Wren", ledger)
    kept = {kind: sample.kept for kind, sample in ledger.examples.by_kind.items()}
    assert kept == {
        "email": [Replacement("mail ", "a@b.example", "[email]", " or c@d.example to Dr. Wren")],
        "name": [Replacement("mail [email] or [email] to ", "Dr. Wren", "Dr. [name]", "")],
    }
    assert ledger.changed == {"email": 2, "name": 1}


def test_of_many_places_at_most_twenty_are_kept_and_the_same_seed_keeps_the_same():
    def kept(seed):
        ledger = ImportLedger(examples=ReplacementExamples(seed))
        for number in range(500):
            replaced(f"mail a{number}@b.example", ledger)
        return ledger.examples.by_kind["email"].kept

    assert len(kept(0)) == len(set(kept(0))) == 20
    assert kept(0) == kept(0) != kept(1)


def test_entities_become_characters():
    changed = Counter()
    assert without_entities("Q&amp;A &gt; me &amp; you", changed) == "Q&A > me & you"
    assert without_entities("salt & pepper", changed) == "salt & pepper"
    assert changed == {"html_entities": 1}
