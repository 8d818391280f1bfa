"""Every rule that an import counts has words on the page of the corpus."""

from annotation.actions.corpora.edits import PRUNED
from annotation.domain.corpora.edits import CLEARED, EDITED
from annotation.domain.corpora.ledger import JOINED, KEPT, REFUSED
from annotation.domain.corpora.replacements import HTML_ENTITIES, KINDS
from annotation.domain.irc import extraction, lines
from annotation.importers import irc, labelled_responses, subtitles, tweets, ubuntu_csv
from annotation.models import Corpus
from annotation.presenters.corpora import ledger as corpora


def test_every_rule_that_is_counted_has_words():
    dropped = {
        *extraction.FATES,
        *tweets.FATES,
        irc.TOO_LONG,
        irc.IN_TWO_LOGS,
        irc.UNKNOWN_ENCODING,
        subtitles.BLANK,
        tweets.REPOST,
        labelled_responses.NOT_ONE_RIGHT,
        labelled_responses.REFUSED_CONTEXT,
        REFUSED,
    }
    dropped |= {lines.BLANK, lines.ACTION_LINE, lines.NOTICE_LINE, lines.UNREADABLE, ubuntu_csv.FALSE_RESPONSE, PRUNED}
    assert dropped - {KEPT, JOINED} == set(corpora.DROPPED)
    changed = {*KINDS, HTML_ENTITIES, irc.CONTROL_CODES, irc.OTHER_ENCODING, irc.CLOCK_RAN_BACK, tweets.NO_PARENT}
    changed |= {EDITED, CLEARED}
    assert changed == set(corpora.CHANGED)


def test_the_largest_count_comes_first():
    ledger = {"read": 9, "kept": 3, "joined": 1, "dropped": {"blank": 1, "notice": 4}, "changed": {}}
    table = corpora.ledger_of(Corpus(ledger=ledger))
    assert [row.number for row in table.dropped] == [4, 1]
    assert table.all_dropped == 5


def test_a_corpus_of_an_earlier_version_has_no_ledger():
    assert corpora.ledger_of(Corpus()) is None
