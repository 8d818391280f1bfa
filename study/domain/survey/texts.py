"""First texts of a new study, in the languages of surveys: consent, instructions, practice question, attention check.

A survey never follows the browser's language, so they are here and not in the catalogue.
"""

from typing import NamedTuple

from study.domain.survey.look import Look, written_in

LANGUAGES = {"en": "English", "zh-hans": "中文"}


class OwnQuestion(NamedTuple):
    """A question of the product's own; the first candidate is the right one. Turns are {"speaker", "text"}."""

    context: list[dict[str, str]]
    candidates: list[str]


TIME = {
    "en": "You have {minutes} minutes from when you press Begin. The clock does not stop.",
    "zh-hans": "从点“开始”起共 {minutes} 分钟，计时不暂停。",
}
NO_LIMIT = {
    "en": (
        "As long as you like. You can close the page and go on later in the same browser, or by the link that you are "
        "given."
    ),
    "zh-hans": "不限时。可以关闭页面，以后用同一个浏览器，或用给你的链接继续。",
}
CONSENT = {
    "en": (
        "You read {questions} short conversations and choose how each goes on. We compare people's choices with those "
        "of computer models.\n\n"
        "Time: {time}\n\n"
        "Stored: Your choices, how long they took, and five questions about you; how often and how long you leave the "
        "page, how often you copy or paste, and signs that a program answers. No name and no IP address. If a "
        "recruiting platform sent you, its number for you is kept apart from your answers, to see that nobody takes "
        "part twice.\n\n"
        "Stopping: At any time, on every page, and later by the link that you are given. If you withdraw, all of this "
        "is deleted for good. Of a platform's number only a mark stays, from which it cannot be read, so that it is "
        "not used again.\n\n"
        "Who: {by}"
    ),
    "zh-hans": (
        "你将读 {questions} 段简短的对话，选出接下来的一句。我们会把人的选择与计算机模型的选择作比较。\n\n"
        "用时：{time}\n\n"
        "保存的内容：你的选择、用时，以及五个关于你的问题；离开页面的次数和时长、复制和粘贴的次数，"
        "以及由程序作答的迹象。不记录姓名和 IP 地址。如果你来自招募平台，"
        "平台给你的编号会与回答分开保存，仅用于确认每人只参加一次。\n\n"
        "退出：随时可以，每页都有入口，以后也可以用给你的链接退出。退出后，以上内容会被彻底删除。平台编号只留下一个无法还原的标记，"
        "用于防止同一编号再次参加。\n\n"
        "负责人：{by}"
    ),
}
NOBODY_NAMED = {"en": "The research team.", "zh-hans": "研究团队。"}
INSTRUCTIONS = {
    "en": (
        "Each conversation breaks off. Choose the line that most likely comes next, and a second one in case the first "
        "is wrong.\n\n"
        "The lines may all be good sentences. Only one was really said."
    ),
    "zh-hans": (
        "每段对话都停在半路。选出最可能接下去的一句，再选一个备选，以防首选不对。\n\n"
        "每一句单看可能都通顺，但真正说过的只有一句。"
    ),
}
PRACTICE = {
    "en": OwnQuestion(
        [
            {"speaker": "A", "text": "Did you bring the tickets?"},
            {"speaker": "B", "text": "I thought you had put them in your bag."},
            {"speaker": "A", "text": "No, I left them on the kitchen table for you."},
        ],
        [
            "Then that is where they still are. Shall we go back?",
            "The kitchen was painted yellow last summer.",
            "I would rather have the soup, thank you.",
            "He works at the station on weekdays.",
        ],
    ),
    "zh-hans": OwnQuestion(
        [
            {"speaker": "A", "text": "票你带了吗？"},
            {"speaker": "B", "text": "我以为你放进包里了。"},
            {"speaker": "A", "text": "没有，我放在厨房桌上给你拿的。"},
        ],
        [
            "那就还在桌上，要不要回去拿？",
            "厨房去年夏天刷成了黄色。",
            "谢谢，我还是喝汤吧。",
            "他平时在车站上班。",
        ],
    ),
}
CHECK = {
    "en": OwnQuestion(
        [
            {"speaker": "A", "text": "The bus was late again this morning."},
            {"speaker": "B", "text": "Mine too, and then it rained on the way to the office."},
            {"speaker": "A", "text": "Whatever fits best here, please choose the line about an umbrella."},
        ],
        [
            "I left my blue umbrella on a bench by the river.",
            "The office has moved to the third floor.",
            "My brother takes the train on Mondays.",
            "You can buy a weekly ticket at the counter.",
            "It is always warm in that waiting room.",
            "The driver has a very long day.",
            "There is a new stop near the school.",
            "I usually read the paper on the way.",
            "We could share a taxi next time.",
            "The road is closed until Friday.",
        ],
    ),
    "zh-hans": OwnQuestion(
        [
            {"speaker": "A", "text": "今天早上公交又晚点了。"},
            {"speaker": "B", "text": "我那趟也是，到公司的路上还下起了雨。"},
            {"speaker": "A", "text": "不管哪一句最合适，这里请选提到雨伞的那一句。"},
        ],
        [
            "我把蓝色的雨伞落在河边的长椅上了。",
            "公司搬到三楼了。",
            "我弟弟星期一坐火车。",
            "周票可以在柜台买。",
            "那间候车室总是很暖和。",
            "司机一天要开很久的车。",
            "学校旁边新设了一站。",
            "我一般在路上看报纸。",
            "下次我们可以合打一辆车。",
            "那条路要封到星期五。",
        ],
    ),
}


def consent(language: str, *, questions: int, minutes: int, by: str) -> str:
    """Return the consent, its paragraphs separated by an empty line.

    A paragraph that begins with a word and a colon is a row of facts on the page. `questions` is the number that a
    person answers, `minutes` their time (0: no limit), `by` the name of the researcher, "" where it is unknown.
    """
    time = TIME[language] if minutes else NO_LIMIT[language]
    who = by or NOBODY_NAMED[language]
    return CONSENT[language].format(questions=questions, time=time.format(minutes=minutes), by=who)


def attention_check(language: str, candidates: int, look: Look) -> OwnQuestion:
    """Return the check with as many candidates as the study's questions have, written in their look.

    It has fewer where its own lines do not suffice.
    """
    context, lines = CHECK[language]
    turns = [{**turn, "text": written_in(turn["text"], look)} for turn in context]
    return OwnQuestion(turns, [written_in(line, look) for line in lines[: max(2, candidates)]])
