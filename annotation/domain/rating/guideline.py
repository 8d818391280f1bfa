"""The guideline beside the grades: names, types of responses and examples, in Chinese and English.

A guideline is plain JSON, because every version is stored and each rating names the version that it was made under.
"""

from typing import TypedDict


class TypeWords(TypedDict):
    """A text in Chinese and English."""

    zh: str
    en: str


class ResponseType(TypedDict):
    """A kind of response, with an example; the reason that an annotator may give for a grade."""

    key: str
    name: TypeWords
    example: TypeWords


class GradeGuide(TypedDict):
    """The name of a grade and the types of responses that deserve it."""

    grade: int
    name: TypeWords
    types: list[ResponseType]


class Guideline(TypedDict):
    """The guideline: ``prompt`` is answered by every example, None without examples; grades are in ascending order."""

    prompt: TypeWords | None
    grades: list[GradeGuide]


STUDY_PROMPT = TypeWords(zh="明天考试，好紧张。", en="Exam tomorrow, so nervous.")
STUDY_NAMES = {
    1: TypeWords(zh="差", en="bad"),
    2: TypeWords(zh="较差", en="mediocre"),
    3: TypeWords(zh="可接受", en="acceptable"),
    4: TypeWords(zh="好", en="good"),
    5: TypeWords(zh="优秀", en="excellent"),
}
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
        ResponseType(key=key, name=TypeWords(zh=name_zh, en=name_en), example=TypeWords(zh=example_zh, en=example_en))
        for grade, key, name_zh, name_en, example_zh, example_en in STUDY_TYPES
        if grade == of_grade
    ]


def study_guideline() -> Guideline:
    """Return the guideline of the 5-grade study, grades 1 to 5, with examples of our own."""
    grades = [GradeGuide(grade=grade, name=name, types=_types(grade)) for grade, name in STUDY_NAMES.items()]
    return Guideline(prompt=STUDY_PROMPT, grades=grades)


def bare_guideline(grades: tuple[int, ...]) -> Guideline:
    """Return a guideline of numbers, only the ends named, without types or examples.

    ``grades``: at least two, in ascending order.
    """
    names = {grade: TypeWords(zh=f"{grade} 分", en=f"grade {grade}") for grade in grades}
    names |= {grades[0]: TypeWords(zh="最低", en="lowest"), grades[-1]: TypeWords(zh="最高", en="highest")}
    return Guideline(prompt=None, grades=[GradeGuide(grade=grade, name=names[grade], types=[]) for grade in grades])
