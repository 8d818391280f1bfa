"""What anyone may read of the frozen plan of a study."""

from collections import Counter
from typing import Any

from study.domain.survey.demographics import from_mapping
from study.models import Study
from study.presenters.plan import derived_in_words, rule_in_words
from study.selectors.survey.plans import tells_its_checks


def public_plan_of(study: Study) -> dict[str, Any]:
    """Return what anyone may read of a frozen plan: no text of a question or a check, and not what is right."""
    plan = study.plan or {}
    own = Counter(each["purpose"] for each in plan["own_questions"])
    rules = plan.get("rules", [])
    asked = [from_mapping(each) for each in plan["demographics"]]
    of_groups = plan.get("forms_of_groups", {})
    all_forms = range(1, len(plan["forms"]) + 1)
    return {
        "study": study,
        "plan": plan,
        "survey": study.survey,
        "is_whole": tells_its_checks(study),
        "about_people": asked,
        "groups": [(group, of_groups.get(group["name"], all_forms)) for group in plan["groups"]],
        "derived_groups": derived_in_words(study.survey.derived_groups, asked),
        "practice": own["practice"],
        "checks": own["check"],
        "rules": [rule_in_words(each["rule"], each["threshold"]) for each in rules],
        "forms": [(number, names) for number, names in enumerate(plan["forms"], start=1)],
        "deviations": study.deviations.all(),
    }
