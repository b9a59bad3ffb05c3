"""What localstripe lacks of Stripe: Checkout's page, idempotency keys, search, lists by time. The rest is passed on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

import httpx

Answer = tuple[int, Any]


class Front:
    """The requests as they come, and what players do: pay on the page."""

    def __init__(self, behind: str, key: str) -> None:
        self.behind = httpx.Client(
            base_url=behind, headers={"Authorization": f"Bearer {key}"}, trust_env=False, timeout=30
        )
        self.url = ""
        self.sessions: dict[str, dict[str, Any]] = {}
        self.answered: dict[str, tuple[str, Answer]] = {}
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.broken: list[str] = []
        """How the next requests go wrong: ``before`` or ``after`` it was done, or ``status <number>``."""

    # --- outside

    def pays(self, session: dict[str, Any], card: str = "4242424242424242") -> dict[str, Any]:
        """On Checkout's page: the PaymentIntent that comes of it, declined or not."""
        method = {"type": "card", "card": {"number": card, "exp_month": 12, "exp_year": 2030, "cvc": "123"}}
        made = self._does("POST", "/v1/payment_methods", json=method)
        asked = session["said"]
        intent = {
            "amount": asked["line_items[0][price_data][unit_amount]"],
            "currency": asked["line_items[0][price_data][currency]"],
            "metadata": {"ours": asked["payment_intent_data[metadata][ours]"]},
            "payment_method": made["id"],
            "confirm": True,
        }
        known = {each["id"] for each in self.all("payment_intents")}
        self.behind.post("/v1/payment_intents", json=intent)
        (paid,) = [each for each in self.all("payment_intents") if each["id"] not in known]
        return dict(paid)

    def all(self, what: str) -> list[dict[str, Any]]:
        return list(self._does("GET", f"/v1/{what}", params={"limit": 100})["data"])

    def _does(self, method: str, path: str, **said: Any) -> Any:
        answer = self.behind.request(method, path, **said)
        assert answer.status_code == 200, answer.text
        return answer.json()

    # --- ours

    def answer(self, method: str, path: str, query: str, body: bytes, headers: dict[str, str]) -> Answer | None:
        """None is a connection that ends."""
        said = dict(parse_qsl(body.decode()))
        self.asked.append((method, path, said))
        wrong = self.broken.pop(0) if self.broken else ""
        if wrong.startswith("status "):
            return int(wrong.removeprefix("status ")), {"error": {"type": "api_error", "message": "a bad day"}}
        if wrong == "before":
            return None
        answer = self._once(method, path, query, body, said, headers)
        return None if wrong == "after" else answer

    def _once(
        self, method: str, path: str, query: str, body: bytes, said: dict[str, str], headers: dict[str, str]
    ) -> Answer:
        key = headers.get("idempotency-key")
        if method != "POST" or key is None:
            return self._answered(method, path, query, body, said)
        content = f"{path} {sorted(said.items())}"
        before, answer = self.answered.setdefault(key, (content, (0, None)))
        if before != content:
            return 400, {"error": {"type": "idempotency_error", "message": "the key was used for something else"}}
        if not answer[0]:
            answer = self._answered(method, path, query, body, said)
            self.answered[key] = content, answer
        return answer

    def _answered(self, method: str, path: str, query: str, body: bytes, said: dict[str, str]) -> Answer:
        if (method, path) == ("POST", "/v1/checkout/sessions"):
            return self._session(said)
        if (method, path) == ("GET", "/v1/payment_intents/search"):
            return self._search(dict(parse_qsl(query)))
        if (method, path) == ("GET", "/v1/refunds") and "created[gte]" in dict(parse_qsl(query)):
            return self._refunds_since(dict(parse_qsl(query)))
        kind = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        answer = self.behind.request(method, f"{path}?{query}", content=body, headers=kind)
        return answer.status_code, answer.json()

    def _session(self, said: dict[str, str]) -> Answer:
        if said["line_items[0][price_data][currency]"] == "xxx" or not said["success_url"].startswith("http"):
            return 400, {
                "error": {"type": "invalid_request_error", "code": "url_invalid", "message": "Not a valid URL"}
            }
        number = f"cs_test_{uuid4().hex}"
        told = {"id": number, "object": "checkout.session", "url": f"{self.url}/c/pay/{number}", "payment_intent": None}
        self.sessions[said["client_reference_id"]] = {**told, "said": said}
        return 200, told

    def _search(self, asked: dict[str, str]) -> Answer:
        ours = asked["query"].split("'")[3]
        found = [each for each in self.all("payment_intents") if each["metadata"].get("ours") == ours]
        for each in found:
            each["payment_method"] = self._does("GET", f"/v1/payment_methods/{each['payment_method']}")
        return 200, {"object": "search_result", "url": "/v1/payment_intents/search", "has_more": False, "data": found}

    def _refunds_since(self, asked: dict[str, str]) -> Answer:
        found = [each for each in self.all("refunds") if each["created"] >= int(asked["created[gte]"])]
        return 200, {"object": "list", "url": "/v1/refunds", "has_more": False, "data": found}


@contextmanager
def served(front: Front) -> Iterator[str]:
    """The address at which it answers, as long as it lasts."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = front.answer(self.command, parts.path, parts.query, body, headers)
            if answer is None:
                self.close_connection = True
                return
            told = json.dumps(answer[1]).encode()
            self.send_response(answer[0])
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        do_GET = do_POST  # noqa: N815 - the library's names

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    front.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield front.url
    finally:
        server.shutdown()
        server.server_close()
        front.behind.close()
