"""Questions: contexts with candidates, for people and for models. Frozen once drawn."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from core.models.archived import ArchivableModel
from core.models.frozen import FrozenModel

LONGEST_NAME = 60


class QuestionSet(FrozenModel, ArchivableModel):
    """Questions drawn together from corpora or releases; equal seed and sources give equal questions.

    A revision is made of its `parent`: without some of its questions, or with edited texts.
    """

    name = models.SlugField(max_length=LONGEST_NAME, unique=True)
    seed = models.BigIntegerField()
    recipe = models.JSONField(help_text="Sources with their checksums, settings; of a revision its changes.")
    left_out = models.JSONField(default=dict, help_text="How many dialogues were not used, by reason.")
    checksum = models.CharField(max_length=64, help_text="SHA-256 of the questions' content.")
    parent = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="revisions")
    job = models.OneToOneField("core.Job", null=True, on_delete=models.PROTECT, related_name="question_set")
    created_by = models.ForeignKey("core.User", null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    question_count: int  # this and the next are no columns: study.selectors.survey.plans sets them
    corpora: list[str]

    class Meta:
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.name


class QuestionPurpose(models.TextChoices):
    WORK = "work"
    PRACTICE = "practice"
    CHECK = "check"


class QuestionQuerySet(models.QuerySet["Question"]):
    def counting(self) -> "QuestionQuerySet":
        """Return the questions that figures are made of; all figures start here."""
        return self.filter(purpose=QuestionPurpose.WORK)

    def whole(self) -> "QuestionQuerySet":
        """Return the questions in their whole context: each once, in however many conditions it is asked."""
        return self.filter(condition="")


class Question(models.Model):
    """A context and its candidates, of a set or of one study alone: practice, checks, imported answers.

    `context` is a list of {"speaker", "text"}; `candidates` a list of texts, of which `answer` is right (empty:
    unknown). A question of imported answers may have no texts, only the number of its candidates.

    In a `condition` ("first:N", "all" or "shuffle"; "" is the whole context) it is a row of its own with another
    context, and `whole_id` is the name of the same question in its whole context: statistics take both for one.
    `origins` has [dialogue, turn] of each candidate, by the dialogue's id and from turn 0; the turn is null where the
    dialogue brought the candidate, and "edited" follows where its text was edited: then `pick` is "edited", too.
    Questions from before these were kept have none.
    """

    question_set = models.ForeignKey(QuestionSet, null=True, on_delete=models.PROTECT, related_name="questions")
    study = models.ForeignKey("study.Study", null=True, on_delete=models.CASCADE, related_name="own_questions")
    purpose = models.CharField(max_length=10, choices=QuestionPurpose.choices, default=QuestionPurpose.WORK)
    position = models.PositiveIntegerField()
    external_id = models.CharField(max_length=300, help_text="Its name in files: unique in its set or study.")
    whole_id = models.CharField(max_length=300, blank=True, help_text="Empty in the whole context.")
    condition = models.CharField(max_length=20, blank=True, help_text="What was done to the context; empty: nothing.")
    corpus = models.CharField(max_length=60, blank=True, help_text="What figures call the corpus it comes from.")
    conversation = models.CharField(max_length=200, blank=True, help_text="Equal in dialogues of one conversation.")
    context = models.JSONField(default=list, help_text="Turns before the response, each with speaker and text.")
    candidates = models.JSONField(default=list, help_text="Texts of the candidates, number 0 first.")
    candidates_count = models.PositiveSmallIntegerField(help_text="How many candidates there are.")
    candidates_guessed = models.BooleanField(
        default=False,
        db_default=False,
        help_text="There may be more: the number is the highest rank in answers from elsewhere.",
    )
    answer = models.PositiveSmallIntegerField(null=True, help_text="Number of the true candidate; empty: unknown.")
    place = models.PositiveSmallIntegerField(
        null=True, help_text="From 1, where the right candidate always is: of a check that asks for a place."
    )
    explanation = models.TextField(
        blank=True, default="", db_default="", help_text="Why the answer is right: shown after a practice question."
    )
    pick = models.CharField(max_length=10, blank=True, help_text="How its false responses were picked, or own.")
    origins = models.JSONField(default=list)
    reasoning = models.JSONField(default=list, help_text="Its types of reasoning, as its release names them.")

    objects = QuestionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question_set", "position"], name="one_question_a_position"),
            models.UniqueConstraint(fields=["question_set", "external_id"], name="one_question_an_id"),
            models.UniqueConstraint(fields=["study", "external_id"], name="one_own_question_an_id"),
            models.CheckConstraint(
                condition=Q(question_set__isnull=False, study__isnull=True) | Q(question_set__isnull=True),
                name="question_of_a_set_or_a_study",
            ),
            models.CheckConstraint(
                condition=Q(condition="", whole_id="") | ~Q(condition="") & ~Q(whole_id=""),
                name="a_condition_is_of_a_question",
            ),
        ]

    def __str__(self) -> str:
        return f"question {self.external_id}"

    @property
    def name(self) -> str:
        """The id of the question whatever the condition that it is asked in."""
        return self.whole_id or self.external_id


class QuestionAudit(FrozenModel):
    """What an audit found in a question set, as `audit_questions --json` prints it."""

    question_set = models.OneToOneField(QuestionSet, on_delete=models.PROTECT, related_name="audit")
    report = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"audit of {self.question_set_id}"
