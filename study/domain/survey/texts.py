"""First texts of a new study, in the languages of surveys: consent and instructions.

A survey never follows the browser's language, so they are here and not in the catalogue.
"""

LANGUAGES = {"en": "English", "zh-hans": "中文"}


TIME = {
    "en": "You have {minutes} minutes from when you press Begin. The clock does not stop.",
    "zh-hans": "从点“开始”起共 {minutes} 分钟，计时不暂停。",
}
NO_LIMIT = {
    "en": "As long as you like. You can close the page and go on later in the same browser.",
    "zh-hans": "不限时。可以关闭页面，以后用同一个浏览器继续。",
}
ABOUT = {
    "en": (", and one question about you", ", and {count} questions about you"),
    "zh-hans": ("，以及一个关于你的问题", "，以及{count}个关于你的问题"),
}
NUMBERS = {
    "en": ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    "zh-hans": ("零", "一", "两", "三", "四", "五", "六", "七", "八", "九", "十"),
}
PAY = {"en": "Pay: {pay}\n\n", "zh-hans": "报酬：{pay}\n\n"}
CONSENT = {
    "en": (
        "You read {questions} short conversations and choose how each goes on. We compare people's choices with those "
        "of computer models.\n\n"
        "Time: {time}\n\n"
        "{pay}"
        "Stored: Your choices, how long they took{about}. No name and no IP address. If a "
        "recruiting platform sent you, its number for you is kept apart from your answers, to see that nobody takes "
        "part twice.\n\n"
        "Stopping: At any time, on every page. If you withdraw, your answers are deleted for good. Of a platform's "
        "number only a mark stays, from which it cannot be read, so that it is not used again.\n\n"
        "Who: {by}"
    ),
    "zh-hans": (
        "你将读 {questions} 段简短的对话，选出接下来的一句。我们会把人的选择与计算机模型的选择作比较。\n\n"
        "用时：{time}\n\n"
        "{pay}"
        "保存的内容：你的选择、用时{about}。不记录姓名和 IP 地址。如果你来自招募平台，"
        "平台给你的编号会与回答分开保存，仅用于确认每人只参加一次。\n\n"
        "退出：随时可以，每页都有入口。退出后，你的回答会被彻底删除。平台编号只留下一个无法还原的标记，"
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


def consent(language: str, *, questions: int, minutes: int, about: int, pay: str = "", by: str) -> str:
    """Return the consent, its paragraphs separated by an empty line.

    A paragraph that begins with a word and a colon is a row of facts on the page. `questions` is the number that a
    person answers, `minutes` their time (0: no limit), `about` how many questions are about them, `pay` what they are
    paid (empty: nothing is said), `by` the name of the researcher, "" where it is unknown.
    """
    time = TIME[language] if minutes else NO_LIMIT[language]
    return CONSENT[language].format(
        questions=questions,
        time=time.format(minutes=minutes),
        about=_about(language, about),
        pay=PAY[language].format(pay=pay) if pay else "",
        by=by or NOBODY_NAMED[language],
    )


def _about(language: str, count: int) -> str:
    if not count:
        return ""
    one, several = ABOUT[language]
    names = NUMBERS[language]
    return one if count == 1 else several.format(count=names[count] if count < len(names) else count)
