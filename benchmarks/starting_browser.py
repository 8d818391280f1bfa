"""A browser for the benchmark of starting: it signs in, sends a file, and follows a job as the page's script does."""

import http.cookiejar
import json
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

POLLED = re.compile(r'data-poll="([^"]+)" data-every="(\d+)"')
STORE = re.compile(r'<form method="post" action="([^"]+/store/)">(.*?)</form>', re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
PATIENCE = 120  # seconds
BOUNDARY = "a-boundary-of-this-benchmark"


class ImportingBrowser:
    def __init__(self, url: str) -> None:
        self.url, self.cookies = url, http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def open(self, address: str, data: bytes | None = None, **headers: str) -> str:
        sent = urllib.request.Request(self.url + address, data, headers)
        with self.opener.open(sent, timeout=600) as answer:
            self.address = urllib.parse.urlsplit(answer.url).path
            return str(answer.read().decode())

    def send(self, address: str, **fields: str) -> str:
        return self.open(address, urllib.parse.urlencode(fields | self.token).encode())

    @property
    def token(self) -> dict[str, str]:
        cookies = {cookie.name: cookie.value or "" for cookie in self.cookies}
        return {"csrfmiddlewaretoken": cookies.get("csrftoken", "")}

    def wait(self) -> float:
        """Return the seconds until the first page answers."""
        began = time.perf_counter()
        while True:
            try:
                self.open("/signin/")
            except OSError:
                assert time.perf_counter() < began + PATIENCE, "the page does not answer"
                time.sleep(0.02)
            else:
                return time.perf_counter() - began

    def sign_in(self, name: str, password: str) -> None:
        self.open("/signin/")
        self.send("/signin/", username=name, password=password)

    def import_file(self, slug: str, path: Path) -> float:
        """Return the seconds from sending a file to the page that shows it stored, with the click that stores it."""
        address = f"/projects/{slug}/import/"
        self.open(address)
        body, content_type = self._form(path)
        began = time.perf_counter()
        page = self._outcome(self.open(address, body, **{"Content-Type": content_type}))
        form = STORE.search(page)
        assert form, "nothing can be stored"
        page = self._outcome(self.send(form[1], **dict(HIDDEN.findall(form[2]))))
        took = time.perf_counter() - began
        assert not STORE.search(page), "nothing was stored"
        return took

    def _form(self, path: Path) -> tuple[bytes, str]:
        fields = self.token | {"format": "auto"}
        parts = [
            f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode() for name, value in fields.items()
        ]
        head = f'Content-Disposition: form-data; name="file"; filename="{path.name}"\r\nContent-Type: text/csv\r\n\r\n'
        parts.append(head.encode() + path.read_bytes())
        body = b"".join(b"--" + BOUNDARY.encode() + b"\r\n" + part + b"\r\n" for part in parts)
        return body + f"--{BOUNDARY}--\r\n".encode(), f"multipart/form-data; boundary={BOUNDARY}"

    def _outcome(self, page: str) -> str:
        """Follow the job of a page as static/js/core/poll.js does. Return the page without a job."""
        while polled := POLLED.search(page):
            time.sleep(int(polled[2]) / 1000)
            answer = json.loads(self.open(polled[1], Accept="application/json"))
            page = self.open(answer["next"]) if "next" in answer else answer["html"]
        return page
