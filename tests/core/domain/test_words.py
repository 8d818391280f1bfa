"""Words as jieba cuts them, without the traces that jieba leaves."""

import subprocess
import sys

from core.domain.words import segmented


def test_words_come_in_order_with_punctuation_and_without_white_space():
    assert segmented("我来到北京清华大学") == ["我", "来到", "北京", "清华大学"], "the example of jieba's own manual"
    assert segmented("好的， iPhone 5\n再见") == ["好", "的", "，", "iPhone", "5", "再见"]
    assert segmented("") == []


def test_a_word_that_is_in_no_dictionary_is_found_by_its_letters():
    assert segmented("他来到了网易杭研大厦") == ["他", "来到", "了", "网易", "杭研", "大厦"], "the manual again"


def test_nothing_is_logged_and_no_file_is_left(tmp_path):
    code = "from core.domain.words import segmented; segmented('你好')"
    environment = {"TMPDIR": str(tmp_path), "PYTHONWARNINGS": "error"}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("", "")
    assert list(tmp_path.iterdir()) == []
