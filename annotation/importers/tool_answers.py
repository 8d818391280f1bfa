"""The answers in the exports of annotation tools."""

PERSON = ("email", "username", "name", "id")
KEYS = ("rating", "number", "choices", "text", "value")


def single_answer(value: object) -> object:
    """Return the one answer in a list, or in an object of Label Studio; 4 for 4.0, "a#b" for several texts."""
    if isinstance(value, dict) and len(value) == 1 and (key := next(iter(value))) in KEYS:
        return single_answer(value[key])
    if isinstance(value, list):
        if len(value) == 1:
            return single_answer(value[0])
        return "#".join(value) if all(isinstance(one, str) for one in value) else value
    return int(value) if isinstance(value, float) and value.is_integer() else value


def person(by: object) -> object:
    """Return what names a person, also where that is in an object; None where nothing in it does."""
    return next((by[key] for key in PERSON if by.get(key)), None) if isinstance(by, dict) else by
