"""How far extraction finds the replies that people marked in logs, beside two naive rules.

python -m benchmarks.reply_links PATH [RESAMPLES]    2000 resamples unless given

PATH is a folder or archive of logs NAME.raw.txt (or another log) with NAME.annotation.txt beside it: a line ``12 15 -``
says that line 15, from 0, answers or continues line 12; ``15 15 -`` that it answers none. Only lines named there as the
later one are judged. Precision, recall and F1 over all days, with 95 % intervals by resampling days, and the difference
in F1 between extraction and each naive rule. A line that stands in several dialogues replies to the latest of its
antecedents.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from annotation.domain.corpora.ledger import ImportLedger  # noqa: E402
from annotation.domain.irc.lines import LogMessage, parsed, without_controls  # noqa: E402
from annotation.domain.irc.recipients import SeenNames, key_of  # noqa: E402
from annotation.importers import archive, irc  # noqa: E402
from annotation.importers.dialogues import Recipe  # noqa: E402
from annotation.importers.irc_files import LogFile, log_files  # noqa: E402

Link = tuple[int, int]  # the earlier and the later line
OURS, BEFORE, ADDRESSEE = "extraction", "line before", "addressee's last"
SEED = 0


def main(path: str, resamples: str = "2000") -> None:
    days = []
    with archive.unpacked(Path(path)) as files:
        by_name = {member.name: member for member in files}
        for log in log_files(files):
            name = log.member.name.removesuffix(".txt").removesuffix(".raw") + ".annotation.txt"
            if name in by_name:
                days.append(counts(log, by_name[name].path))
    if not days:
        sys.exit("There is no log with an annotation beside it.")
    table(np.array(days, float), int(resamples))


def counts(log: LogFile, annotation: Path) -> list[list[int]]:
    """Return for each rule the links that are right, found, and marked on one day."""
    marked = [sorted(map(int, line.split()[:2])) for line in annotation.read_text().splitlines()]
    judged, gold = {later for _earlier, later in marked}, {(a, b) for a, b in marked if a != b}
    found = [latest(links) for links in (extracted(log), *naive(log))]
    kept = [{link for link in links if link[1] in judged} for links in found]
    return [[len(links & gold), len(links), len(gold)] for links in kept]


def extracted(log: LogFile) -> Iterator[Link]:
    for dialogue in irc.extracted([log], SeenNames(), ImportLedger(), Recipe()):
        for reply, before in dialogue.replies:
            yield _number(before.line), _number(reply.line)


def naive(log: LogFile) -> tuple[list[Link], list[Link]]:
    """Return the links of two rules: to the line before, and to the last line of the addressee."""
    text = log.member.path.read_text("utf-8", "replace")
    entries = [parsed(without_controls(line)) for line in text.split("\n")]
    messages = [(number, entry) for number, entry in enumerate(entries) if isinstance(entry, LogMessage)]
    names = SeenNames()
    for _place, message in messages:
        names.see(message.sender)
    before: list[Link] = []
    addressee: list[Link] = []
    last: dict[str, int] = {}
    for place, (number, message) in enumerate(messages):
        if place:
            before.append((messages[place - 1][0], number))
        recipient, _text = names.recipient_of(message.text, message.sender)
        if recipient in last:
            addressee.append((last[recipient], number))
        last[key_of(message.sender)] = number
    return before, addressee


def latest(links: Iterable[Link]) -> set[Link]:
    """Return one link for each later line: to the latest of the earlier ones."""
    found: dict[int, int] = {}
    for earlier, later in links:
        found[later] = max(found.get(later, -1), earlier)
    return {(earlier, later) for later, earlier in found.items()}


def figures(days: np.ndarray) -> np.ndarray:
    """Return precision, recall and F1 of each rule, from (days, rules, counts)."""
    right, found, marked = np.moveaxis(days.sum(axis=0), -1, 0)
    return np.stack([right / found, right / marked, 2 * right / (found + marked)], axis=-1)


def table(days: np.ndarray, resamples: int) -> None:
    draws = np.random.default_rng(SEED).integers(len(days), size=(resamples, len(days)))
    resampled = np.array([figures(days[draw]) for draw in draws])
    low, high = np.percentile(resampled, [2.5, 97.5], axis=0)
    print(f"{len(days)} days, {int(days[:, 0, 2].sum()):,} replies marked")
    print(f"{'':20}{'precision':>22}{'recall':>22}{'F1':>22}")
    for rule, name in enumerate((OURS, BEFORE, ADDRESSEE)):
        cells = [_cell(figures(days)[rule, each], low[rule, each], high[rule, each]) for each in range(3)]
        print(f"{name:20}{''.join(cells)}")
    for rule, name in enumerate((BEFORE, ADDRESSEE), start=1):
        gain = resampled[:, 0, 2] - resampled[:, rule, 2]
        value = figures(days)[0, 2] - figures(days)[rule, 2]
        print(f"F1 above {name:20}{_cell(value, *np.percentile(gain, [2.5, 97.5]))}")


def _number(line: str) -> int:
    """Return the place of a line in its file, from 0."""
    return int(line.rpartition(":")[2]) - 1


def _cell(value: float, low: float, high: float) -> str:
    return f"{value:8.3f} ({low:.3f}, {high:.3f})".rjust(22)


if __name__ == "__main__":
    main(*sys.argv[1:])
