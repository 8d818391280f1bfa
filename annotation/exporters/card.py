"""The data card in Markdown: content, protocol, agreement of raters and known limits of a release.

It is made only from the release's manifest, so that it never says more than is known. It is in English, whatever the
language of the pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.domain.agreement import FIGURES
from annotation.domain.rating.rating import RatingSettings
from annotation.domain.reasoning import Reasoning
from annotation.exporters.card_guideline import annotators, rating_guideline, rewriting_guideline
from annotation.exporters.card_models import graded_by_models
from annotation.exporters.markdown import in_order, plain, table

About = Mapping[str, Any]

FIGURE_NAMES = {
    "percent": "Same grade",
    "gap_le_1": "At most one grade apart",
    "kappa": "Kappa, unweighted (pooled)",
    "kappa_linear": "Kappa, linear weights (pooled)",
    "kappa_quadratic": "Kappa, quadratic weights (pooled)",
    "kappa_pairs_mean": "Cohen's kappa, mean of the pairs of raters",
    "ac1": "Gwet's AC1",
    "ac2": "Gwet's AC2, quadratic weights",
    "alpha_nominal": "Krippendorff's alpha, nominal",
    "alpha_ordinal": "Krippendorff's alpha, ordinal",
    "alpha_interval": "Krippendorff's alpha, interval",
}
LEFT_OUT = {
    "open": "not finished",
    "removed": "judged and removed",
    "disputed": "waiting for an adjudicator",
    "cleaned": "removed when texts were cleaned",
    "without_text": "graded elsewhere, without a text",
}
# Statistics in their order. Databases keep the keys of JSON in one of their own, so no table here has theirs.
COUNTED = """pairs prompts responses prompt_characters_mean response_characters_mean prompt_words_mean
response_words_mean vocabulary raters turns_mean words_mean conversations candidates dialogues questions"""
STUDIES = {
    "rating": "Wang et al. 2018, *A Manually Annotated Chinese Corpus for Non-task-oriented Dialogue Systems*",
    "rewriting": "Cui et al. 2020, *MuTual: A Dataset for Multi-Turn Dialogue Reasoning*",
}


def data_card(about: About) -> str:
    """Return the card of the release with this manifest, ended by a line feed."""
    is_rating = about["kind"] == "rating"
    sections = {
        "Protocol": _rating_protocol(about) if is_rating else _rewriting_protocol(about),
        "Annotators": annotators(about.get("annotators", {})),
        "Guideline": (rating_guideline if is_rating else rewriting_guideline)(about["guidelines"]),
        "Counts": _counts(about),
        "Agreement": _agreement(about) if is_rating else (),
        "Grades by models": graded_by_models(about["counts"].get("models", {})),
        "Inspection": () if is_rating else _inspection(about),
        "Reasoning types": () if is_rating else _reasoning(about),
        "Sources and licence": _sources(about),
        "Known limits": _limits(about),
        "How to cite": _citation(about),
    }
    texts = [f"# {plain(about['title'])}\n", *_summary(about)]
    for title, lines in sections.items():
        if written := list(lines):
            texts += ["", f"## {title}", "", *written]
    return "\n".join(texts) + "\n"


def _summary(about: About) -> Iterator[str]:
    what = "prompt-response pairs with human grades" if about["kind"] == "rating" else "contexts with four candidates"
    variant = f", variant `{about['variant']}`" if "variant" in about else ""
    count = f"{about['counts']['instances']:,} {what}"
    yield f"Release `{about['release']}`{variant}: {count}, frozen {about['frozen_at']}."
    yield f"SHA-256 of the content: `{about['checksum']}` (`release.json` says how it was made)."


def _rating_protocol(about: About) -> Iterator[str]:
    settings = about["settings"]
    yield (
        f"At least {settings['raters']} different people graded every pair on the scale {settings['grades']}, each "
        f"blind to the others. A pair whose highest and lowest grade are at most {settings['gap']} apart was kept; its "
        "final grade is the mean of its grades."
    )
    if adjudicated := _adjudicated(about):
        yield (
            f"An adjudicator decided about {adjudicated:,} of the {about['counts']['instances']:,} pairs of this "
            "release, whose grades were further apart: the final grade is that person's alone, and they are marked "
            "`adjudicated`."
        )
    elif settings.get("adjudicate"):
        yield "Where they are further apart an adjudicator decided; such pairs are marked `adjudicated`."
    if raters := about["statistics"]["all"].get("raters"):
        yield f"The grades of this release are from {raters:,} people, who are called r1, r2 and so on in it."
    yield f"All responses to one prompt are in one split (80/10/10, seed {about['seed']})."
    if _follows_study(about):
        yield f"The protocol follows {STUDIES['rating']}."


def _rewriting_protocol(about: About) -> Iterator[str]:
    yield (
        "Authors cut a conversation after its clue and wrote four responses: the right one, a wrong one from each "
        "wrong choice of an examination item, and one from the right choice that is wrong in this context alone. "
        "Inspectors answered blind, saw the key, and accepted, returned for revision or discarded what was written."
    )
    yield f"All that comes from one conversation is in one split (80/10/10, seed {about['seed']})."
    if "variant" in about:
        yield (
            "In this variant one candidate of every instance, drawn by lot, gave way to a safe reply; where it was the "
            "right one, the safe reply is right. `replaced` says which. Ids and splits are those of the release."
        )
        yield from (f"- {plain(reply)}" for reply in about["safe_replies"])
    yield f"The protocol follows {STUDIES['rewriting']}."


def _counts(about: About) -> Iterator[str]:
    counts, statistics = about["counts"], about["statistics"]
    columns = ("train", "dev", "test", "all")
    called = {"pairs": "pairs" if about["kind"] == "rating" else "instances"}
    shown = [name for name, value in statistics["all"].items() if isinstance(value, int | float)]
    yield from table(
        ("", *columns),
        (
            (called.get(name, name).replace("_", " "), *(_number(statistics[block].get(name)) for block in columns))
            for name in in_order(shown, COUNTED.split())
        ),
        numbers=4,
    )
    yield ""
    for state in in_order(counts["left_out"], LEFT_OUT):
        yield f"- Left out: {counts['left_out'][state]:,} {LEFT_OUT.get(state, state)}."


def _agreement(about: About) -> Iterator[str]:
    agreement = about["agreement"]
    before, after = agreement["before"], agreement["after"]
    yield from table(
        ("", f"before the filter, n = {before['n']:,}", "95 %", f"after it, n = {after['n']:,}", "95 %"),
        ((FIGURE_NAMES[name], *_estimate(before, name), *_estimate(after, name)) for name in FIGURES),
        numbers=4,
    )
    yield ""
    yield (
        "**The filter inflates the figures after it**: it removes the pairs on which raters disagree, and then asks "
        "how far they agree on the rest. Quote the figures before the filter, or both. Pooled kappas take raters as "
        f"exchangeable. Intervals are for these raters, from {agreement['bootstrap']:,} bootstrap resamples of "
        f"{before.get('units', before['n']):,} {before.get('unit', 'pair')}s (seed {agreement['seed']}), of shares "
        "Wilson's; a figure or interval that is undefined is a dash."
    )
    if adjudicated := _adjudicated(about):
        yield ""
        yield (
            f"Why n after the filter is less than the {about['counts']['instances']:,} rows of this release: the "
            f"adjudicated pairs ({adjudicated:,}) are not in it, because their own raters were too far apart. They "
            "are in n before the filter, with these raters' grades; the adjudicator's grade is in no figure here."
        )


def _inspection(about: About) -> Iterator[str]:
    found = about["agreement"]
    blind, verdicts = found["blind"], found["verdicts"]
    interval = blind.get("share_ci")
    share = f" (95 %: {interval[0]:.3f} to {interval[1]:.3f}, both people and texts as samples)" if interval else ""
    yield (
        f"{found['inspections']:,} inspections: {verdicts['accept']:,} accepted, {verdicts['return']:,} returned for "
        f"revision, {verdicts['discard']:,} discarded. Before they saw the key, inspectors chose the right response in "
        f"{blind['right']:,} of {found['inspections']:,} cases{share}, and could not decide in {blind['undecided']:,}."
    )
    if "variant" in about:
        yield "Inspectors judged the instances as the release has them, without safe replies."
    yield from _sampled(about, found.get("instances", {}))
    together = found.get("agreement", {"n": 0})
    if together["n"]:
        percent, kappa = (_number(together[name]) for name in ("percent", "kappa"))
        yield (
            f"Two people judged {together['n']:,} texts: the same verdict on {percent} of them, kappa {kappa} "
            "(Fleiss, unweighted)."
        )


def _sampled(about: About, found: About) -> Iterator[str]:
    """Yield, where some instances were accepted without inspection, how many and the estimated share of bad ones."""
    if not found.get("not_inspected"):
        return
    yield ""
    first, percent = (about["settings"][name] for name in ("first_in_full", "inspected_percent"))
    each_first = f"the first {first:,} of each author, " if first else ""
    yield (
        f"{found['not_inspected']:,} of the {about['counts']['instances']:,} instances were accepted without "
        f"inspection; `inspected` marks the others. Inspected were {each_first}{percent} % of the others by lot, and "
        "again all that was returned for revision, as it was set when the release was frozen."
    )
    if found["inspected"]:
        low, high = (100 * end for end in found["discarded_share_ci"])
        verb = "was" if found["discarded"] == 1 else "were"
        yield (
            f"{found['discarded']:,} of {found['inspected']:,} inspected instances {verb} discarded "
            f"({100 * found['discarded_share']:.1f} %; 95 %, Wilson: {low:.1f} to {high:.1f} %), which is the estimate "
            f"of the share of the others that inspectors would have discarded; {found['revised']:,} more were accepted "
            "only after they were returned for revision."
        )


def _reasoning(about: About) -> Iterator[str]:
    found = about["agreement"].get("reasoning")
    if not found:
        return
    yield (
        f"Two people each, none of them its author, named what it takes to find the right response of "
        f"{found['instances']:,} instances, with the key before them; they were unsure in {found['unsure']:,} of "
        f"{2 * found['instances']:,} answers. An instance counts half for each of its two people's types."
    )
    yield ""
    yield from table(
        ("type", "here", "95 %", "MuTual"),
        (
            (kind.replace("_", "-"), _number(each["share"]), _interval(each["share_ci"]), f"{each['published']:.2f}")
            for kind, each in ((kind, found["types"][kind]) for kind in Reasoning)
        ),
        numbers=3,
    )
    yield ""
    yield (
        f"Same answer of two: {_number(found['agreement']['percent'])}, kappa {_number(found['agreement']['kappa'])} "
        f"(pooled, unweighted, “unsure” as an answer of its own; n = {found['agreement']['n']:,})."
    )
    if "variant" in about:
        yield "Types were named of the instances as the release has them, without safe replies."


def _sources(about: About) -> Iterator[str]:
    licence = plain(about["source_licence"])
    yield (
        f"Licence of the texts: {licence}." if licence else "The licence of the texts is not recorded: ask before use."
    )
    if sources := about["statistics"]["all"].get("sources"):
        yield ""
        yield from table(
            ("source", "responses"),
            ((plain(source) or "not named", f"{sources[source]:,}") for source in sorted(sources)),
            numbers=1,
        )


def _limits(about: About) -> Iterator[str]:
    left_out = about["counts"]["left_out"]
    if about["kind"] == "rating":
        removed, rated = left_out["removed"], left_out["removed"] + about["counts"]["instances"]
        yield (
            f"- {removed:,} of {rated:,} pairs with all their grades ({100 * removed / rated:.1f} %) were removed "
            "because raters were too far apart: pairs that are hard to judge are rarer here than in the world."
        )
        yield "- A final grade is a mean of few grades; its half steps come from disagreement, not from a finer scale."
        if adjudicated := _adjudicated(about):
            yield f"- The final grade of pairs marked `adjudicated` ({adjudicated:,}) is no mean: one person gave it."
    if left_out["open"]:
        yield f"- {left_out['open']:,} more were not finished when the release was frozen."
    if undecided := left_out.get("disputed"):
        yield f"- {undecided:,} more waited for an adjudicator when the release was frozen."
    if without_text := left_out.get("without_text"):
        yield f"- {without_text:,} more were graded elsewhere and kept; their texts are not here."
    yield "- The texts were written by people elsewhere. Offensive, personal or wrong statements may be left in them."
    yield "- Grades and verdicts are judgements of the people who gave them, under the guideline named here."
    if about["kind"] == "rating":
        yield "- Words are counted with jieba, punctuation marks among them."


def _citation(about: About) -> Iterator[str]:
    year = about["frozen_at"][:4]
    yield f"> {plain(about['title'])}, release {about['release']} ({year}). SHA-256 {about['checksum'][:16]}."
    if _follows_study(about):
        yield ""
        yield f"and, for the protocol: {STUDIES[about['kind']]}."


def _follows_study(about: About) -> bool:
    """Tell whether the release was made as the study of its kind did it; of ratings that is its scale and filter."""
    return about["kind"] != "rating" or RatingSettings.from_mapping(about["settings"]).is_as_in_the_study


def _adjudicated(about: About) -> int:
    """Return the number of pairs whose final grade an adjudicator gave; 0 for releases older than adjudication."""
    number: int = about["agreement"].get("adjudicated", 0)
    return number


def _estimate(block: About, name: str) -> tuple[str, str]:
    return _number(block[name]), _interval(block[f"{name}_ci"])


def _interval(ends: Sequence[float] | None) -> str:
    return f"{ends[0]:.3f} to {ends[1]:.3f}" if ends else "–"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
