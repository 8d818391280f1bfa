"""Two figures of a release as in the 5-grade study: mean grades, and responses to a prompt."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotation.domain.rating.rating import RatingSettings
from annotation.models import Release
from core.figures import Bars, draw_bars


@dataclass(frozen=True)
class Bar:
    """Frequency of one number; `share` is of all, `height` relative to the most frequent number."""

    number: float
    count: int
    share: float
    height: float


@dataclass(frozen=True)
class Distribution:
    """Counts of pairs or prompts (`counted`) by number, in ascending order; `name` is used in addresses."""

    name: str
    number: str | Promise
    counted: str | Promise
    digits: int
    ends: tuple[float, float]
    step: float
    counts: dict[float, int]

    @property
    def bars(self) -> list[Bar]:
        total, most = sum(self.counts.values()), max(self.counts.values())
        return [Bar(number, count, count / total, count / most) for number, count in self.counts.items()]

    def draw(self, *, theme: str, is_narrow: bool, format: str) -> bytes:
        shares = {bar.number: bar.share for bar in self.bars}
        up = _("%(counted)s, %%") % {"counted": self.counted}
        bars = Bars(shares, self.ends, self.step, across=str(self.number), up=up)
        return draw_bars(bars, theme=theme, is_narrow=is_narrow, format=format)


def distributions_of(release: Release) -> dict[str, Distribution]:
    """Return the distributions by name; older releases have no counts of responses, so only the grades."""
    return {each.name: each for each in _distributions(release)}


def _distributions(release: Release) -> Iterator[Distribution]:
    every, scale = release.statistics["all"], RatingSettings.from_mapping(release.settings).grades
    halves: Counter[float] = Counter()  # the only means that two annotators can have
    for grade, pairs in every["final_grades"]["counts"].items():
        halves[round(2 * float(grade)) / 2] += pairs
    yield Distribution(
        "grades",
        gettext_lazy("mean grade"),
        gettext_lazy("pairs"),
        1,
        (scale.lowest, scale.highest),
        0.5,
        dict(sorted(halves.items())),
    )
    counts = every["responses_per_prompt"].get("counts", {})
    if len(counts) > 1:  # where every prompt has as many, one bar says nothing
        prompts = {int(responses): count for responses, count in counts.items()}
        yield Distribution(
            "responses",
            gettext_lazy("responses per prompt"),
            gettext_lazy("prompts"),
            0,
            (1, max(prompts)),
            1,
            dict(sorted(prompts.items())),
        )
