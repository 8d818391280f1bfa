"""Why a run is refused or ended early, by code."""

from django.utils.translation import gettext_lazy as _

from core.actions.refusals import Refused
from study.actions.runs import chat_server
from study.baselines.base import Lack
from study.baselines.pretrained.weights import CODES
from study.selectors.runs.sources import Source

REFUSALS = {
    "unknown_model": _("The model no longer exists."),
    "no_such_source": _("The material that the model should run on or learn from no longer exists."),
    "needs_training": _("This model must be trained first. Name its training material."),
    "trained_on_itself": _("A model cannot be tested on what it was trained on. Choose another split to train on."),
    "tuned_on_itself": _(
        "Settings are chosen on a dev split that is separate from training and questions. Choose another one."
    ),
    "no_candidates": _("These dialogues have no candidates to choose from. Draw questions from them first."),
    "no_texts": _(
        "These answers were imported without the texts of their questions. Draw or revise a question set that has "
        "these names, and import the file as a new study."
    ),
    "no_choice": _("No prompt here has two responses, so every model puts the right one first."),
    "empty_source": _("There is nothing in it. Choose a corpus, a split or questions that are not empty."),
    "nothing_left": _(
        "The model is tested on every context of its training material, so nothing is left to learn from. Train it "
        "on other material, or keep the overlap."
    ),
    "no_such_ablation": _("Contexts can be changed with first:N (N from 1 to 99), all or shuffle."),
    "no_such_device": _("This model does not run on that device."),
    "no_gpu": _(
        "The machine on which models run has no GPU that can be used. Choose CPU, or what the machine has (auto)."
    ),
    "needs_packages": _(
        "This model is a neural network and needs packages that are not installed here. "
        "Install them with bin/setup --neural, then restart web and worker."
    ),
    "diverged": _("The loss was no longer a number. Start the run again with a smaller rate."),
    "needs_weights": _(
        "This model starts from pre-trained weights. Name their folder: with --weights, or "
        "one that an administrator has put into WEIGHTS_DIR."
    ),
    **dict.fromkeys(
        CODES,
        _(
            "The folder of weights is not what this model needs, or no longer exists. Start the "
            "run again: it is checked again, and you are told what is missing."
        ),
    ),
    "more_candidates": _(
        "This model looks at all candidates at once, and cannot take more candidates than its training instances "
        "had. Train it on instances with as many, or choose a model that scores each candidate separately."
    ),
    "no_space": _("The trained model could not be stored: the disk is full. Free some space and start the run again."),
    "queue_full": _(
        "100 training runs are already waiting. Wait until some have finished, or cancel those you no longer need."
    ),
    Lack.WORDS: _("The training material contains no words."),
    Lack.PREFERENCES: _(
        "In the training material, no response is better than another: the model needs prompts whose responses "
        "have different grades, or instances with a known answer."
    ),
    **chat_server.REFUSALS,
}


def refusal(code: str) -> Refused:
    """Build the refusal of a code of REFUSALS."""
    return Refused(code, REFUSALS[code])


def without_candidates(source: Source) -> Refused:
    """Build the refusal of material that has nothing to choose from."""
    return refusal("no_texts" if source.study and source.study.is_imported else "no_candidates")
