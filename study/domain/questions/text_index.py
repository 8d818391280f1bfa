"""An index of the words of many texts, to find those that are most like a query by BM25."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from core.domain.batches import batched
from core.domain.statistics import FloatArray
from study.baselines.lexical import K1, B, rarity, saturation
from study.baselines.words import WORDS_OF, language_of

SmallArray = NDArray[np.int32]

AT_ONCE = 100_000  # texts counted at a time, to bound the memory
COMMON = 50_000  # texts; a word in more of them tells little, and would take most of the time
FIRST = 1_000  # texts found before all are put in order


class _Counts:
    """How often texts have words: parallel columns of word and times, text after text, and the words of each text.

    They grow in one piece each: many small pieces, freed one by one, would leave the memory in holes.
    """

    def __init__(self) -> None:
        self._words, self._times, self._per_text = array("i"), array("H"), array("i")

    def add(self, counts: "scipy.sparse.csr_array", is_kept: NDArray[np.bool_]) -> None:
        """Add texts, shape (texts, words), with those of their words that are kept."""
        kept = is_kept[counts.indices]
        before = np.concatenate([[0], np.cumsum(kept)])
        self._words.frombytes(counts.indices[kept].astype(np.int32).tobytes())
        self._times.frombytes(counts.data[kept].astype(np.uint16).tobytes())
        self._per_text.frombytes(np.diff(before[counts.indptr]).astype(np.int32).tobytes())

    def parts(self) -> Iterator[tuple[SmallArray, SmallArray, NDArray[np.uint16]]]:
        """Yield text, word and times, AT_ONCE texts at a time."""
        words, times = (np.frombuffer(column, column.typecode) for column in (self._words, self._times))
        done = 0
        for start in range(0, len(self._per_text), AT_ONCE):
            per_text = np.array(self._per_text[start : start + AT_ONCE])
            here = slice(done, done := done + int(per_text.sum()))
            yield np.repeat(np.arange(start, start + len(per_text), dtype=np.int32), per_text), words[here], times[here]


class TextIndex:
    """Texts by their words, scored as by the model BM25 (study/baselines/lexical.py).

    The language is that of the first texts. A word in more than COMMON texts is not looked up. Equal texts in equal
    order give equal scores, to the last digit.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._numbers: dict[str, int] = {}
        self._lengths = array("i")
        self._holders = np.zeros(0, dtype=np.int64)  # how many texts have each word
        counts = _Counts()
        for some in batched(texts, AT_ONCE):
            counts.add(self._counted(some), self._holders <= COMMON)
        self._fill(counts)
        self._scores: FloatArray = np.zeros(len(self._lengths))

    def _counted(self, texts: Sequence[str]) -> "scipy.sparse.csr_array":
        """Return how often some texts have each word, shape (texts, words); number the words that are new."""
        before = len(self._lengths)
        if not before:
            self._split = WORDS_OF[language_of(texts)]
        numbers = array("i")
        for text in texts:
            words = self._split(text)
            numbers.extend(self._numbers.setdefault(word, len(self._numbers)) for word in words)
            self._lengths.append(len(words))
        ends = np.concatenate([[0], np.cumsum(self._lengths[before:])])
        found = np.frombuffer(numbers, dtype=np.int32) if numbers else np.zeros(0, dtype=np.int32)
        counts = scipy.sparse.csr_array(
            (np.ones(len(found), dtype=np.uint16), found, ends), shape=(len(texts), len(self._numbers))
        )
        counts.sum_duplicates()
        self._holders = np.pad(self._holders, (0, len(self._numbers) - len(self._holders)))
        self._holders += np.bincount(counts.indices, minlength=len(self._holders))
        return counts

    def _fill(self, counts: _Counts) -> None:
        """Put the weight of each word in each text in its place, word by word, without common words.

        The place of every word is known from the counts, so that no second copy of all is made on the way.
        """
        lengths = np.frombuffer(self._lengths, dtype=np.int32) if self._lengths else np.zeros(0, dtype=np.int32)
        mean = lengths.mean() if lengths.any() else 1.0
        rare, is_kept = rarity(self._holders, len(lengths)), self._holders <= COMMON
        self._starts = np.concatenate([[0], np.cumsum(np.where(is_kept, self._holders, 0))])
        self._texts = np.zeros(self._starts[-1], dtype=np.int32)
        self._weights = np.zeros(self._starts[-1], dtype=np.float32)
        following = self._starts[:-1].copy()
        for texts, words, times in counts.parts():
            kept = np.flatnonzero(is_kept[words])
            order = kept[np.argsort(words[kept], kind="stable")]
            text, word = texts[order], words[order]
            here = np.bincount(word, minlength=len(following))
            places = following[word] + np.arange(len(word)) - (np.cumsum(here) - here)[word]
            self._texts[places] = text
            self._weights[places] = rare[word] * saturation(times[order], lengths[text], mean, k1=K1, b=B)
            following += here

    def best(self, query: str) -> Iterator[int]:
        """Yield the numbers of the texts that share a word with the query, the highest score first.

        Equal scores are in the order of the texts.
        """
        first = self._ordered(query, FIRST)
        yield from first.tolist()
        if len(first) == FIRST:
            yield from self._ordered(query)[FIRST:].tolist()

    def _ordered(self, query: str, most: int | None = None) -> SmallArray:
        """Return the texts that share a word with the query in order, `most` of them or all."""
        texts = self._scored(query)
        scores = self._scores[texts]
        self._scores[texts] = 0
        if most is not None and len(texts) > most:
            among = scores >= np.partition(scores, -most)[-most]
            texts, scores = texts[among], scores[among]
        return texts[np.lexsort((texts, -scores))[:most]]

    def _scored(self, query: str) -> SmallArray:
        """Add up the scores of the query's words, in alphabetical order, and return the texts that have any."""
        texts: list[SmallArray] = [np.zeros(0, dtype=np.int32)]
        for word, times in sorted(Counter(self._split(query)).items()) if len(self._lengths) else ():
            number = self._numbers.get(word)
            if number is not None:
                column = slice(self._starts[number], self._starts[number + 1])
                holders = self._texts[column]
                texts.append(holders[self._scores[holders] == 0])
                self._scores[holders] += times * self._weights[column]
        return np.concatenate(texts)
