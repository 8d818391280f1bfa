"""The five questions about a participant, as the study asked them (NUC, 4.4). All are optional."""

from core.domain.wording import gettext_noop

# Question and its answers: key in files and exports → text for the participant.
QUESTIONS: dict[str, tuple[str, dict[str, str]]] = {
    "gender": (
        gettext_noop("Gender"),
        {
            "female": gettext_noop("Female"),
            "male": gettext_noop("Male"),
            "other": gettext_noop("Another"),
        },
    ),
    "age": (
        gettext_noop("Age"),
        {
            "18-20": "18–20",
            "21-30": "21–30",
            "31-40": "31–40",
            "41-55": "41–55",
            "55+": gettext_noop("over 55"),
        },
    ),
    "english": (
        gettext_noop("Your English"),
        {
            "beginner": gettext_noop("Beginner"),
            "intermediate": gettext_noop("Intermediate"),
            "advanced": gettext_noop("Advanced"),
            "fluent": gettext_noop("Fluent"),
        },
    ),
    "education": (
        gettext_noop("Education"),
        {
            "high_school": gettext_noop("High school or less"),
            "bachelor": gettext_noop("Bachelor’s degree"),
            "master": gettext_noop("Master’s degree"),
            "doctorate": gettext_noop("Doctorate or higher"),
        },
    ),
    "ubuntu": (
        gettext_noop("Ubuntu, the operating system"),
        {
            "never": gettext_noop("Never used it"),
            "basic": gettext_noop("Basic knowledge"),
            "intermediate": gettext_noop("Some experience"),
            "expert": gettext_noop("Expert"),
        },
    ),
}
