"""How far raters say the same, with intervals over items.

`grade_patterns` collapses ratings to distinct patterns, which every other function reads. What cannot be computed is a
`Figure` without a value and with the reason.
"""

from .blocks import FIGURES, Block, agreement, confusion
from .figures import Figure, Why
from .parts import POOLED, ItemGrades
from .patterns import Patterns, grade_patterns
from .raters import PartnerAgreement, RaterPair, pairs_of_raters, partner_agreement

__all__ = [
    "FIGURES",
    "POOLED",
    "Block",
    "Figure",
    "ItemGrades",
    "PartnerAgreement",
    "Patterns",
    "RaterPair",
    "Why",
    "agreement",
    "confusion",
    "grade_patterns",
    "pairs_of_raters",
    "partner_agreement",
]
