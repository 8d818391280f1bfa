"""First texts of a new study, in the languages of surveys: consent and instructions.

A survey never follows the browser's language, so they are here and not in the catalogue.
"""

LANGUAGES = {"en": "English", "zh-hans": "中文"}


TIME = {
    "en": "You have {minutes} minutes from when you press Begin. The clock does not stop.",
    "zh-hans": "点击“开始”后计时 {minutes} 分钟，中途不暂停。",
}
NO_LIMIT = {  # by who takes the study
    "link": {
        "en": (
            "As long as you like. You can close the page and continue later in the same browser, or with the link that "
            "you are given."
        ),
        "zh-hans": "不限时。可以关闭页面，以后用同一个浏览器，或用给你的链接继续。",
    },
    "signed-in": {
        "en": "As long as you like, in as many sittings as you like. Sign in and continue where you stopped.",
        "zh-hans": "不限时，可以分多次完成。登录后从上次停下的地方继续。",
    },
}
ABOUT = {
    "en": (", and your answer to one question about you", ", and your answers to {count} questions about you"),
    "zh-hans": ("，以及对一个关于你的问题的回答", "，以及对{count}个关于你的问题的回答"),
}
NUMBERS = {
    "en": ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    "zh-hans": ("零", "一", "两", "三", "四", "五", "六", "七", "八", "九", "十"),
}
PAY = {"en": "Pay: {pay}\n\n", "zh-hans": "报酬：{pay}\n\n"}
CONSENT = {
    "en": (
        "You read {questions} short conversations and choose how each continues. We compare people's choices with "
        "those of computer models.\n\n"
        "Time: {time}\n\n"
        "{pay}"
        "Stored: Your choices, when you made them and how long they took{about}; which lines came on your "
        "screen; how often and how long you leave the page, how often you copy or paste, and signs that a program "
        "answers. {identity}\n\n"
        "Stopping: At any time, on every page{later}. If you withdraw, all of this is deleted for good. {mark}\n\n"
        "Who: {by}"
    ),
    "zh-hans": (
        "你将读 {questions} 段简短的对话，选出接下来的一句。我们会把人的选择与计算机模型的选择作比较。\n\n"
        "用时：{time}\n\n"
        "{pay}"
        "保存的内容：你的选择、作出选择的时间和用时{about}；哪些句子在屏幕上出现过；离开页面的次数和时长、复制和粘贴的次数，以及由程序作答的迹象。"
        "{identity}\n\n"
        "退出：随时可以，每页都有入口{later}。退出后，以上内容会被彻底删除。{mark}\n\n"
        "负责人：{by}"
    ),
}
IDENTITY = {  # by who takes the study: what is kept of who they are
    "link": {
        "en": (
            "No name and no IP address. If a recruiting platform sent you, its number for you is kept apart from your "
            "answers, so that you can be paid and no one takes part twice."
        ),
        "zh-hans": (
            "不记录姓名和 IP 地址。如果你来自招募平台，平台给你的编号会与回答分开保存，"
            "仅用于支付报酬和确认每人只参加一次。"
        ),
    },
    "signed-in": {
        "en": (
            "No IP address. Your account is kept apart from your answers, so that you can continue on any device; the "
            "researchers see your figures under your name."
        ),
        "zh-hans": "不记录 IP 地址。你的账号与回答分开保存，以便你在任何设备上继续；研究员能看到你的结果和姓名。",
    },
}
LATER = {  # by who takes the study: how they withdraw once it is over
    "link": {"en": ", and later with the link that you are given", "zh-hans": "，以后也可以用给你的链接退出"},
    "signed-in": {"en": "", "zh-hans": ""},
}
MARK = {  # and after a withdrawal
    "link": {
        "en": (
            "Only a fingerprint of the platform's number is kept, so that the same number cannot take part again. "
            "The number cannot be recovered from it."
        ),
        "zh-hans": "平台编号只留下一个无法还原的标记，用于防止同一编号再次参加。",
    },
    "signed-in": {
        "en": (
            "Only a fingerprint of your account is kept, so that you do not take part again. "
            "The account cannot be recovered from it."
        ),
        "zh-hans": "你的账号只留下一个无法还原的标记，用于防止再次参加。",
    },
}
NO_ONE_NAMED = {"en": "The research team.", "zh-hans": "研究团队。"}
ASKED = {  # by what a study asks of each question
    "first": {
        "en": "Choose the line that most likely comes next.",
        "zh-hans": "选出最可能接下去的一句。",
    },
    "first-second": {
        "en": "Choose the line that most likely comes next, and a second one in case the first is wrong.",
        "zh-hans": "选出最可能接下去的一句，再选一个次选，以防首选不对。",
    },
    "ranking": {
        "en": "Put all lines in order: the one that most likely comes next first, the least likely last.",
        "zh-hans": "为所有句子排序：最可能接下去的排第一，最不可能的排最后。",
    },
}
INSTRUCTIONS = {
    "en": (
        "Each conversation breaks off. {asked}\n\n"
        "The lines may all be good sentences. Only one of them really came next."
    ),
    "zh-hans": ("每段对话都在中途停住。{asked}\n\n每一句单独看都可能通顺，但只有一句是原对话中的下一句。"),
}


def instructions(language: str, answer: str) -> str:
    """Return the instructions for what a study asks of each question: a first choice, two, or a ranking."""
    return INSTRUCTIONS[language].format(asked=ASKED[answer][language])


def consent(language: str, *, questions: int, minutes: int, takers: str, about: int, pay: str = "", by: str) -> str:
    """Return the consent, its paragraphs separated by an empty line.

    A paragraph that begins with a word and a colon is a row of facts on the page. `questions` is the number that a
    person answers, `minutes` their time (0: no limit), `takers` who they are, `about` how many questions are about
    them, `pay` what they are paid (empty: nothing is said), `by` the name of the researcher, "" where it is unknown.
    """
    return CONSENT[language].format(
        questions=questions,
        time=(TIME if minutes else NO_LIMIT[takers])[language].format(minutes=minutes),
        about=_about(language, about),
        pay=PAY[language].format(pay=pay) if pay else "",
        identity=IDENTITY[takers][language],
        later=LATER[takers][language],
        mark=MARK[takers][language],
        by=by or NO_ONE_NAMED[language],
    )


def _about(language: str, count: int) -> str:
    if not count:
        return ""
    one, several = ABOUT[language]
    names = NUMBERS[language]
    return one if count == 1 else several.format(count=names[count] if count < len(names) else count)
