"""Comparisons of the replayed study: what browsers saw, fieldwork, export and results. The first difference ends it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.replay.exported import LATE, METRICS, Exported, figures_of, parts_of
from benchmarks.replay.people import ConfirmedAnswer, Person
from benchmarks.study_readers import same
from study.domain.survey.phases import VisitOutcome

CLOSE = 1e-12
PER_FORM = 30
FAILED = (VisitOutcome.FAILED_CHECKS, VisitOutcome.UNANSWERED_CHECK)

Cell = dict[str, Any]
Beside = tuple[Cell, dict[str, float]]  # a cell of results, and the same figures by pandas


@dataclass(frozen=True)
class Seen:
    """All who came, and by name how the survey ended as they saw it: "" for those who did not take part."""

    people: Sequence[Person]
    outcomes: Mapping[str, str]
    settings: Mapping[str, Any]

    def joined(self, group: str | None = None) -> list[Person]:
        return [each for each in self.people if each.resume_link and group in (None, each.arrival.group)]

    def kept(self) -> list[Person]:
        """Return those of whom anything is to be left."""
        return [person for person in self.joined() if not person.has_withdrawn]

    def counts(self, group: str) -> Counter[str]:
        return Counter(self.outcomes[person.name] for person in self.joined(group))


def close(what: str, found: float, expected: float) -> None:
    same(f"{what}, {found} and {expected}: closer than {CLOSE}", abs(found - expected) <= CLOSE, True)


def places(fieldwork: dict[str, Any], quotas: Mapping[str, int]) -> None:
    """Compare the people who fill the quotas with these; forms of a group differ by one at most."""
    for group in fieldwork["groups"]:
        same(f"{group['group']}: finished", group["finished"], quotas[group["group"]])
        forms = [form["finished"] for form in group["forms"] if form["joined"]]
        same(f"{group['group']}: forms and their spread", (len(forms), max(forms) - min(forms) <= 1), (4, True))


def outcomes(seen: Seen, fieldwork: dict[str, Any]) -> None:
    """Compare the counts of fieldwork, and the outcome and code of each person."""
    for group in fieldwork["groups"]:
        counts = seen.counts(group["group"])
        expected = {outcome.value: counts[outcome] for outcome in VisitOutcome if outcome not in FAILED}
        expected |= {"failed_checks": sum(counts[outcome] for outcome in FAILED), "joined": counts.total()}
        del expected["full"]
        same(f"{group['group']} in fieldwork", {name: group[name] for name in expected}, expected)
        same(f"{group['group']}: joined though it was full", counts[VisitOutcome.FULL], 0)
    told = {each["person"]: (each["group"], each["outcome"], each["code"]) for each in fieldwork["pay"]}
    expected_codes = {each.public_id: (each.arrival.group, seen.outcomes[each.name], each.code) for each in seen.kept()}
    withdrawn = [person for person, (_group, outcome, _code) in told.items() if outcome == VisitOutcome.WITHDRAWN]
    same("people with their codes", {each: told[each] for each in told if each not in withdrawn}, expected_codes)
    same("people who withdrew", len(withdrawn), len(seen.joined()) - len(seen.kept()))


def people(seen: Seen, exported: Exported) -> None:
    """Compare the rows of people, with the rules that leave them out, and the mix of the questions they were asked."""
    rows = exported.people.to_dict("index")
    kept = {person.public_id for person in seen.kept()}
    same("people in the export, and missing in it", (set(rows) - kept, kept - set(rows)), (set(), set()))
    for person in seen.kept():
        row, out = rows[person.public_id], rules_of(person, seen)
        expected = {
            "group": person.arrival.group,
            "outcome": seen.outcomes[person.name],
            "asked": str(PER_FORM),
            "answered": str(len(person.answers)),
            "excluded_why": "Wrote that they guessed." if person.is_excluded else "",
            **{f"says_{each.key}": person.demographics.get(each.key, "") for each in person.crowd.asked},
            **{rule: str(is_out).lower() for rule, is_out in out.items()},
        }
        same(f"{person.name}, who {person.way.__name__}", {name: row[name] for name in expected}, expected)
        asked = Counter(person.crowd.question(each).corpus for each in person.asked if not person.is_check(each))
        mix = {"crowd": [10, 10, 10], "lab": [7, 8, 15]}[person.arrival.group]
        same(f"mix of {person.name}", (sorted(asked.values()), asked["ubuntu"]), (mix, mix[-1]))
    same("rules", set(exported.rules), set(out))


def rules_of(person: Person, seen: Seen) -> dict[str, bool]:
    """Return which rules of the plan leave a person out, from what they sent."""
    work, settings = sorted(person.answers.values(), key=lambda given: given.position), seen.settings
    milliseconds = [given.milliseconds for given in work]
    return {
        "failed_checks": sum(not each.is_right for each in person.checks.values()) >= settings["failed_checks"],
        "unanswered_check": seen.outcomes[person.name] == VisitOutcome.UNANSWERED_CHECK,
        "too_few_answers": len({*person.answers, *person.late}) < settings["minimum_answers"],
        "too_fast": median(milliseconds) < 1000 * settings["too_fast"],
        "straight_lines": _longest_run(work) >= settings["straight_lines"],
        "excluded_by_hand": person.is_excluded,
    }


def _longest_run(work: Sequence[ConfirmedAnswer]) -> int:
    longest, run, before = 0, 0, -1
    for given in work:
        run = run + 1 if given.place == before else 1
        longest, before = max(longest, run), given.place
    return longest


def answers(seen: Seen, exported: Exported) -> None:
    """Compare every answer that the survey confirmed with the rows of the export: lines, time, saves, late or not."""
    confirmed = {
        (person.public_id, str(given.position), is_late): (given.lines, str(given.milliseconds), str(given.saves))
        for person in seen.kept()
        for is_late, all_given in ((False, person.answers), (True, person.late))
        for given in all_given.values()
    }
    table = exported.answers
    found = {
        (person, position, late): (lines, milliseconds, changes)
        for person, position, late, lines, milliseconds, changes in zip(
            *(table[name] for name in ("person", "position", "late", "lines", "milliseconds", "changes")), strict=True
        )
    }
    same("rows once", len(found), len(table))
    differing = [key for key in confirmed.keys() | found.keys() if confirmed.get(key) != found.get(key)]
    same("answers that differ", [(key, confirmed.get(key), found.get(key)) for key in differing[:3]], [])


def withdrawn(seen: Seen, folder: Path) -> None:
    """Search the files for those who withdrew, for ids of platforms, for codes and for secrets."""
    left = {person.public_id for person in seen.people if person.has_withdrawn and person.public_id}
    left |= {person.arrival.platform_id for person in seen.people} | {person.code for person in seen.people}
    left |= {person.resume_link.rstrip("/").rpartition("/")[2] for person in seen.people}
    same("found in the export", _in(left, *folder.iterdir()), [])


def log(seen: Seen, file: Path) -> None:
    """Search what the product printed for ids of platforms."""
    same("found in the log", _in({person.arrival.platform_id for person in seen.people}, file), [])


def _in(texts: set[str], *files: Path) -> list[str]:
    """Return the texts that occur in files, in any case."""
    searched = b"".join(path.read_bytes() for path in files).lower()
    return [text for text in texts if text and text.lower().encode() in searched]


def cells(exported: Exported, results: dict[str, Any]) -> list[Beside]:
    """Compare every cell with what pandas finds; return the cells, each beside these figures."""
    counting = exported.counting()
    experts = (counting["group"] == "crowd") & (counting["says_ubuntu"] == "expert") & (counting["corpus"] == "ubuntu")
    parts = {_key(part): rows for part, rows in parts_of(counting, {"crowd experts": experts})}
    told = [cell for cell in results["cells"] if cell["metric"] in METRICS]
    same("cells", Counter(map(_key, told)), Counter({key: len(METRICS) for key in parts}))
    beside = []
    for cell in told:
        figures = figures_of(parts[_key(cell)], cell["metric"])
        name = f"{cell['metric']} of {_key(cell)}"
        for figure in ("n", "people", "questions", "left_out"):
            same(f"{name}: {figure}", cell[figure], figures[figure])
        for figure in ("p", "people_mean"):
            close(f"{name}: {figure}", cell[figure], figures[figure])
        if cell["metric"].startswith("R@"):
            same(f"{name}: k", cell["k"], round(figures["p"] * figures["n"]))
        beside.append((cell, figures))
    same(
        "MRR, which two choices do not tell",
        {cell["p"] for cell in results["cells"] if cell["metric"] == "MRR"},
        {None},
    )
    return beside


def _key(part: Mapping[str, Any]) -> tuple[str | None, ...]:
    return tuple(part.get(name) for name in ("corpus", "group", "form", "condition", "turns"))


def rules(seen: Seen, exported: Exported, results: dict[str, Any]) -> None:
    """Compare the sums of the results, and R@1 with and without each rule."""
    counting = exported.counting()
    sums = {
        "people": counting["person"].nunique(),
        "questions": counting["whole"].nunique(),
        "answers": len(counting),
        "still_answering": 0,
        "first_choice_only": int((counting["ranking"].str.len() == 1).sum()),
        "unanswered": PER_FORM * int((~exported.is_out()).sum()) - len(counting),
        "without_key": 0,
        "tied": 0,
    }
    same("sums of the results", {name: results[name] for name in sums}, sums)
    late = [person for person in seen.kept() if person.late and not any(rules_of(person, seen).values())]
    expected = {rule: int((exported.people[rule] == "true").sum()) for rule in exported.rules} | {LATE: len(late)}
    same("people in each rule", {row["rule"]: row["people"] for row in results["rules"]}, expected)
    for row in results["rules"]:
        close(f"with {row['rule']}", row["with"], counting["R@1"].mean())
        close(f"without {row['rule']}", row["without"], exported.counting(row["rule"])["R@1"].mean())
