"""Imports small corpora of each raw format, each in processes that are killed at a stage; prints what is stored then.

This process opens no database itself, as the nursery does not: each step is a child of it.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any
from unittest import mock

import django

django.setup()

from django.core.files.base import ContentFile  # noqa: E402

from annotation.actions.corpora import contents, corpora, corpus_jobs, reviews  # noqa: E402
from annotation.models import Corpus, Dialogue  # noqa: E402
from core.actions.jobs import begin_storing  # noqa: E402
from core.domain.transitions import JobState  # noqa: E402
from core.models import Event, Job, Name, Role, User  # noqa: E402
from tests import factories  # noqa: E402
from tests.factories import no_progress  # noqa: E402

DIALOGUES = 6
STAGES = ("reading", "read", "storing", "stored")


def log() -> str:
    lines = (
        f"[10:{n:02}] <ann{n}> lamp {n} is dark\n[10:{n:02}] <bo{n}> ann{n}: plug?\n[10:{n:02}] <ann{n}> bo{n}: yes\n"
        for n in range(DIALOGUES)
    )
    return "".join(lines)


def tweets() -> str:
    rows = ["tweet_id,author_id,text,in_response_to_tweet_id"]
    for n in range(DIALOGUES):
        rows += [f"{n}1,ann,Lamp {n} is dark,", f"{n}2,bo,Plug?,{n}1", f"{n}3,ann,Yes,{n}2"]
    return "\n".join(rows)


def script() -> str:
    rows = ["utterance,speaker,dialogue_id"]
    for n in range(DIALOGUES):
        rows += [f"Lamp {n} is dark.,Ann,{n}", f"Plug?,Bo,{n}", f"Yes.,Ann,{n}"]
    return "\n".join(rows)


def contexts() -> str:
    rows = [f"lamp {n} is dark __eou__ __eot__ plug? __eou__ __eot__,yes __eou__,1" for n in range(DIALOGUES)]
    return "\n".join(["Context,Utterance,Label", *rows])


FILES = {
    "irc": ("2008-07-14.txt", log),
    "twitter": ("tweets.csv", tweets),
    "subtitles": ("script.csv", script),
    "ubuntu-csv": ("train.csv", contexts),
}


def in_child(work: Callable[..., Any], *arguments: Any) -> Any:
    """Return what the work returns in a new process, or the signal that ended it."""
    reads, writes = os.pipe()
    if (child := os.fork()) == 0:
        os.write(writes, json.dumps(work(*arguments)).encode())
        os._exit(0)
    os.close(writes)
    with os.fdopen(reads, "rb") as said:
        answer = said.read()
    _pid, status = os.waitpid(child, 0)
    return json.loads(answer) if answer else {"signal": os.WTERMSIG(status)}


def hire() -> None:
    factories.person("rui", Role.RESEARCHER)


def reviewed(format: str, name: str) -> int:
    """Review a file and ask for its import; return the job."""
    rui = User.objects.get(username="rui")
    file_name, content = FILES[format]
    file = ContentFile(content().encode(), name=file_name)
    review = reviews.receive(name=name, file=file, format="", by=rui)
    review.state, review.result = JobState.DONE, reviews.run_review(review, no_progress)
    review.save()
    return reviews.ask_for_import(review=review, name=name, source="", licence="CC0", by=rui).pk


def die(*_args: Any, **_kwargs: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def import_and_die(job: int, stage: str) -> None:
    """Run the import until the stage, and end there as the kernel ends a process."""
    told, last_words = 0, {"reading": DIALOGUES // 2, "storing": DIALOGUES + DIALOGUES // 2}

    def report(done: int, total: int | None = None, **_figures: Any) -> None:
        nonlocal told
        told += 1
        if told > last_words.get(stage, told):
            die()

    at_the_end = die if stage == "read" else begin_storing
    with (
        mock.patch.object(corpora, "begin_storing", at_the_end),
        mock.patch.object(contents, "EVERY", 1),
        mock.patch.object(corpora, "EVERY", 1),
        mock.patch("core.models.bulk.CHUNK", 1),
    ):
        corpus_jobs.run_import(Job.objects.get(pk=job), report)
    die()


def import_again(job: int) -> Any:
    return corpus_jobs.run_import(Job.objects.get(pk=job), no_progress)


def stored(name: str) -> dict[str, int]:
    return {
        "corpora": Corpus.objects.filter(name=name).count(),
        "dialogues": Dialogue.objects.filter(corpus__name=name).count(),
        "names": Name.objects.filter(kind="corpus", name=name).count(),
        "events": Event.objects.filter(subject="corpus", became="imported").count(),
    }


def case(format: str, stage: str) -> dict[str, Any]:
    name = f"{format}-{stage}"
    job = in_child(reviewed, format, name)
    before = in_child(stored, name)
    ended = in_child(import_and_die, job, stage)
    after = in_child(stored, name)
    results = [in_child(import_again, job) for _time in range(2)]
    return {"before": before, "ended": ended, "after": after, "results": results, "then": in_child(stored, name)}


if __name__ == "__main__":
    in_child(hire)
    json.dump({f"{format} {stage}": case(format, stage) for format in FILES for stage in STAGES}, sys.stdout)
