"""Settings of gunicorn (the Procfile's `web`)."""

import logging
import os
from pathlib import Path
from typing import Any

from config import env, logs

os.umask(env.OWNER_ALONE)
data_dir = env.folder("DATA_DIR", default=Path(__file__).resolve().parent.parent / "var")
bind = f"127.0.0.1:{env.number('PORT', default=8000, lowest=1, highest=65535)}"
workers = env.number("WORKERS", default=2, lowest=1, highest=64)
worker_class = "gthread"
threads = 8
preload_app = True  # once, before the workers are forked: they share it, and answer their first request at once
graceful_timeout = 4  # config/processes.py kills after five seconds
accesslog = None  # an access log would keep network addresses
control_socket_disable = True  # its socket would be in the home folder
loglevel = "warning"

# Keep the heartbeat file away from a disk whose writes can stall.
if Path("/dev/shm").is_dir():  # noqa: S108
    worker_tmp_dir = "/dev/shm"  # noqa: S108


def on_starting(server: Any) -> None:
    """Keep network addresses out of gunicorn's log, and close what an earlier version left open in DATA_DIR."""
    logging.getLogger("gunicorn.error").addFilter(logs.without_requests)
    env.close_to_others(data_dir)


def when_ready(server: Any) -> None:
    """Write the product's address, for commands that print or follow links (study/management/command.py)."""
    (data_dir / "address").write_text(f"http://{bind}\n")
