import re
from pathlib import Path

import pytest

import annotation
from annotation.importers.reasons import SENTENCES, RefusalReason, reason_text

PACKAGE = Path(annotation.__file__).parent
CODE = re.compile(r'(?:Reason|Refused)\(\s*"(\w+)"')


def test_every_code_that_refuses_a_row_has_a_sentence():
    codes = {code for path in PACKAGE.glob("importers/*.py") for code in CODE.findall(path.read_text())}
    assert codes <= set(SENTENCES)


@pytest.mark.parametrize("code", SENTENCES)
def test_sentences_go_on_after_a_line_number_or_stand_alone(code):
    assert not SENTENCES[code].endswith((".", "!"))


def test_a_reason_is_told_in_the_active_language():
    reason = RefusalReason("column_count", {"found": 3, "expected": 2})
    assert reason_text(reason) == str(reason) == "columns: 3 instead of 2"


def test_a_reason_read_back_from_storage_is_the_same():
    assert str(RefusalReason("no_tab")) == str(RefusalReason("no_tab", {})) == "no tab between prompt and response"
