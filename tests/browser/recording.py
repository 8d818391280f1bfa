"""A proxy between a browser and the server that keeps all that the browser receives, byte for byte.

What a browser itself tells of its traffic lacks the responses that it was about to leave.
"""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from tests.live_server import PATIENCE

OF_THE_LINE = {"connection", "keep-alive", "proxy-connection", "transfer-encoding", "content-length"}


@dataclass(frozen=True)
class RecordedResponse:
    """One response: the request's method and path, the status, the headers with small names, and the text or bytes."""

    method: str
    path: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def all(self) -> str:
        """Everything of the response that a person can read: address, headers and body."""
        return "\n".join([self.path, *(f"{name}: {value}" for name, value in self.headers), self.text])


class RecordingProxy(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.received: list[RecordedResponse] = []

    @property
    def options(self) -> dict[str, object]:
        """Options of a Playwright context whose requests all go this way."""
        return {"proxy": {"server": f"http://127.0.0.1:{self.server_port}", "bypass": "<-loopback>"}}


class _Handler(BaseHTTPRequestHandler):
    server: RecordingProxy

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        path = address.path + (f"?{address.query}" if address.query else "")
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name: value for name, value in self.headers.items() if name.casefold() not in OF_THE_LINE}
        upstream = HTTPConnection(address.netloc, timeout=PATIENCE)
        upstream.request(self.command, path, sent, headers)
        answer = upstream.getresponse()
        body, told = answer.read(), [(name.casefold(), value) for name, value in answer.getheaders()]
        upstream.close()
        is_packed = ("content-encoding", "gzip") in told
        plain = gzip.decompress(body) if is_packed else body
        self.server.received.append(RecordedResponse(self.command, path, answer.status, tuple(sorted(told)), plain))
        with suppress(ConnectionError):  # the browser has gone elsewhere
            self.send_response_only(answer.status)
            for name, value in told:
                if name not in OF_THE_LINE:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    do_HEAD = do_POST = do_GET  # noqa: N815

    def log_message(self, *_of_request: object) -> None:
        """Say nothing."""


@contextmanager
def recording() -> Iterator[RecordingProxy]:
    """Run a proxy while the context lasts."""
    with RecordingProxy() as proxy:
        thread = threading.Thread(target=proxy.serve_forever, daemon=True)
        thread.start()
        yield proxy
        proxy.shutdown()
        thread.join()
