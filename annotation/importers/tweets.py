"""Tweets as csv, each with its id and that of the tweet it answers."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from tempfile import TemporaryFile

from annotation.domain.corpora.dialogue import LoggedTurn, Turn
from annotation.domain.corpora.ledger import FEWEST_TURNS, JOINED, KEPT, SHORT, ImportLedger
from annotation.domain.corpora.replacements import without_entities
from annotation.domain.corpora.threads import Post, chains_from, first_posts, with_answers
from annotation.importers.archive import Member
from annotation.importers.dialogues import DialogueRow, Recipe, is_too_long, turns_of, with_tags
from annotation.importers.kept_texts import KeptTexts
from annotation.importers.reasons import RefusalReason
from annotation.importers.records import Record, name_cell, text_cell
from annotation.importers.rows import BadRow
from annotation.importers.tables import table_rows
from core.domain.text import digest, normalise, timestamp

COLUMNS = {
    "id": ("tweet_id", "id_str", "id"),
    "author": ("author_id", "user_id", "screen_name", "user", "author"),
    "text": ("text", "full_text", "tweet"),
    "parent": ("in_response_to_tweet_id", "in_reply_to_status_id_str", "in_reply_to_status_id", "in_reply_to_id"),
    "at": ("created_at", "date"),
}
REQUIRED = ("id", "author", "text", "parent")
LONGEST_NAME = 100  # characters
TWITTER_TIME = "%a %b %d %H:%M:%S %z %Y"  # Wed Oct 11 06:55:44 +0000 2017
ASKER, ANSWERER = "A", "B"
BLANK, REPOST, TOO_LONG, THIRD_PERSON, CYCLE = "blank", "repost", "too_long", "third_person", "reply_cycle"
FATES = (KEPT, JOINED, TOO_LONG, SHORT, THIRD_PERSON, CYCLE)  # the best first
NO_PARENT = "parent_missing"  # counted with what is changed: the tweet begins a conversation


def read(files: Sequence[Member], ledger: ImportLedger, recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield a dialogue for each chain of answers of two people, in the order of the tweets that begin them."""
    with TemporaryFile() as file:
        texts = KeptTexts(file)
        posts: dict[str, Post] = {}
        for member in files:
            yield from _refused(member, posts, texts, ledger)
        beyond: list[Post] = []
        for first in first_posts(posts):
            ledger.changed[NO_PARENT] += bool(first.parent)
            for chain in chains_from(first, beyond):
                if row := _row(chain, texts, ledger, recipe):
                    yield row
        for post in with_answers(beyond):
            post.fate = ledger.move(post.fate, THIRD_PERSON, FATES)
        for post in posts.values():
            if not post.fate:
                ledger.count(CYCLE)


def _refused(member: Member, posts: dict[str, Post], texts: KeptTexts, ledger: ImportLedger) -> Iterator[BadRow]:
    """Read the tweets of a file, and yield the rows that cannot be taken."""

    def made(record: Record) -> tuple[int, Post, str]:
        text = normalise(without_entities(text_cell(record, "text"), ledger.changed))
        id, author, parent = (name_cell(record, name, LONGEST_NAME) for name in ("id", "author", "parent"))
        at = _moment(name_cell(record, "at", LONGEST_NAME))
        return record.line, Post(_whole(id), author, _whole(parent), at, 0), text

    for row in table_rows(member, COLUMNS, REQUIRED, made):
        ledger.has_read()
        if isinstance(row, BadRow):
            yield row
            continue
        line, post, text = row
        if not text or not post.id:
            ledger.dropped[BLANK] += 1
        elif text.startswith("RT @"):
            ledger.dropped[REPOST] += 1
        elif post.id in posts:
            yield BadRow(member.name, line, RefusalReason("id_twice", {"id": post.id}))
        else:
            post.place = texts.keep(text)
            posts[post.id] = post


def _row(chain: list[Post], texts: KeptTexts, ledger: ImportLedger, recipe: Recipe) -> DialogueRow | None:
    """Return the dialogue of a chain; None where a rule drops it. Counts its tweets."""
    first, last = chain[0], chain[-1]
    turns = turns_of((ASKER if post.author == first.author else ANSWERER, texts.at(post.place)) for post in chain)
    dropped = SHORT if len(turns) < FEWEST_TURNS else TOO_LONG if is_too_long(turns) else ""
    begins = [next(posts) for _author, posts in groupby(chain, key=attrgetter("author"))]
    for post in chain:
        post.fate = ledger.move(post.fate, dropped or JOINED, FATES)
    if dropped:
        return None
    for post in begins:
        post.fate = ledger.move(post.fate, KEPT, FATES)
    logged = [_turn(turn, post, ledger, recipe) for turn, post in zip(turns, begins, strict=True)]
    facts = {"first_tweet": first.id, "last_tweet": last.id}
    return DialogueRow(last.id, "", logged, conversation=digest("tweet", first.id), facts=facts)


def _turn(turn: Turn, begins: Post, ledger: ImportLedger, recipe: Recipe) -> LoggedTurn:
    text = with_tags(turn["text"], ledger, recipe)
    logged = LoggedTurn(speaker=turn["speaker"], text=text)
    if begins.at:
        logged["at"] = begins.at
    return logged


def _whole(id: str) -> str:
    """Return an id as written where a table kept it as a number with a fraction: 119238.0."""
    return id.removesuffix(".0")


def _moment(written: str) -> str:
    """Return a time in UTC; empty where it cannot be read or names no zone."""
    for read_as in (datetime.fromisoformat, lambda text: datetime.strptime(text, TWITTER_TIME)):
        try:
            moment = read_as(written)
        except ValueError:
            continue
        if moment.utcoffset() is not None:
            return timestamp(moment.astimezone(UTC))
    return ""
