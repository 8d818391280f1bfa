"""A child of the nursery ends with its owner, whatever it was doing."""

import os
import subprocess
import sys
from pathlib import Path

from tests.flows.waiting import eventually

AN_OWNER_THAT_HEARS_NOTHING = """
import os, sys, time
from core.nursery import Nursery

def work(key, say):
    say(done=1)
    print(os.getpid(), flush=True)
    time.sleep(3600)

with Nursery(work, name="trial", memory=1 << 30).child(1):
    sys.stdin.read()
"""


def test_a_child_whose_words_nobody_has_heard_ends_with_its_owner():
    command = [sys.executable, "-c", AN_OWNER_THAT_HEARS_NOTHING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as owner:
        child = int(owner.stdout.readline())
        owner.kill()
        assert eventually(lambda: not _runs(child)), "the child outlives its owner"


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False
