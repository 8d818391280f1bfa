"""Questions about a participant. A study begins with those of the published one (NUC, 4.4) that fit; all are optional.

They are in the languages of surveys and not in the catalogue: a survey never follows the browser's language.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from core.domain.text import one_line
from core.domain.wording import ChoiceError, gettext_noop

LONGEST_TEXT = 200  # characters of a question or an answer
LONGEST_KEY = 40
MOST_QUESTIONS, MOST_ANSWERS = 30, 20
NONE = "none"
UBUNTU = "ubuntu"
TAKEN = ("person", "csrfmiddlewaretoken")  # other fields of the page that asks


class DemographicQuestion(NamedTuple):
    """A question with its answers by key; keys are what files and exports have, texts what participants read."""

    key: str
    text: str
    answers: dict[str, str]

    def as_mapping(self) -> dict[str, Any]:
        """Return the question as it is stored: the answers in a list, since a database may sort an object's keys."""
        answers = [{"key": key, "text": text} for key, text in self.answers.items()]
        return {"key": self.key, "text": self.text, "answers": answers}


def from_mapping(stored: Mapping[str, Any]) -> DemographicQuestion:
    """Build a question from what `as_mapping` returned."""
    answers = {each["key"]: each["text"] for each in stored["answers"]}
    return DemographicQuestion(stored["key"], stored["text"], answers)


KNOWN = {
    "en": [
        DemographicQuestion("gender", "Gender", {"female": "Female", "male": "Male", "other": "Another"}),
        DemographicQuestion(
            "age",
            "Age",
            {"18-20": "18–20", "21-30": "21–30", "31-40": "31–40", "41-55": "41–55", "55+": "over 55"},
        ),
        DemographicQuestion(
            "english",
            "Your English",
            {"beginner": "Beginner", "intermediate": "Intermediate", "advanced": "Advanced", "fluent": "Fluent"},
        ),
        DemographicQuestion(
            "education",
            "Education",
            {
                "high_school": "High school or less",
                "bachelor": "Bachelor’s degree",
                "master": "Master’s degree",
                "doctorate": "Doctorate or higher",
            },
        ),
        DemographicQuestion(
            "ubuntu",
            "Ubuntu, the operating system",
            {
                "never": "Never used it",
                "basic": "Basic knowledge",
                "intermediate": "Some experience",
                "expert": "Expert",
            },
        ),
    ],
    "zh-hans": [
        DemographicQuestion("gender", "性别", {"female": "女", "male": "男", "other": "其他"}),
        DemographicQuestion(
            "age",
            "年龄",
            {"18-20": "18–20", "21-30": "21–30", "31-40": "31–40", "41-55": "41–55", "55+": "56 岁及以上"},
        ),
        DemographicQuestion(
            "chinese",
            "你的中文水平",
            {"beginner": "初级", "intermediate": "中级", "advanced": "高级", "fluent": "流利"},
        ),
        DemographicQuestion(
            "english",
            "你的英语水平",
            {"beginner": "初级", "intermediate": "中级", "advanced": "高级", "fluent": "流利"},
        ),
        DemographicQuestion(
            "education",
            "学历",
            {"high_school": "高中及以下", "bachelor": "本科", "master": "硕士", "doctorate": "博士及以上"},
        ),
        DemographicQuestion(
            "ubuntu",
            "Ubuntu 操作系统",
            {"never": "从未用过", "basic": "略有了解", "intermediate": "有一定经验", "expert": "专家"},
        ),
    ],
}


OTHER_LANGUAGES = {"en": (), "zh-hans": ("english",)}  # asked where a researcher adds them, by their keys


def first_questions(language: str, corpora: Iterable[str]) -> list[DemographicQuestion]:
    """Return the questions that a study begins with: the five of the published one, each where it fits.

    The question about a language is about that of the survey; the one about Ubuntu is asked where a corpus bears its
    name, one of `corpora`.
    """
    left_out = {*OTHER_LANGUAGES[language], *(() if any(UBUNTU in name.casefold() for name in corpora) else (UBUNTU,))}
    return [question for question in KNOWN[language] if question.key not in left_out]


def own_question(text: str, answers: Iterable[str], taken: Iterable[str] = ()) -> DemographicQuestion:
    """Return a question of a researcher's own words, with keys made of them that are not `taken`.

    Raises ChoiceError for an empty or long text, and for fewer than two or equal answers.
    """
    asked, said = one_line(text), [one_line(answer) for answer in answers if one_line(answer)]
    if not asked or any(len(each) > LONGEST_TEXT for each in [asked, *said]):
        raise ChoiceError(
            gettext_noop("A question about participants and each of its answers must have 1 to %(most)s characters."),
            most=LONGEST_TEXT,
        )
    if not 2 <= len(set(said)) == len(said) <= MOST_ANSWERS:
        raise ChoiceError(
            gettext_noop("“%(question)s” needs 2 to %(most)s different answers."), question=asked, most=MOST_ANSWERS
        )
    keys: list[str] = []
    for answer in said:
        keys.append(_key(answer, "answer", keys))
    return DemographicQuestion(_key(asked, "question", taken), asked, dict(zip(keys, said, strict=True)))


def _key(text: str, otherwise: str, taken: Iterable[str]) -> str:
    """Return a key that files can have: letters, digits and underscores, numbered where it is taken."""
    plain = re.sub(r"[^a-z0-9+-]+", "_", text.casefold()).strip("_")[:LONGEST_KEY] or otherwise
    used = {*taken, *TAKEN}
    numbered = (f"{plain}_{number}" for number in range(2, len(used) + 3))
    return plain if plain not in used else next(key for key in numbered if key not in used)


def reworded(question: DemographicQuestion, own: DemographicQuestion) -> DemographicQuestion:
    """Return the question with the text and the answers of another; answers of equal text keep their keys."""
    key_of = {text: key for key, text in question.answers.items()}
    answers: dict[str, str] = {}
    for text in own.answers.values():
        answers[key_of.get(text) or _key(text, "answer", {*answers, *key_of.values()})] = text
    return DemographicQuestion(question.key, own.text, answers)


def as_typed(text: str, language: str) -> list[DemographicQuestion]:
    """Return the questions that a text names, separated by semicolons; “none” names none.

    One of KNOWN goes by its key, one's own is written as TEXT: ANSWER | ANSWER. Raises ChoiceError.

    >>> [question.key for question in as_typed("age; Films a month: none | 1-4 | more", "en")]
    ['age', 'films_a_month']
    """
    if text.strip() == NONE:
        return []
    known, found = {question.key: question for question in KNOWN[language]}, list[DemographicQuestion]()
    for part in filter(None, (part.strip() for part in text.split(";"))):
        asked, colon, answers = part.partition(":")
        if colon:
            found.append(own_question(asked, answers.split("|"), [*known, *(each.key for each in found)]))
        elif part in known:
            found.append(known[part])
        else:
            raise ChoiceError(
                gettext_noop(
                    "“%(name)s” is not a question about participants. Known: %(known)s. Your own: TEXT: A | B."
                ),
                name=part,
                known=", ".join(known),
            )
    return checked(found)


def checked(questions: Sequence[DemographicQuestion]) -> list[DemographicQuestion]:
    """Return the questions. Raises ChoiceError for too many, and for one that is named twice."""
    keys = [question.key for question in questions]
    if len(keys) > MOST_QUESTIONS or len(set(keys)) < len(keys):
        raise ChoiceError(
            gettext_noop("A study asks at most %(most)s questions about participants, each once."), most=MOST_QUESTIONS
        )
    return list(questions)


def moved(questions: Sequence[DemographicQuestion], key: str, steps: int) -> list[DemographicQuestion]:
    """Return the questions with one of them so many places later, or earlier; it stays within the list."""
    [at] = [place for place, question in enumerate(questions) if question.key == key]
    rest = [question for question in questions if question.key != key]
    to = min(max(at + steps, 0), len(rest))
    return [*rest[:to], questions[at], *rest[to:]]
