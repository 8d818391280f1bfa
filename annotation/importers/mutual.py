"""MuTual's folders: one JSON file an instance, {"answers", "options", "article", "id"}, in train, dev and test."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from annotation.domain.corpora.articles import LETTERS, record_of, turns_of
from annotation.domain.corpora.ledger import ImportLedger
from annotation.domain.releases.splitting import Split
from annotation.importers.archive import Member
from annotation.importers.dialogues import (
    LONGEST_TEXT,
    MOST_TURNS,
    DialogueRow,
    Recipe,
    checked_candidates,
    checked_id,
    first_lines,
    text,
)
from annotation.importers.jsonl import json_object
from annotation.importers.reasons import RefusalReason, RowRefused
from annotation.importers.records import within
from annotation.importers.rows import BadRow, excerpt

RULES: Mapping[str, Any] = {}
HEEDS: Sequence[str] = ()
SUFFIXES = {".txt", ".json"}
LARGEST_FILE = 1 << 20
SPLITS = [*map(str, Split), ""]


class InstanceFile(NamedTuple):
    """The file of an instance, with the keys for sorting: the order does not depend on the archive's."""

    is_variant: bool
    split: int
    key: tuple[tuple[int, int, str], ...]
    member: Member


def total(files: Sequence[Member]) -> int:
    """Return the number of instances, for progress."""
    return len(instance_files(files))


def fits(files: Sequence[Member]) -> bool:
    """Tell whether the first file to read is an object with an article."""
    first = [instance_file.member for instance_file in instance_files(files)[:1]]
    return any('"article"' in line and line.lstrip().startswith("{") for line in first_lines(first, 1))


def read(files: Sequence[Member], ledger: ImportLedger, _recipe: Recipe) -> Iterator[DialogueRow | BadRow]:
    """Yield the instances by variant, split and id. Raises RowRefused where there are none."""
    found = instance_files(files)
    if not found:
        raise RowRefused("no_instances")
    for _is_variant, variant in groupby(found, key=lambda instance_file: instance_file.is_variant):
        seen: set[str] = set()
        for instance_file in variant:
            row = _row(instance_file)
            ledger.has_read()
            if isinstance(row, DialogueRow) and row.id in seen:
                yield BadRow(instance_file.member.name, None, RefusalReason("id_twice", {"id": row.id}))
                continue
            if isinstance(row, DialogueRow):
                seen.add(row.id)
                ledger.kept += 1
            yield row


def has_variant(files: Sequence[Member]) -> bool:
    """Tell whether the files are of two variants."""
    return any(instance_file.is_variant for instance_file in instance_files(files))


def instance_files(files: Sequence[Member]) -> list[InstanceFile]:
    """Return the files with instances, sorted.

    Where some are in folders called train, dev or test, only these are used; lists of predictions or notes beside them
    are not. Hidden files are never used.
    """
    meant = [member for member in files if _is_meant(PurePosixPath(member.name))]
    in_folders = [(member, *_folder(member.name)) for member in meant]
    if any(split for _member, split, _variant in in_folders):
        in_folders = [found for found in in_folders if found[1]]
    else:
        in_folders = [(member, _prefix(member.name), "") for member in meant]
    variants = {variant for _member, _split, variant in in_folders}
    are_two = len({variant.endswith("plus") for variant in variants}) == 2
    return sorted(
        InstanceFile(are_two and variant.endswith("plus"), SPLITS.index(split), _natural(member.name), member)
        for member, split, variant in in_folders
    )


def _is_meant(path: PurePosixPath) -> bool:
    is_hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return not is_hidden and path.suffix.lower() in SUFFIXES


def _folder(name: str) -> tuple[str, str]:
    """Return the split whose folder a file is in, and the folder above that, which names the variant."""
    folders = PurePosixPath(name).parts[:-1]
    instance_file = next(
        (instance_file for instance_file in reversed(range(len(folders))) if folders[instance_file] in SPLITS), None
    )
    if instance_file is None:
        return "", ""
    return folders[instance_file], folders[instance_file - 1].casefold() if instance_file else ""


def _prefix(name: str) -> str:
    prefix = PurePosixPath(name).stem.partition("_")[0]
    return prefix if prefix in SPLITS else ""


def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Return a sorting key that puts train_9 before train_10."""
    parts = re.findall(r"[0-9]+|[^0-9]+", PurePosixPath(name).stem)
    return tuple((0, int(part), part) if part.isdecimal() else (1, 0, part) for part in parts)


def _row(instance_file: InstanceFile) -> DialogueRow | BadRow:
    name, path = instance_file.member
    if path.stat().st_size > LARGEST_FILE:
        return BadRow(name, None, RefusalReason("instance_too_large", {"limit": LARGEST_FILE >> 10}))
    raw = path.read_bytes()
    try:
        written = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return BadRow(name, None, RefusalReason("undecodable", {"encoding": "UTF-8"}))
    try:
        return instance(json_object(written), instance_file)
    except RowRefused as refused:
        return BadRow(name, None, refused.reason, excerpt(written))


def instance(record: dict[str, Any], instance_file: InstanceFile) -> DialogueRow:
    """Return one file's instance. Raises RowRefused."""
    turns = turns_of(_article(record))
    if not turns:
        raise RowRefused("no_context")
    if len(turns) > MOST_TURNS:
        raise RowRefused("turns_count", limit=MOST_TURNS)
    for turn in turns:
        within(turn["text"], "article", LONGEST_TEXT)
    candidates = checked_candidates(record.get("options"))
    row = DialogueRow(
        id=checked_id(record.get("id"), PurePosixPath(instance_file.member.name).stem),
        split=SPLITS[instance_file.split],
        turns=turns,
        candidates=candidates,
        answer=_answer(record.get("answers"), len(candidates)),
        is_variant=instance_file.is_variant,
    )
    gives_back = record_of(row.id, row.turns, row.candidates or [], row.answer) == record
    return row if gives_back else row._replace(as_written=json.dumps(record))


def _article(record: dict[str, Any]) -> str:
    article = record.get("article")
    text(article, "article", MOST_TURNS * LONGEST_TEXT)
    return str(article)


def _answer(letter: object, candidates: int) -> int | None:
    """Return the number of the right option, from 0; None where the answer is blank: not known."""
    if letter is None or (isinstance(letter, str) and not letter.strip()):
        return None
    allowed = [*LETTERS[:candidates]]
    if not isinstance(letter, str) or letter.strip() not in allowed:
        raise RowRefused("answer_no_option", answer=excerpt(str(letter)), first="A", last=allowed[-1])
    return allowed.index(letter.strip())
