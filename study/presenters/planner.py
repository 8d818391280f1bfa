"""The planner of a study: the half-width that people and questions give, other numbers around them, and a curve."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from study.domain.results.planning import HalfWidth, SampleSizePlan, half_width, plan
from study.forms.planner import PlannerForm

PEOPLE_SHOWN, QUESTIONS_SHOWN = (0.5, 1, 2, 4), (0.5, 1, 2)  # times what was entered
LEFT, WIDE, TOP, HIGH = 7.0, 65.0, 8.0, 200.0  # of the drawing: per cent across, pixels down
POINTS = 48  # of a curve
STEPS = (0.5, 1, 2, 3, 5, 10, 15, 25, 50)  # points between two marks of the height, of which there are at most 4
MARKS = 4
APART = 15.0  # pixels between two labels of curves


@dataclass(frozen=True)
class Sizes:
    """What a half-width follows from. `share`, the R@1 expected, is in per cent; `wanted`, a half-width, in points.

    What is taken for granted is that of METHODS' simulations of surveys.
    """

    people: int
    questions: int
    each: int
    share: float = 65
    icc: float = 0.1
    question_sd: float = 0.2
    wanted: float = 5

    @property
    def width(self) -> HalfWidth:
        return half_width(
            self.share / 100,
            people=self.people,
            questions_each=min(self.each, self.questions),
            questions=self.questions,
            icc=self.icc,
            question_sd=self.question_sd,
        )

    @property
    def needed(self) -> SampleSizePlan:
        """How many people the half-width wanted takes, or how many questions, where no number of people does."""
        return plan(
            self.share / 100,
            self.wanted / 100,
            questions_each=min(self.each, self.questions),
            icc=self.icc,
            questions=self.questions,
            question_sd=self.question_sd,
        )


@dataclass(frozen=True)
class Tick:
    """A mark on an axis of the drawing, with its label."""

    at: float
    label: str
    is_now: bool = False


@dataclass(frozen=True)
class Curve:
    """Half-widths by number of people, for so many questions: `points` of a box of 100 by 100; the label's height."""

    questions: int
    points: str
    label_at: float
    is_now: bool


@dataclass(frozen=True)
class CurveDrawing:
    """The curves on their axes, the point of what was entered, and the line below which no number of people gets."""

    curves: list[Curve]
    across: list[Tick]
    up: list[Tick]
    x: float
    y: float
    floor: float


@dataclass(frozen=True)
class Planner:
    """What the planner shows of some sizes; `form` holds what was entered, with its errors."""

    form: PlannerForm
    sizes: Sizes
    now: HalfWidth
    people: list[int]
    rows: list[tuple[int, list[float]]]
    drawing: CurveDrawing

    @property
    def parts(self) -> list[tuple[str, float]]:
        """What the half-width is made of, by name; the last is all together."""
        return [
            (_("questions vary"), self.now.questions),
            (_("people vary"), self.now.people),
            (_("single answers"), self.now.answers),
            (_("together"), self.now.together),
        ]


def planner_of(planned: Sizes, sent: QueryDict | None) -> Planner:
    """Return the planner of the sizes that an address has, or of those planned; its form says which one is wrong."""
    is_sent = sent is not None and "people" in sent
    form = PlannerForm(sent if is_sent else None, initial={**asdict(planned), "wanted": f"{planned.wanted:g}"})
    sizes = Sizes(**form.cleaned_data) if is_sent and form.is_valid() else planned
    people = _around(sizes.people, PEOPLE_SHOWN)
    questions = _around(sizes.questions, QUESTIONS_SHOWN)
    rows = [(many, [_width(sizes, people=each, questions=many) for each in people]) for many in questions]
    return Planner(form, sizes, sizes.width, people, rows, _drawing(sizes, questions))


def _around(entered: int, times: Iterable[float]) -> list[int]:
    return sorted({max(1, round(each * entered)) for each in times})


def _width(sizes: Sizes, **others: int) -> float:
    return replace(sizes, **others).width.together


def _drawing(sizes: Sizes, questions: list[int]) -> CurveDrawing:
    fewest, most = max(1, round(sizes.people / 4)), max(2, 2 * sizes.people)
    steps = [fewest + (most - fewest) * place / POINTS for place in range(POINTS + 1)]
    widths = {many: [_width(sizes, people=max(1, round(step)), questions=many) for step in steps] for many in questions}
    step = _step(max(of_one[0] for of_one in widths.values()))
    highest = step * MARKS

    def y(width: float) -> float:
        return round(TOP + HIGH * (1 - width / highest), 1)

    def x(people: float) -> float:
        return round(LEFT + WIDE * (people - fewest) / (most - fewest), 2)

    labels = _apart([y(of_one[-1]) for of_one in widths.values()])
    curves = [
        Curve(many, _points(of_one, highest), label, many == sizes.questions)
        for (many, of_one), label in zip(widths.items(), labels, strict=True)
    ]
    ticks = [fewest, sizes.people, round((sizes.people + most) / 2), most]
    return CurveDrawing(
        sorted(curves, key=lambda curve: curve.is_now),  # the one entered is drawn last, above the others
        [Tick(x(each), f"{each:,}", each == sizes.people) for each in sorted(set(ticks))],
        [Tick(y(step * place), f"{100 * step * place:g}") for place in range(MARKS + 1)],
        x(sizes.people),
        y(sizes.width.together),
        y(sizes.width.questions),
    )


def _step(highest: float) -> float:
    """Return the distance of two marks, as a share, with which so high a half-width is within the drawing."""
    return next(step for step in STEPS if step * MARKS >= 100 * highest) / 100  # 1.4 at most: all that may vary does


def _points(widths: list[float], highest: float) -> str:
    return " ".join(
        f"{100 * place / POINTS:.2f},{100 * (1 - width / highest):.2f}" for place, width in enumerate(widths)
    )


def _apart(heights: list[float]) -> list[float]:
    """Return heights of labels, from the top down, so that none is on another."""
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, placed[-1] + APART) if placed else height)
    return placed
