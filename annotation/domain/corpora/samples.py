"""A few of many things, drawn while they pass by."""

from collections.abc import Callable
from typing import Generic, TypeVar

from core.domain.draws import uniforms

T = TypeVar("T")


class SeededSample(Generic[T]):
    """At most `size` things of any number, each as likely as any other; memory holds no more (algorithm R)."""

    def __init__(self, size: int, seed: int, name: str) -> None:
        self.size, self.seed, self.name = size, seed, name
        self.offered = 0
        self.kept: list[T] = []

    def offer(self, make: Callable[[], T]) -> None:
        """Offer a thing, which is made only if it is kept."""
        self.offered += 1
        if self.offered <= self.size:
            self.kept.append(make())
            return
        place = int(uniforms(self.seed, "import example", self.name, str(self.offered))[0] * self.offered)
        if place < self.size:
            self.kept[place] = make()
