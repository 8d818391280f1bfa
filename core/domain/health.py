"""Rules by which an installation is well, and the problems it has otherwise."""

from dataclasses import dataclass

SILENT_AFTER = 60  # seconds; the clock sends work every 15 s, and a worker gives a sign of life every 2 s
LEAST_DISK = 1024**3  # bytes: four of the largest uploads
BACKUP_EVERY = 7 * 24 * 60 * 60  # seconds


@dataclass(frozen=True, kw_only=True)
class Signs:
    """Signs of life that are read without the database and the broker; None where there was none yet."""

    worker_seconds: int | None
    beat_seconds: int | None
    trainer_seconds: int | None
    disk_free: int
    backup_age: int | None

    @property
    def problems(self) -> list[str]:
        wrong = {
            "worker": is_silent(self.worker_seconds),
            "beat": is_silent(self.beat_seconds),
            "trainer": is_silent(self.trainer_seconds),
            "disk": self.disk_free < LEAST_DISK,
        }
        return [what for what, is_wrong in wrong.items() if is_wrong]


@dataclass(frozen=True, kw_only=True)
class Health(Signs):
    database: bool
    migrations: bool | None  # None: the database does not answer
    broker: bool

    @property
    def problems(self) -> list[str]:
        wrong = {"database": not self.database, "migrations": self.migrations is False, "broker": not self.broker}
        return [what for what, is_wrong in wrong.items() if is_wrong] + super().problems


def is_backup_due(backup_age: int | None, installation_age: float) -> bool:
    """Return whether the last backup, or a new installation without one, is older than a week."""
    return (installation_age if backup_age is None else backup_age) > BACKUP_EVERY


def is_silent(seconds: int | None) -> bool:
    """Return whether a sign of life is missing, or older than a process that runs lets it become."""
    return seconds is None or seconds > SILENT_AFTER
