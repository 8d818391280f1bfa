"""What counts as work in a project: where there is any, the project is archived and never deleted (docs/adr/0039)."""

from annotation.domain.workflow import AssignmentState

# A person has it in hand.
AT_WORK = (AssignmentState.HELD,)
# A person has done something with it, if only to skip it; that it was voided or became outdated takes nothing back.
# What expired is none of these: the person only looked, unless a draft or a flag is left of it.
DONE = tuple(state for state in AssignmentState if state not in (AssignmentState.HELD, AssignmentState.EXPIRED))
