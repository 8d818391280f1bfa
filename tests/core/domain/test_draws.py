from hashlib import sha256
from statistics import fmean, pvariance

import pytest

from core.domain.draws import uniforms


def test_the_numbers_are_the_top_53_bits_of_the_four_words_of_the_digest():
    digest = sha256(b'[7, "split", "\\u7f8e"]').hexdigest()
    words = [int(digest[start : start + 16], 16) for start in (0, 16, 32, 48)]
    assert uniforms(7, "split", "美") == tuple((word // 2**11) * 2.0**-53 for word in words)


def test_names_are_kept_apart():
    draws = [
        uniforms(0, "ab", "c"),
        uniforms(0, "a", "bc"),
        uniforms(0, "abc"),
        uniforms(1, "abc"),
        uniforms(0, "a,bc"),
    ]
    assert len(set(draws)) == 5


def test_the_numbers_are_uniform():
    columns = list(zip(*(uniforms(3, str(number)) for number in range(20_000)), strict=True))
    for column in columns:
        assert min(column) >= 0 and max(column) < 1
        # Five standard errors of a uniform mean and variance.
        assert fmean(column) == pytest.approx(1 / 2, abs=0.0102)
        assert pvariance(column) == pytest.approx(1 / 12, abs=0.0027)
