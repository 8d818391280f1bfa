"""Agreement between raters, with intervals over items.

`grade_patterns` collapses ratings to distinct patterns, which every other function reads. A figure that cannot be
computed is a `Figure` without a value and with the reason.
"""

from annotation.domain.agreement.blocks import FIGURES, Block, agreement, confusion
from annotation.domain.agreement.figures import Figure
from annotation.domain.agreement.model_agreement import ModelAgreement, model_agreement
from annotation.domain.agreement.parts import POOLED, ItemGrades
from annotation.domain.agreement.patterns import Patterns, grade_patterns
from annotation.domain.agreement.raters import PartnerAgreement, RaterPair, pairs_of_raters, partner_agreement

__all__ = [
    "FIGURES",
    "POOLED",
    "Block",
    "Figure",
    "ItemGrades",
    "ModelAgreement",
    "PartnerAgreement",
    "Patterns",
    "RaterPair",
    "agreement",
    "confusion",
    "grade_patterns",
    "model_agreement",
    "pairs_of_raters",
    "partner_agreement",
]
