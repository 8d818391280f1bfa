"""The guideline beside the grades: what is judged, the grades, types of responses and examples, in one language or two.

A guideline is plain JSON, because every version is stored and each rating names the version that it was made under.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, TypedDict

from annotation.domain.languages import WRITTEN


class TypeWords(TypedDict):
    """A text in Chinese and English; empty in a language that it is not written in."""

    zh: str
    en: str


class ResponseType(TypedDict):
    """A kind of response, with an example; the reason that an annotator may give for a grade.

    A retired type is chosen no more; it stays, because grades name it.
    """

    key: str
    name: TypeWords
    example: TypeWords
    is_retired: bool


class GradeGuide(TypedDict):
    """The name of a grade, what it means, whether it counts as failed, and the types of responses that deserve it."""

    grade: int
    name: TypeWords
    meaning: TypeWords
    is_failed: bool
    types: list[ResponseType]


class Guideline(TypedDict):
    """The guideline: ``prose`` is read first, ``prompt`` is answered by every example; grades go up."""

    prose: TypeWords
    prompt: TypeWords
    grades: list[GradeGuide]


def no_words() -> TypeWords:
    return TypeWords(zh="", en="")


STUDY_PROMPT = TypeWords(zh="明天考试，好紧张。", en="Exam tomorrow, so nervous.")
STUDY_NAMES = {
    1: TypeWords(zh="差", en="bad"),
    2: TypeWords(zh="较差", en="mediocre"),
    3: TypeWords(zh="可接受", en="acceptable"),
    4: TypeWords(zh="好", en="good"),
    5: TypeWords(zh="优秀", en="excellent"),
}
STUDY_FAILED = (1, 2)
# grade, key, name (Chinese, English), example (Chinese, English)
STUDY_TYPES = (
    (1, "nonsense", "不知所云", "nonsense", "紧张考试的明天苹果是。", "Nervous exam's tomorrow apple is."),
    (1, "irrelevant", "不相关", "irrelevant", "我家的猫今天洗澡了。", "My cat had a bath today."),
    (
        2,
        "incoherent",
        "不连贯",
        "incoherent",
        "考试紧张，所以电影票已经退了。",
        "Exams are tense, so the tickets are refunded.",
    ),
    (2, "echoing", "重复提问", "echoing", "明天考试啊，那是挺紧张的。", "Exam tomorrow, that is quite nervous."),
    (
        3,
        "limited",
        "受时间地点限制",
        "limited in place or time",
        "我们学校也是明天考，在三号楼。",
        "Ours is tomorrow too, in building 3.",
    ),
    (3, "versatile", "万能回复", "versatile, fits anything", "嗯，会好的。", "Mm, it will be fine."),
    (
        4,
        "natural",
        "贴切自然",
        "fits, natural",
        "早点睡吧，明天状态好最重要。",
        "Sleep early, being fresh matters most.",
    ),
    (
        5,
        "informative",
        "信息丰富",
        "informative",
        "写下最没把握的三道题，先看这三道。",
        "List the three you fear most, start there.",
    ),
    (5, "interesting", "有趣", "interesting", "会紧张，说明你还记得要考。", "Nervous? At least you remembered."),
    (
        5,
        "new_topic",
        "引出新话题",
        "opens a new topic",
        "考完去爬山吗？红叶正好。",
        "Hiking afterwards? The leaves are turning.",
    ),
)


def _types(of_grade: int) -> list[ResponseType]:
    return [
        ResponseType(
            key=key,
            name=TypeWords(zh=name_zh, en=name_en),
            example=TypeWords(zh=example_zh, en=example_en),
            is_retired=False,
        )
        for grade, key, name_zh, name_en, example_zh, example_en in STUDY_TYPES
        if grade == of_grade
    ]


def study_guideline() -> Guideline:
    """Return the guideline of the 5-grade study, grades 1 to 5, with examples of our own."""
    grades = [
        GradeGuide(
            grade=grade,
            name=TypeWords(**name),
            meaning=no_words(),
            is_failed=grade in STUDY_FAILED,
            types=_types(grade),
        )
        for grade, name in STUDY_NAMES.items()
    ]
    return Guideline(prose=no_words(), prompt=TypeWords(**STUDY_PROMPT), grades=grades)


def bare_guideline(grades: tuple[int, ...]) -> Guideline:
    """Return a guideline of numbers, only the ends named, without types or examples.

    ``grades``: at least two, in ascending order.
    """
    names = {grade: TypeWords(zh=f"{grade} 分", en=f"grade {grade}") for grade in grades}
    names |= {grades[0]: TypeWords(zh="最低", en="lowest"), grades[-1]: TypeWords(zh="最高", en="highest")}
    guides = [
        GradeGuide(grade=grade, name=names[grade], meaning=no_words(), is_failed=False, types=[]) for grade in grades
    ]
    return Guideline(prose=no_words(), prompt=no_words(), grades=guides)


def complete(stored: Any) -> Guideline:
    """Return a stored guideline with all its parts: the first versions had neither prose nor meanings.

    They did not say which grades count as failed either: those of the study do, by name.
    """
    grades = [
        GradeGuide(
            grade=guide["grade"],
            name=guide["name"],
            meaning=guide.get("meaning") or no_words(),
            is_failed=guide.get("is_failed", guide["name"] in [STUDY_NAMES[failed] for failed in STUDY_FAILED]),
            types=[
                ResponseType(
                    key=kind["key"],
                    name=kind["name"],
                    example=kind["example"],
                    is_retired=kind.get("is_retired", False),
                )
                for kind in guide["types"]
            ],
        )
        for guide in stored["grades"]
    ]
    return Guideline(prose=stored.get("prose") or no_words(), prompt=stored.get("prompt") or no_words(), grades=grades)


def texts_of(guideline: Guideline) -> Iterator[tuple[str, str, TypeWords]]:
    """Yield every text: its place (``g0-t1-name`` is the name of the second type of the first grade), kind and words.

    The kinds are the keys of ``LONGEST`` in guideline_rules.
    """
    yield "prose", "prose", guideline["prose"]
    yield "prompt", "prompt", guideline["prompt"]
    for row, guide in enumerate(guideline["grades"]):
        yield f"g{row}-name", "name", guide["name"]
        yield f"g{row}-meaning", "meaning", guide["meaning"]
        for number, kind in enumerate(guide["types"]):
            yield f"g{row}-t{number}-name", "name", kind["name"]
            yield f"g{row}-t{number}-example", "example", kind["example"]


def in_language(guideline: Guideline, language: str) -> Guideline:
    """Return the guideline without the other language, one of LANGUAGES; a text that has no other words keeps them."""
    spoken = deepcopy(guideline)
    for _place, _kind, words in texts_of(spoken):
        keep_language(words, language)
    return spoken


def keep_language(words: TypeWords, language: str) -> None:
    """Empty the other language of a text that is written in this one."""
    if any(words[key] for key in WRITTEN[language]):  # type: ignore[literal-required]
        for key in {"zh", "en"} - set(WRITTEN[language]):
            words[key] = ""  # type: ignore[literal-required]


def rescaled(guideline: Guideline, first: Guideline, bare: Guideline) -> Guideline:
    """Return ``bare``, the guideline of another scale, with what the guideline says of grades that both have.

    A grade that still is as in ``first``, the guideline that this one began as, gets the words of the other scale.
    """
    known = {guide["grade"]: guide for guide in guideline["grades"] if guide not in first["grades"]}
    grades = [known.get(guide["grade"], guide) for guide in bare["grades"]]
    return Guideline(prose=guideline["prose"], prompt=guideline["prompt"], grades=grades)
