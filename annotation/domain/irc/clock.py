"""The clock of a log: times of day, as written, become moments that never run back."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from annotation.domain.irc.lines import Stamp

DAY = 24 * 3600
HALF_A_DAY = DAY // 2
FURTHEST_BACK = 2 * 3600  # seconds: a clock that shows less by more than this has gone on over midnight
QUARTER = 900
EPOCH = date(1970, 1, 1)
WALL_0 = datetime(1970, 1, 1)


class LogClock:
    """Reads the stamps of one file, whose first line is on `day`, in their order.

    With `half_days` the clock shows twelve hours without saying which half of the day it is.
    """

    def __init__(self, day: date, zone: ZoneInfo, *, half_days: bool = False) -> None:
        self.ran_back = 0  # lines whose time is before that of a line above them
        self._zone = zone
        self._dial = HALF_A_DAY if half_days else DAY
        self._wall = _midnight(day)  # seconds on the wall from 1970, as if there were no time zones
        self._is_new = True
        self._is_second_time = False  # in an hour of autumn that the clock shows again
        self._to_utc: tuple[int, int] | None = None  # a quarter of an hour on the wall, and the seconds to add in it
        self.now = self._wall + self._offset()  # the moment in seconds from 1970, UTC

    @property
    def day(self) -> int:
        """The day on the wall, in days from 1970."""
        return self._wall // DAY

    def begin(self, day: date) -> None:
        """Go to the midnight at which a day begins, as a header says."""
        self._go_to(_midnight(day))
        self._is_new = True
        self._tick()

    def read(self, stamp: Stamp) -> int:
        """Return the moment of a line in seconds from 1970, UTC; never before that of the line above it."""
        if stamp.day is not None:
            self._go_to(_midnight(stamp.day) + stamp.seconds)
        elif self._is_new:
            self._go_to(self._wall + stamp.seconds % self._dial)
        else:
            ahead = (stamp.seconds - self._wall) % self._dial
            self._go_to(self._wall + ahead - (self._dial if ahead > self._dial - FURTHEST_BACK else 0))
        self._is_new = False
        return self._tick()

    def _tick(self) -> int:
        moment = self._wall + self._offset()
        self.ran_back += moment < self.now
        self.now = max(self.now, moment)
        return self.now

    def _go_to(self, wall: int) -> None:
        if wall < self._wall:
            self._is_second_time, self._to_utc = True, None
        self._wall = wall

    def _offset(self) -> int:
        """Return the seconds from the wall to UTC, looked up once for each quarter of an hour: none changes inside."""
        quarter = self._wall // QUARTER
        if self._to_utc is None or self._to_utc[0] != quarter:
            wall = WALL_0 + timedelta(seconds=self._wall)
            first, second = (wall.replace(tzinfo=self._zone, fold=fold).utcoffset() for fold in (0, 1))
            self._is_second_time = self._is_second_time and first != second
            offset = (second if self._is_second_time else first) or timedelta()
            self._to_utc = quarter, -int(offset.total_seconds())
        return self._to_utc[1]


def _midnight(day: date) -> int:
    return (day - EPOCH).days * DAY
