"""The door of the sandbox: what is answered where, and the HTTP server.

``answer`` takes a request and answers it, with or without a socket between; ``serve`` is the server around it.
"""

from __future__ import annotations

import contextlib
import hmac
import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from wagering.cashier.sandbox import bank, control, house, pages, payments, webhooks
from wagering.cashier.sandbox.house import Answer, Asked, House, TimedOut, refused
from wagering.cashier.sandbox.payments import Wrong
from wagering.cashier.sandbox.record import Record

Handler = Callable[..., Answer]

API: Final[dict[tuple[str, str], Handler]] = {
    ("POST", "/v1/payments"): payments.create,
    ("GET", "/v1/payments"): payments.look_up,
    ("POST", "/v1/refunds"): payments.refund,
    ("GET", "/v1/refunds"): payments.refunds,
    ("POST", "/v1/payouts"): payments.pay_out,
    ("GET", "/v1/payouts"): payments.look_up_payout,
    ("POST", "/bank/orders"): bank.submit,
    ("GET", "/bank/orders"): bank.look_up,
    ("GET", "/bank/documents"): bank.documents,
    ("POST", "/bank/documents"): bank.taken,
}
"""For who knows the secret; here mischief happens."""

PAGES: Final[dict[tuple[str, str], Handler]] = {
    ("GET", "/pay/{payment}"): pages.show,
    ("POST", "/pay/{payment}"): pages.paid,
    ("GET", "/control/mischief"): control.show_mischief,
    ("POST", "/control/mischief"): control.set_mischief,
    ("POST", "/control/deliver"): control.deliver,
    ("POST", "/control/replay"): control.replay,
    ("POST", "/control/payments/{payment}"): control.payment,
    ("POST", "/control/refunds"): control.refund,
    ("POST", "/control/disputes"): control.dispute,
    ("POST", "/control/disputes/{dispute}/taken"): control.dispute_taken,
    ("POST", "/control/disputes/{dispute}/won"): control.dispute_won,
    ("POST", "/control/payouts/{reference}"): control.payout,
    ("POST", "/control/bank/bookings"): bank.moves,
    ("POST", "/control/bank/transfers/{reference}"): bank.transfer_becomes,
    ("GET", "/control/record"): control.record,
}
"""For players and for who plays provider."""

SCHEMAS: Final = (house.SCHEMA, webhooks.SCHEMA, payments.SCHEMA, bank.SCHEMA)


def open_house(*, path: str, secret: str, url: str = "http://sandbox") -> House:
    """A house whose record is the file at ``path``."""
    return House(record=Record(path, SCHEMAS), secret=secret, url=url)


def answer(house: House, asked: Asked) -> Answer:
    """One request, in one transaction of the record. Raises TimedOut where the connection would be lost."""
    if handler := API.get((asked.method, asked.path)):
        if not _may(house, asked):
            return refused(401, "unauthorized", "the secret is not ours")
        with house.record.transaction():
            wrong = house.mischief.of_a_request()
        if wrong == "time_out_before":
            raise TimedOut
        if wrong == "fail_before":
            return refused(500, "internal", "something broke here")
        done = _done(house, asked, handler, {})
        if wrong == "time_out_after":
            raise TimedOut
        return refused(500, "internal", "something broke here") if wrong == "fail_after" else done
    for (method, pattern), page in PAGES.items():
        if method == asked.method and (found := _pattern(pattern).fullmatch(asked.path)):
            return _done(house, asked, page, found.groupdict())
    return refused(404, "not_found", "there is nothing here")


def _done(house: House, asked: Asked, handler: Handler, parts: dict[str, str]) -> Answer:
    try:
        with house.record.transaction():
            done = handler(house, asked, **parts)
    except Wrong as wrong:
        return refused(wrong.status, wrong.code, str(wrong))
    except ValueError as unreadable:
        return refused(400, "unreadable", str(unreadable))
    house.wake.set()
    return done


def _may(house: House, asked: Asked) -> bool:
    return hmac.compare_digest(asked.headers.get("authorization", "").encode(), f"Bearer {house.secret}".encode())


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path))


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60
    house: House

    def handle_one(self) -> None:
        parts = urlsplit(self.path)
        length = int(self.headers.get("Content-Length") or 0)
        asked = Asked(
            method=self.command,
            path=parts.path,
            query=dict(parse_qsl(parts.query)),
            headers={name.lower(): value for name, value in self.headers.items()},
            body=self.rfile.read(length),
        )
        try:
            told = answer(self.house, asked)
        except TimedOut:
            self.close_connection = True
            return
        self.send_response(told.status)
        for name, value in {"Content-Type": told.kind, "Content-Length": str(len(told.body)), **told.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(told.body)

    do_GET = do_POST = handle_one  # noqa: N815 - the standard library's names

    def log_message(self, *args: Any) -> None:
        """Nothing: what happened stands in the record."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


@contextlib.contextmanager
def serve(house: House, *, port: int, webhooks_to: str) -> Iterator[int]:
    """Serve the house on this machine at ``port``, or at a free one for 0, and send its webhooks; gives the port."""
    server = _Server(("127.0.0.1", port), type("Request", (_Request,), {"house": house}))
    at = server.server_address[1]
    house.url = f"http://127.0.0.1:{at}"
    courier = webhooks.Courier(house, url=webhooks_to)
    serving = Thread(target=server.serve_forever, kwargs={"poll_interval": 1}, name="sandbox", daemon=True)
    serving.start()
    courier.start()
    try:
        yield at
    finally:
        courier.stop()
        server.shutdown()
        server.server_close()
        house.record.close()
