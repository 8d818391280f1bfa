"""What is exported and imported again is the same corpus, whatever its texts are and wherever it came from."""

import csv
import json
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.actions.corpora.spooled import COLUMNS, SpooledCorpus
from annotation.domain.corpora.ledger import ImportLedger
from annotation.exporters.corpora import CORPUS_EXPORTERS
from annotation.exporters.dialogues import NoInstance
from annotation.importers.archive import Member
from annotation.importers.dialogues import DialogueRow, Recipe
from annotation.importers.formats import READERS
from annotation.models import Corpus, Dialogue

JSON = ("turns", "candidates", "facts")


class KeptCorpus:
    """A corpus as an import keeps it, without a database: its dialogues and its checksum."""

    def __init__(self, format: str, files: dict[str, bytes]) -> None:
        self.dialogues: list[Dialogue] = []
        with TemporaryDirectory() as folder, TemporaryFile() as spool:
            members = []
            for number, (name, content) in enumerate(files.items()):
                path = Path(folder) / str(number)
                path.write_bytes(content)
                members.append(Member(name, path))
            spooled, ledger = SpooledCorpus(spool), ImportLedger()
            for row in READERS[format].read(members, ledger, Recipe()):
                assert isinstance(row, DialogueRow), row
                spooled.add(row)
            assert ledger.adds_up
            self.checksum = spooled.checksum.hexdigest()
            for values in spooled.values(Corpus()):
                named = dict(zip(COLUMNS, values, strict=True))
                del named["corpus"]
                named |= {key: json.loads(named[key]) for key in JSON if named[key] is not None}
                self.dialogues.append(Dialogue(**named))

    def exported(self, format: str) -> dict[str, bytes]:
        with TemporaryDirectory() as folder:
            root = Path(folder) / "out"
            CORPUS_EXPORTERS[format](self.dialogues, root)
            return {
                path.relative_to(root.parent).as_posix(): path.read_bytes()
                for path in root.rglob("*")
                if path.is_file()
            }


PIECES = [
    "lamp",
    "on",
    "字",
    "\u0301",
    "\t",
    " ",
    "\u3000",
    "\u200b",
    ":",
    ",",
    '"',
    "@bo",
    "a@b.example",
    "~/x",
    "__eou__",
]
LINES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join)
TEXTS = st.lists(LINES, min_size=1, max_size=3).map("\n".join)
THREE_LINES = st.lists(LINES, min_size=3, max_size=3)
THREE_TEXTS = st.lists(TEXTS, min_size=3, max_size=3)


def csv_of(*rows: list[str]) -> bytes:
    file = StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue().encode()


def log(said: list[str]) -> dict[str, bytes]:
    asked, answered, thanked = said
    lines = (
        f"[10:00] <ann> on {asked}\n[10:01] <bo> ann: {answered}\n[10:02] <ann> bo {thanked}\n[10:03] <bo> ann: ok\n"
    )
    return {"#la\u0301mps/2008-07-14.txt": lines.encode()}


def tweets(said: list[str]) -> dict[str, bytes]:
    rows = [[str(n), "ab"[n % 2], f"x {text}" if n else text, str(n - 1 or "")] for n, text in enumerate(said, start=1)]
    return {"tweets.csv": csv_of(["tweet_id", "author_id", "text", "in_response_to_tweet_id"], *rows)}


def blocks(said: list[str]) -> dict[str, bytes]:
    return {"e\u0301.txt": ("\n".join(f"x{text}" for text in said) + "\n\n\n").encode()}


def script(said: list[str]) -> dict[str, bytes]:
    rows = [[f"x{text}", "ab"[n % 2], "1"] for n, text in enumerate(said)]
    return {"e\u0301.csv": csv_of(["utterance", "speaker", "dialogue_id"], *rows)}


def triples(said: list[str]) -> dict[str, bytes]:
    context = "".join(f"x{text} __eou__ __eot__ " for text in said[:2])
    return {"train.csv": csv_of(["Context", "Utterance", "Label"], [context, f"{said[2]}x", "1"])}


def plain(said: list[str]) -> dict[str, bytes]:
    record = {"turns": [f"x{text}" for text in said], "facts": {"x ": said[0]}, "conversation": said[1]}
    return {"la\u0301mps.jsonl": json.dumps(record).encode()}


def instances(said: list[str]) -> dict[str, bytes]:
    article = " ".join(f"{'mf'[n % 2]} : x{text}" for n, text in enumerate(said))
    record = {"answers": "B", "options": [f"x{said[0]}", f"x{said[1]}y"], "article": article, "id": f" x{said[2]}"}
    return {"set/dev/dev_1.txt": json.dumps(record).encode()}


SOURCES = {
    "irc": (log, THREE_LINES),
    "twitter": (tweets, THREE_TEXTS),
    "twitter in blocks": (blocks, THREE_LINES),
    "subtitles": (script, THREE_TEXTS),
    "ubuntu-csv": (triples, THREE_TEXTS),
    "jsonl": (plain, THREE_TEXTS),
    "mutual": (instances, THREE_LINES),
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_corpus_of_any_source_has_the_same_checksum_after_jsonl(source):
    files, said = SOURCES[source]

    @given(said)
    @settings(max_examples=60, deadline=None)
    def holds(texts):
        kept = KeptCorpus(source.partition(" ")[0], files(texts))
        assert KeptCorpus("jsonl", kept.exported("jsonl")).checksum == kept.checksum

    holds()


DIALOGUES = st.lists(
    st.fixed_dictionaries(
        {
            "split": st.sampled_from(["train", "dev", "test", ""]),
            "turns": st.lists(TEXTS.map("x{}".format), min_size=1, max_size=5),
            "conversation": st.sampled_from(["", "c1", "c2"]),
        },
        optional={
            "name": TEXTS,
            "candidates": st.lists(LINES.map("x{}".format), min_size=2, max_size=4),
            "answer": st.integers(0, 1),
        },
    ),
    min_size=1,
    max_size=8,
)


def records(rows: list[dict]) -> dict[str, bytes]:
    for number, row in enumerate(rows):
        row["id"] = f"{row.pop('name', '')}{number}"
        if "candidates" not in row:
            row.pop("answer", None)
    return {"talk.jsonl": "".join(f"{json.dumps(row)}\n" for row in rows).encode()}


@given(DIALOGUES)
@settings(max_examples=100, deadline=None)
def test_dialogues_of_splits_in_any_order_have_the_same_checksum_after_jsonl(rows):
    kept = KeptCorpus("jsonl", records(rows))
    assert KeptCorpus("jsonl", kept.exported("jsonl")).checksum == kept.checksum


@given(DIALOGUES)
@settings(max_examples=100, deadline=None)
def test_ubuntu_csv_read_again_is_written_byte_by_byte_as_before(rows):
    kept = KeptCorpus("jsonl", records(rows))
    try:
        first = kept.exported("ubuntu-csv")
    except NoInstance:  # one turn alone, or an answer that is not known
        return
    again = KeptCorpus("ubuntu-csv", first)
    assert again.exported("ubuntu-csv") == first
    assert {each.external_id: each.conversation for each in again.dialogues} == {
        each.external_id: each.conversation for each in kept.dialogues
    }
    assert {each.external_id for each in again.dialogues if each.candidates} == {
        each.external_id for each in kept.dialogues if each.candidates
    }


@given(THREE_LINES)
@settings(max_examples=60, deadline=None)
def test_mutual_read_again_has_the_same_checksum(said):
    kept = KeptCorpus("mutual", instances(said))
    assert KeptCorpus("mutual", kept.exported("mutual")).checksum == kept.checksum


def test_a_dialogue_of_a_thousand_lines_comes_back():
    lines = "".join(f"[10:{n // 60 % 60:02}] <{'ab'[n % 2]}nn> {'ba'[n % 2]}nn: {'so ' * 30}\n" for n in range(1_200))
    kept = KeptCorpus("irc", {"2008-07-14.txt": lines.encode()})
    assert len(kept.dialogues[0].turns) > 1_000
    assert KeptCorpus("jsonl", kept.exported("jsonl")).checksum == kept.checksum


def test_a_turn_that_grows_by_its_tags_comes_back():
    long = "~/ " * 1_300
    lines = "[10:00] <ann> on\n" + f"[10:01] <bo> ann: {long}\n" * 5 + "[10:02] <ann> bo: ok\n"
    kept = KeptCorpus("irc", {"2008-07-14.txt": lines.encode()})
    assert len(kept.dialogues[0].turns[1]["text"]) > 20_000
    assert KeptCorpus("jsonl", kept.exported("jsonl")).checksum == kept.checksum


def test_a_context_of_many_characters_comes_back_as_csv():
    turns = [f'{n}, "so": ' + "word " * 3_000 for n in range(12)]
    kept = KeptCorpus("jsonl", records([{"split": "test", "turns": turns}]))
    first = kept.exported("ubuntu-csv")
    assert max(map(len, first["out/test.csv"].splitlines())) > 131_072
    assert KeptCorpus("ubuntu-csv", first).exported("ubuntu-csv") == first
