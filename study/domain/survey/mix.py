"""Mix of corpora in the forms of a group: the share of each, in percent."""

from collections.abc import Mapping

from core.domain.wording import ChoiceError, gettext_noop

Mix = dict[str, int]  # corpus → percent; what is left is split evenly among the corpora that it does not name


def mix_as_typed(text: str) -> dict[str, Mix]:
    """Parse GROUP:CORPUS=SHARE,CORPUS=SHARE, several groups with semicolons, into the mix of each. Raises ChoiceError.

    >>> mix_as_typed("lab:ubuntu=50")
    {'lab': {'ubuntu': 50}}
    """
    mixes: dict[str, Mix] = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        group, colon, shares = (each.strip() for each in part.partition(":"))
        pairs = [tuple(each.strip() for each in share.partition("=")) for share in shares.split(",")]
        are_shares = all(corpus and share.isascii() and share.isdigit() for corpus, _equals, share in pairs)
        mix = {corpus: int(share[:4]) for corpus, _equals, share in pairs} if are_shares else {}
        if not (group and colon and mix) or group in mixes or len(mix) < len(pairs) or sum(mix.values()) > 100:
            raise ChoiceError(
                gettext_noop(
                    "“%(value)s” is not a valid mix: write GROUP:CORPUS=PERCENT,…, of at most 100 %% in total."
                ),
                value=part,
            )
        mixes[group] = mix
    return mixes


def mix_as_written(mixes: Mapping[str, Mix]) -> str:
    """Return mixes as `mix_as_typed` reads them, in one spelling."""
    parts = (
        f"{group}:{','.join(f'{corpus}={share}' for corpus, share in mix.items())}" for group, mix in mixes.items()
    )
    return ";".join(parts)


def counts_in_form(mix: Mapping[str, int], corpora: list[str], per_form: int) -> dict[str, int]:
    """Return how many of a form's questions are from each corpus, by largest remainders (Hamilton).

    Corpora without a share split the rest evenly. Raises ValueError for a corpus that the study has not, and where the
    shares leave some questions to no corpus.

    >>> counts_in_form({"ubuntu": 50}, ["movie", "twitter", "ubuntu"], 40)
    {'movie': 10, 'twitter': 10, 'ubuntu': 20}
    """
    if unknown := sorted(set(mix) - set(corpora)):
        raise ValueError(unknown[0])
    others = [corpus for corpus in corpora if corpus not in mix]
    rest = 100 - sum(mix.values())
    if rest and not others:
        raise ValueError("")
    exact = {corpus: per_form * (mix[corpus] if corpus in mix else rest / len(others)) / 100 for corpus in corpora}
    counts = {corpus: int(share + 1e-9) for corpus, share in exact.items()}
    by_remainder = sorted(corpora, key=lambda corpus: (counts[corpus] - exact[corpus], corpus))
    for corpus in by_remainder[: per_form - sum(counts.values())]:
        counts[corpus] += 1
    return counts
