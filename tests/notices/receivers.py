"""An operator's server on a real socket: it keeps what came, and answers as it is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

SILENT: Final = 0
"""Takes the request and never answers, until the test is over."""
ENDLESS: Final = -1
"""Answers 200, and then a body without an end."""


@dataclass
class Receiver:
    """``answers`` are given in turn, the last of them for ever after."""

    url: str = ""
    answers: list[int] = field(default_factory=lambda: [204])
    came: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def receiver(*answers: int) -> Iterator[Receiver]:
    """One that listens for as long as it lasts."""
    found = Receiver()
    if answers:
        found.answers = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.came.append(({name.lower(): value for name, value in self.headers.items()}, body))
            status = found.answers.pop(0) if len(found.answers) > 1 else found.answers[0]
            if status == SILENT:
                found.over.wait()
                return
            self.send_response(200 if status == ENDLESS else status)
            if 300 <= status < 400:
                self.send_header("Location", found.url + "/elsewhere")
            self.end_headers()
            while status == ENDLESS and not found.over.is_set():
                try:
                    self.wfile.write(b"x" * 4096)
                except OSError:
                    return

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield found
    finally:
        found.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
