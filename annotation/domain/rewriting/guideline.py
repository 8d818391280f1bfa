"""The guideline of a rewriting project: what its authors read, and what its inspectors read."""

from collections.abc import Iterator
from typing import TypedDict

from annotation.domain.rating.guideline import TypeWords, keep_language

LONGEST = 10_000  # characters of each text


class RewritingGuideline(TypedDict):
    """Texts in paragraphs, separated by an empty line, in Chinese, English or both."""

    authors: TypeWords
    inspectors: TypeWords


AUTHORS = TypeWords(
    en=(
        "Cut the dialogue after the turns that hold the clue, so that the next turn can be reasoned out from what "
        "comes before the cut.\n\n"
        "Write four next turns of the same speaker. The right one follows from the right answer. Two wrong ones follow "
        "from the wrong answers. The fourth is made from the right answer, too, but is wrong in this context.\n\n"
        "Each wrong turn makes sense on its own: only this context rules it out.\n\n"
        "Use phrases of the context in all four, and make them about equally long. Then no one can find the right one "
        "by matching words or by its length."
    ),
    zh=(
        "在出现线索的话轮之后切开对话，使读者能根据切点之前的内容推出下一句。\n\n"
        "为同一位说话人写四个下一句：正确的一句依据正确选项；两句错误的依据错误选项；第四句也由正确选项改写，但在这段上文中是错的。\n\n"
        "每句错误的话单独看都要通顺合理，只有结合上文才能排除。\n\n"
        "四句都尽量使用上文中的词语，长度也要相近，这样就不能靠匹配词语或看长度找出正确的一句。"
    ),
)
INSPECTORS = TypeWords(
    en=(
        "Answer first, from the context alone. Say that you cannot decide where you cannot.\n\n"
        "Then judge two things: is the turn marked as right really right, and is it the only right one?\n\n"
        "Doubt about either is enough. Send the item back where its author can revise it, and say what is wrong and "
        "where. Discard it where the dialogue holds no clue, or should not be shown to anyone."
    ),
    zh=(
        "先只看上文作答；确实无法判断时，选“无法判断”。\n\n"
        "然后判断两点：标为正确的一句是否真的正确；它是否是唯一正确的一句。\n\n"
        "只要对其中一点有疑问，就不通过。改写者能改好的，退回并说明哪里有什么问题；对话中没有线索，或内容不宜展示的，予以废弃。"
    ),
)


def default_guideline(language: str) -> RewritingGuideline:
    """Return the guideline that a rewriting project begins with (MuTual, 3.2), in a language, one of LANGUAGES."""
    return in_language(RewritingGuideline(authors=AUTHORS, inspectors=INSPECTORS), language)


def in_language(guideline: RewritingGuideline, language: str) -> RewritingGuideline:
    """Return the guideline without the other language; a text that has no other words keeps them."""
    spoken = RewritingGuideline(
        authors=TypeWords(**guideline["authors"]), inspectors=TypeWords(**guideline["inspectors"])
    )
    for _part, words in texts_of(spoken):
        keep_language(words, language)
    return spoken


def texts_of(guideline: RewritingGuideline) -> Iterator[tuple[str, TypeWords]]:
    """Yield the texts, by whom they are for."""
    yield "authors", guideline["authors"]
    yield "inspectors", guideline["inspectors"]


def followed(guideline: RewritingGuideline, before: str, after: str) -> RewritingGuideline:
    """Return the guideline after a change of the language: a first one that no one edited is another first one."""
    return default_guideline(after) if guideline == default_guideline(before) else in_language(guideline, after)
