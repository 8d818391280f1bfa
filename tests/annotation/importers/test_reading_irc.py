"""Dialogues out of raw logs: each sentence of the Ubuntu study's extraction on a short log."""

import pytest

from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.irc import extraction
from annotation.importers import irc
from annotation.importers.dialogues import Recipe
from annotation.importers.reasons import RowRefused
from tests.corpora import FilesRead

DAY = "#lamps/2008-07-14.txt"
CHAT = """\
[10:00] <ann> my lamp does not light
[10:01] <bo> ann: is it plugged in?
[10:02] <ann> bo: it is
"""


@pytest.fixture
def read(tmp_path):
    def logs(log, **recipe):
        return FilesRead(irc, tmp_path, {DAY: log}, **recipe)

    return logs


@pytest.fixture
def read_files(tmp_path):
    def logs(files, **recipe):
        return FilesRead(irc, tmp_path, files, **recipe)

    return logs


PLAIN = [["A my lamp does not light", "B is it plugged in?", "A it is"]]


def test_a_question_with_its_answers_is_a_dialogue_of_two(read):
    found = read(CHAT)
    assert found.texts == PLAIN
    [row] = found.rows
    assert row.turns[1] == {
        "speaker": "B",
        "text": "is it plugged in?",
        "at": "2008-07-14T10:01:00Z",
        "to": "A",
    }
    assert (row.facts, row.id) == ({"channel": "#lamps", "line": "2008-07-14.txt:1"}, "#lamps-2008-07-14-1")
    assert (found.ledger.read, found.ledger.kept, found.ledger.joined) == (3, 3, 0)


def test_both_styles_of_logs_give_the_same(read_files):
    irssi = """\
--- Log opened Mon Jul 14 09:59:00 2008
10:00 < ann> my lamp does not light
10:00 -!- cleo [~c@lamp.example] has joined #lamps
10:01 <@bo> ann: is it plugged in?
10:02 < ann> bo: it is
"""
    found = read_files({"#lamps.log": irssi})
    assert found.texts == PLAIN
    assert found.rows[0].turns[0]["at"] == "2008-07-14T10:00:00Z"
    assert found.dropped == {"notice": 2}


def test_a_name_of_an_earlier_day_is_a_recipient_and_one_of_a_later_day_is_not(read_files):
    days = {
        "2008-07-14.txt": "[10:00] <bo> good morning\n",
        "2008-07-15.txt": "[10:00] <ann> bo: are you there?\n[10:01] <ann> cleo: and you?\n",
        "2008-07-16.txt": "[10:00] <cleo> good morning\n",
    }
    assert read_files(days).dropped == {"no_question": 1, "unaddressed": 3}


def test_a_name_is_a_recipient_before_its_user_speaks_on_that_day(read):
    assert read("[10:00] <ann> bo: are you there?\n[10:01] <bo> yes\n").dropped == {"no_question": 1, "unaddressed": 1}


@pytest.mark.parametrize("name", ["the", "stop"])
def test_a_very_common_word_is_no_recipient(read, name):
    found = read(f"[10:00] <{name}> my lamp does not light\n[10:01] <bo> {name} lamp?\n[10:02] <{name}> bo: yes\n")
    assert found.rows == []
    assert found.dropped == {"under_three_turns": 2, "unaddressed": 1}


@pytest.mark.parametrize(("minute", "dialogues"), [("03", 1), ("04", 0)])
def test_the_question_is_at_most_three_minutes_old(read, minute, dialogues):
    log = f"[10:00] <ann> my lamp does not light\n[10:{minute}] <bo> ann: is it on?\n[10:{minute}] <ann> bo: no\n"
    found = read(log)
    assert len(found.rows) == dialogues


def test_the_question_is_the_most_recent_utterance_of_the_recipient(read):
    found = read("[09:59] <ann> hello\n" + CHAT)
    assert found.texts == PLAIN
    assert found.dropped == {"unaddressed": 1}


def crowd(*said: str) -> str:
    return "".join(f"[10:{minute:02}] {line}\n" for minute, line in enumerate(said))


def test_one_user_may_not_say_more_than_four_fifths_of_more_than_five_utterances(read):
    asked, answered = "<ann> my lamp does not light", "<bo> ann: is it plugged in?"
    more = [f"<ann> bo: and {n}" for n in range(4)]
    found = read(crowd(asked, answered, *more))  # five of six are ann's: 83 %
    assert (found.rows, found.dropped) == ([], {"one_sided": 6})
    kept = read(crowd(asked, answered, *more[:3]))  # four of five
    assert len(kept.rows) == 1
    fair = read(crowd(asked, answered, *[f"<ann> bo: and {n}" for n in range(7)], "<bo> ann: so"))  # eight of ten
    assert (len(fair.rows), fair.ledger.kept, fair.ledger.joined) == (1, 4, 6)


def test_a_dialogue_has_three_turns_or_more(read):
    found = read(crowd("<ann> my lamp does not light", "<bo> ann: is it plugged in?", "<bo> ann: or broken?"))
    assert (found.rows, found.dropped) == ([], {"under_three_turns": 3})


def test_what_is_said_to_no_one_is_added_where_the_user_talks_to_no_one_else(read):
    found = read(crowd("<ann> dark", "<bo> ann: plug?", "<ann> it is in", "<bo> hm", "<bo> ann: bulb?", "<ann> bo: ah"))
    assert found.texts == [["A dark", "B plug?", "A it is in", "B hm\nbulb?", "A ah"]]
    assert (found.ledger.kept, found.ledger.joined) == (5, 1)


def test_holes_stay_where_the_user_talks_to_another_one(read):
    said = ["<cleo> hello", "<ann> dark", "<bo> ann: plug?", "<ann> it is in", "<ann> cleo: hi", "<ann> bo: yes"]
    found = read(crowd(*said))
    assert found.texts == [["A dark", "B plug?", "A yes"]]
    assert found.dropped == {"no_question": 1, "unaddressed": 2}


def test_what_is_said_after_the_last_word_to_each_other_is_not_of_the_dialogue(read):
    assert read(CHAT + "[10:03] <ann> thanks all\n").texts == PLAIN


def test_consecutive_utterances_of_one_user_are_one_turn(read):
    found = read(crowd("<ann> dark", "<bo> ann: plug?", "<bo> ann: or bulb?", "<ann> bo: bulb", "<ann> bo: thanks"))
    assert found.texts == [["A dark", "B plug?\nor bulb?", "A bulb\nthanks"]]
    assert (found.ledger.kept, found.ledger.joined) == (3, 2)


def test_each_answerer_of_one_question_has_a_dialogue_of_their_own(read):
    found = read(crowd("<ann> dark", "<bo> ann: plug?", "<cleo> ann: bulb?", "<ann> bo: no", "<ann> cleo: yes"))
    assert sorted(found.texts) == [["A dark", "B bulb?", "A yes"], ["A dark", "B plug?", "A no"]]
    assert len({row.conversation for row in found.rows}) == 1
    assert len({row.split for row in found.rows}) == 1
    assert (found.ledger.read, found.ledger.kept) == (5, 5)  # the question counts once


def test_a_dialogue_may_span_days(read_files):
    days = {
        "2008-07-14.txt": "[23:58] <ann> my lamp does not light\n",
        "2008-07-15.txt": "[00:01] <bo> ann: is it plugged in?\n[09:00] <ann> bo: it is\n",
        "2008-07-16.txt": "[08:00] <bo> ann: and now?\n",
    }
    found = read_files(days)
    assert found.texts == [[*PLAIN[0], "B and now?"]]
    assert [turn["at"][8:16] for turn in found.rows[0].turns] == ["14T23:58", "15T00:01", "15T09:00", "16T08:00"]


def test_midnight_inside_a_file_begins_the_next_day(read):
    found = read("[23:58] <ann> dark\n[00:00] <bo> ann: plug?\n[00:01] <ann> bo: yes\n")
    assert [turn["at"] for turn in found.rows[0].turns] == [
        "2008-07-14T23:58:00Z",
        "2008-07-15T00:00:00Z",
        "2008-07-15T00:01:00Z",
    ]


def test_a_clock_that_runs_back_is_counted_and_loses_no_line(read):
    found = read(CHAT.replace("10:02", "09:40"))
    assert found.texts == PLAIN
    assert found.ledger.changed["clock_ran_back"] == 1


def test_an_hour_that_occurs_twice_is_read_in_the_declared_zone(read_files):
    log = "[01:59] <ann> dark\n[01:01] <bo> ann: plug?\n[01:02] <ann> bo: yes\n"
    found = read_files({"2008-10-26.txt": log}, zone="Europe/London")
    assert [turn["at"][11:16] for turn in found.rows[0].turns] == ["00:59", "01:01", "01:02"]


@pytest.mark.parametrize(("first", "last"), [("00:59", "01:01"), ("12:59", "13:01")])
def test_a_clock_of_twelve_hours_goes_on_from_twelve_to_one(read, first, last):
    found = read(f"[12:59] <ann> dark\n[12:59] <bo> ann: plug?\n[{last}] <ann> bo: yes\n")
    assert [turn["at"][8:16] for turn in found.rows[0].turns] == [f"14T{first}", f"14T{first}", f"14T{last}"]


def test_control_codes_are_taken_out_and_counted(read):
    found = read(CHAT.replace("it is\n", "\x02it\x02 \x0304is\x03\n"))
    assert found.texts == PLAIN
    assert found.ledger.changed["control_codes"] == 1


def test_lines_of_other_encodings_are_read_too(read):
    log = CHAT.encode() + "[10:03] <bo> ann: déjà vu\n".encode("cp1252") + "[10:04] <ann> bo: déjà\n".encode()
    found = read(log)
    assert found.texts[0][-2:] == ["B déjà vu", "A déjà"]
    assert found.ledger.changed["other_encoding"] == 1


def test_joins_parts_and_actions_are_no_utterances(read):
    notices = "=== cleo [~c@d] has joined #lamps\n=== cleo [~c@d] has left #lamps []\n[10:01]  * cleo waves\n"
    found = read(notices + CHAT + "rubbish\n\n")
    assert found.texts == PLAIN
    assert found.dropped == {"notice": 2, "action": 1, "unreadable": 1, "blank": 1}


def test_a_user_who_takes_another_name_is_the_same_person(read):
    log = crowd("<ann> dark", "<bo> ann: plug?") + "=== ann is now known as ann_away\n[10:03] <ann_away> bo: yes\n"
    found = read(log + "[10:04] <bo> ann: good\n[10:05] <bo> ann_away: bye\n")
    assert found.texts == [["A dark", "B plug?", "A yes", "B good\nbye"]]


def test_an_old_name_with_another_user_is_another_person(read):
    log = crowd("<ann> dark", "<bo> ann: plug?") + "=== ann is now known as ann_away\n"
    found = read(log + "[10:03] <ann> bo: hello\n[10:04] <ann_away> bo: yes\n")
    assert found.texts == [["A dark", "B plug?", "A yes"]]


def test_a_bot_that_floods_is_one_sided_and_bounded(read, monkeypatch):
    monkeypatch.setattr(extraction, "MOST_UTTERANCES", 50)
    flood = "".join(f"[10:{n // 10 + 2:02}] <bot> ann: offer {n}\n" for n in range(120))
    found = read("[10:01] <ann> dark\n[10:01] <bot> hello\n" + flood)
    assert found.rows == []
    # The question, the greeting and 48 offers are a dialogue of 50; then the question is older than three minutes.
    assert found.dropped == {"one_sided": 50, "no_question": 72}


def test_two_logs_of_one_day_are_one(read_files):
    later = "[10:02] <ann> bo: it is\n[10:03] <bo> ann: good\n"
    found = read_files({"2008-07-14.txt": CHAT, "2008-07-14.second.txt": later})
    assert found.texts == [[*PLAIN[0], "B good"]]
    assert found.dropped == {"in_two_logs": 1}


def test_the_same_words_twice_in_one_log_are_two_utterances(read):
    found = read(CHAT + "[10:02] <ann> bo: it is\n")
    assert (found.ledger.joined, found.dropped) == (1, {})


def test_names_and_addresses_become_tags_and_a_kind_can_be_left_alone(read):
    log = CHAT.replace("it is\n", "it is, bo; mail a@b.example or see /etc/lamps/one\n")
    found = read(log)
    assert found.texts[0][-1] == "A it is, @user; mail [email] or see [path]"
    assert found.changed == {"user": 1, "email": 1, "path": 1}
    left = read(log, leave=["path", "user"])
    assert left.texts[0][-1] == "A it is, bo; mail [email] or see /etc/lamps/one"


def test_logs_of_two_channels_do_not_mix(read_files):
    found = read_files({"#lamps/2008-07-14.txt": CHAT[:40], "#cords/2008-07-14.txt": CHAT[40:]})
    assert found.rows == []


def test_a_log_without_a_day_has_no_times(read_files):
    found = read_files({"chat.txt": CHAT})
    assert found.texts == PLAIN
    assert found.rows[0].turns[0] == {"speaker": "A", "text": "my lamp does not light"}


def test_the_test_set_is_drawn_by_the_seed_at_two_in_a_hundred(read):
    several = "".join(
        f"[10:00] <a{n}x> dark {n}\n[10:00] <b{n}x> a{n}x: plug?\n[10:00] <a{n}x> b{n}x: yes\n" for n in range(1000)
    )
    splits = [[row.split for row in read(several, seed=seed).rows] for seed in (1, 1, 2)]
    assert splits[0] == splits[1] != splits[2]
    assert 6 <= splits[0].count("test") <= 34  # within three standard deviations of 20


def test_a_folder_without_logs_is_refused():
    with pytest.raises(RowRefused) as refused:
        list(irc.read([], ImportLedger(), Recipe()))
    assert refused.value.reason.code == "no_logs"
