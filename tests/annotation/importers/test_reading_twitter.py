"""Conversations out of tweets with reply ids, and out of blocks of lines."""

import pytest

from annotation.domain.corpora.ledger import ImportLedger
from annotation.importers import formats, twitter
from annotation.importers.archive import Member
from annotation.importers.dialogues import Recipe
from annotation.importers.reasons import RowRefused
from tests.corpora import FilesRead

HEADER = "tweet_id,author_id,inbound,created_at,text,response_tweet_id,in_response_to_tweet_id\n"


def tweet(id: int, author: str, text: str, parent: object = "") -> str:
    return f'{id},{author},True,Wed Oct 11 06:{id:02}:44 +0000 2017,"{text}",,{parent}\n'


@pytest.fixture
def read(tmp_path):
    def tweets(*lines, **recipe):
        return FilesRead(twitter, tmp_path, {"tweets.csv": HEADER + "".join(lines)}, **recipe)

    return tweets


@pytest.fixture
def read_blocks(tmp_path):
    def blocks(text, **others):
        return FilesRead(twitter, tmp_path, {"talk.txt": text, **others})

    return blocks


CHAIN = (
    tweet(1, "ann", "My oven door broke. #mondays"),
    tweet(2, "LampShop", "@ann Was it on?", 1),
    tweet(3, "ann", "@LampShop no!", 2),
)


def test_a_chain_of_answers_is_a_dialogue_in_whatever_order_the_file_has_it(read):
    found = read(*reversed(CHAIN))
    assert found.texts == [["A My oven door broke. #mondays", "B @user Was it on?", "A @user no!"]]
    [row] = found.rows
    assert [turn["at"][11:] for turn in row.turns] == ["06:01:44Z", "06:02:44Z", "06:03:44Z"]
    assert (row.id, row.facts) == ("3", {"first_tweet": "1", "last_tweet": "3"})
    assert found.changed == {"user": 2}


def test_tweets_of_one_person_in_a_row_are_one_turn(read):
    found = read(*CHAIN, tweet(4, "ann", "And cold.", 3))
    assert found.texts[0][-1] == "A @user no!\nAnd cold."
    assert (found.ledger.kept, found.ledger.joined) == (3, 1)


def test_each_answerer_has_a_dialogue_of_their_own_and_a_tweet_counts_once(read):
    found = read(*CHAIN, tweet(5, "cleo", "Mine did.", 1), tweet(6, "ann", "When?", 5))
    assert [row.turns[1]["text"] for row in found.rows] == ["@user Was it on?", "Mine did."]
    assert len({row.conversation for row in found.rows}) == 1
    assert (found.ledger.read, found.ledger.kept, found.dropped) == (5, 5, {})


def test_a_dialogue_ends_before_a_third_person(read):
    found = read(*CHAIN, tweet(4, "dan", "Buy a new one.", 3), tweet(5, "ann", "No.", 4))
    assert len(found.texts[0]) == 3
    assert found.dropped == {"third_person": 2}


def test_a_dialogue_has_three_turns_or_more(read):
    assert read(*CHAIN[:2]).dropped == {"under_three_turns": 2}


def test_a_missing_parent_begins_a_conversation_and_is_counted(read):
    found = read(*CHAIN[1:], tweet(4, "LampShop", "Good.", 3))
    assert found.texts == [["A @user Was it on?", "B @user no!", "A Good."]]
    assert found.changed["parent_missing"] == 1


def test_a_cycle_of_replies_is_dropped(read):
    cycle = (tweet(7, "ann", "a", 9), tweet(8, "bo", "b", 7), tweet(9, "ann", "c", 8))
    itself = tweet(6, "ann", "to myself", 6)
    assert read(*CHAIN, *cycle, itself).dropped == {"reply_cycle": 3, "under_three_turns": 1}


def test_newlines_in_quotes_entities_and_ids_with_a_fraction_are_read(read):
    found = read(*CHAIN[:2], tweet(3, "ann", "no!\nQ&amp;A &gt; all", "2.0"))
    assert found.texts[0][-1] == "A no!\nQ&A > all"
    assert found.changed["html_entities"] == 1


def test_reposts_and_empty_tweets_are_dropped(read):
    found = read(*CHAIN, tweet(4, "bo", "RT @ann: My oven"), tweet(5, "bo", "  "))
    assert found.dropped == {"repost": 1, "blank": 1}


def test_an_id_twice_is_refused_the_second_time(read):
    found = read(*CHAIN, CHAIN[0])
    assert [(row.line, row.reason.code) for row in found.refused] == [(5, "id_twice")]


def test_a_kind_can_be_left_as_it_is(read):
    assert read(*CHAIN, leave=["user"]).texts[0][-1] == "A @LampShop no!"


def test_blocks_are_conversations_of_two_who_take_turns(read_blocks):
    found = read_blocks("Is it on?\nYes @bo.\nGood.\nBye.\n\n\n\nHello?\nHi.\n\n\n\nOne.\nTwo.\nThree.")
    assert found.texts == [["A Is it on?", "B Yes @user.", "A Good.", "B Bye."], ["A One.", "B Two.", "A Three."]]
    assert found.ledger.read == 15
    assert found.dropped == {"blank": 6, "under_three_turns": 2}
    assert [row.id for row in found.rows] == ["talk-1", "talk-3"]


def test_a_text_with_paragraphs_beside_the_blocks_is_left_out(read_blocks):
    found = read_blocks("One.\nTwo.\nThree.\n\n\n\nFour.", LICENCE="To all.\n\n\nYou may\n\nread it.\nAnd so on.")
    assert (len(found.rows), found.ledger.read) == (1, 7)
    assert found.ledger.files_not_read == 1


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (HEADER.replace("in_response_to_tweet_id", "parent"), "missing_column"),
        ("when,what\n", "missing_columns"),
    ],
)
def test_a_csv_that_lacks_columns_is_not_taken_for_blocks(header, code, tmp_path):
    path = tmp_path / "tweets.csv"
    path.write_text(header + "".join(CHAIN))
    with pytest.raises(RowRefused) as refused:
        [*twitter.read([Member("tweets.csv", path)], ImportLedger(), Recipe())]
    assert refused.value.reason.code == code
    assert "in_response_to_tweet_id" in refused.value.reason.params["missing"]
    assert header.strip() in refused.value.reason.params["found"]


def test_without_a_format_a_csv_of_tweets_is_told_which_column_it_lacks(tmp_path):
    path = tmp_path / "tweets.csv"
    path.write_text(HEADER.replace("in_response_to_tweet_id", "parent") + "".join(CHAIN))
    with pytest.raises(RowRefused) as refused:
        formats.guessed([Member("tweets.csv", path)])
    assert refused.value.reason.code == "missing_column"
    assert refused.value.reason.params["missing"] == "in_response_to_tweet_id"
