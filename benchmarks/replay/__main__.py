"""The human study of next-utterance ranking, replayed whole over HTTP, and its figures computed again from the export.

python -m benchmarks.replay FOLDER [--database SQLite|PostgreSQL]    every database that runs here unless given

FOLDER has three corpora, each as it was published: `meld/MELD` (csv), `twitter_conv` (text in blocks) and
`irc_ubuntu/irc_ubuntu.tar.gz` (logs). They are imported, questions are drawn, and a study of four forms is opened for a
crowd of 145, by links as Prolific and MTurk fill them in, and a laboratory of 8, half of whose questions are on Ubuntu.
The product runs as bin/start starts it, on a database of its own. People go every way that a survey knows: they finish,
run out of time, fail the checks, refuse, withdraw, find it full, come twice, change browsers, reload and send twice.

The study is closed and exported. pandas reads the export alone and computes R@1, R@2 and MRR@2 of every cell of
`results --json`; the answers, outcomes, exclusions and codes are compared with what the browsers saw, and the files are
searched for the people who withdrew. The first difference ends the run with status 1.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from benchmarks import runs


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--database", choices=runs.kinds())
    chosen = parser.parse_args()
    for kind in [chosen.database] if chosen.database else runs.kinds():
        print(f"{kind}", flush=True)
        try:
            runs.run("benchmarks.replay.story", str(chosen.folder.resolve()), on=kind)
        except subprocess.CalledProcessError as differs:
            sys.exit(differs.returncode)


if __name__ == "__main__":
    main()
