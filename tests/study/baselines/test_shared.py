"""Contexts that a model may have seen while it learned."""

from study.baselines.base import RankingInstance
from study.baselines.shared import shared_contexts


def asked(*contexts: tuple[str, ...]) -> list[RankingInstance]:
    return [RankingInstance(f"a{position}", context, ("yes", "no"), 0) for position, context in enumerate(contexts)]


def test_case_space_punctuation_and_turns_are_folded_away():
    train = [RankingInstance("t", ("Where is it?", "Here ."), ("x", "y"), 0)]
    questions = asked(("where  is it", "here"), ("Where is it? Here.",), ("Where is it?",), ("Where was it?", "Here."))
    assert shared_contexts(train, questions) == ["a0", "a1"]


def test_a_dialogue_holds_every_context_that_it_begins_with():
    train = [RankingInstance("t", ("One.", "Two.", "Three."))]
    assert shared_contexts(train, asked(("one",), ("one", "two"), ("two", "three"))) == ["a0", "a1"]


def test_without_training_nothing_is_shared():
    assert shared_contexts([], asked(("One.",))) == []
