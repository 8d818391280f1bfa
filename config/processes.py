"""Run the processes of the Procfile and start again what dies: `PORT=8000 python -m config.processes < WELCOME`.

WELCOME is printed when the page answers; on the command line all users of the machine could read its passwords. Each
process leads a process group of its own: Ctrl-C reaches this process alone, which then ends the others in good order
(docs/adr/0022).
"""

import asyncio
import http.client
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROCFILE = Path(__file__).resolve().parent.parent / "Procfile"
PAUSES = (1, 2, 4, 5)  # seconds before a process starts again: what dies is back within ten, however often it dies
STEADY = 10  # seconds; a process that ran for longer starts again after the first pause
GRACE = 5  # seconds in which a process may end by itself, more than gunicorn's graceful_timeout
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class EndedTooEarly(Exception):
    """A process ended before the page answered for the first time: starting it again would not help."""


async def run_all(port: int, welcome: str) -> None:
    """Run all processes until a signal of ENDING. Raises EndedTooEarly, in a group, if one of them does not start."""
    is_ready = asyncio.Event()
    task = asyncio.current_task()
    assert task
    for number in ENDING:
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    async with asyncio.TaskGroup() as processes:
        for name, command in _commands():
            processes.create_task(_keep_running(name, command, is_ready))
        processes.create_task(_greet(port, welcome, is_ready))


def _commands() -> Iterator[tuple[str, str]]:
    for line in PROCFILE.read_text(encoding="utf-8").splitlines():
        name, _colon, command = line.partition(": ")
        yield name, command


async def _keep_running(name: str, command: str, is_ready: asyncio.Event) -> None:
    """Run a process and, whenever it ends, start it again after a pause that grows with its deaths in a row."""
    deaths = 0
    while True:
        started_at = time.monotonic()
        status = await _run(command)
        ended = f"{name} has ended ({signal.Signals(-status).name if status < 0 else f'status {status}'})"
        if not is_ready.is_set():
            raise EndedTooEarly(ended)
        deaths = 1 if time.monotonic() - started_at > STEADY else deaths + 1
        pause = PAUSES[min(deaths, len(PAUSES)) - 1]
        again = f", {deaths} times in a row: see its last message above" if deaths > 1 else ""
        _say(f"{time.strftime('%H:%M:%S')} {ended}{again}. It starts again in {pause} s.")
        await asyncio.sleep(pause)


async def _run(command: str) -> int:
    """Return the exit status of a command. Leaves none of the processes that it started; ends it when cancelled."""
    process = await asyncio.create_subprocess_shell(command, start_new_session=True)
    try:
        return await process.wait()
    except asyncio.CancelledError:
        with suppress(ProcessLookupError, TimeoutError):
            process.terminate()
            await asyncio.wait_for(process.wait(), GRACE)
        raise
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # gunicorn's children, for example, would keep the port


async def _greet(port: int, welcome: str, is_ready: asyncio.Event) -> None:
    while not await asyncio.to_thread(_answers, port):
        await asyncio.sleep(0.2)
    is_ready.set()
    _say(welcome)


def _answers(port: int) -> bool:
    page = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        page.request("GET", "/signin/")
        return page.getresponse().status < 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        page.close()


def _say(text: str) -> None:
    print(text, flush=True)


def main(welcome: str) -> str | None:
    """Run all until a signal. Return what to exit with: nothing, or why it could not begin."""
    error = None
    try:
        asyncio.run(run_all(int(os.environ["PORT"]), welcome))
    except* asyncio.CancelledError:
        pass  # a signal
    except* EndedTooEarly as early:
        error = f"Colloquy stopped before its page answered: {early.exceptions[0]}. The reason is above."
    return error


if __name__ == "__main__":
    sys.exit(main(sys.stdin.read()))
