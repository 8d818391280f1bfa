"""Lines of the data card about the models that graded a release."""

from collections.abc import Iterator, Mapping

from annotation.exporters.markdown import plain, table


def graded_by_models(graded: Mapping[str, int]) -> Iterator[str]:
    """Yield lines about models, given how many pairs of the release each graded; none without a model."""
    if not graded:
        return
    yield (
        "No model is one of the raters. Grades by models are in the columns `models` and `model_grades` alone: in no "
        "final grade, filter, agreement or count of people."
    )
    yield ""
    yield from table(("model", "pairs graded"), ((plain(name), f"{n:,}") for name, n in graded.items()), numbers=1)
