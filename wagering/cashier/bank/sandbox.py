"""The sandbox's bank, over HTTP: ``wagering/cashier/sandbox/bank.py`` is the other end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import httpx
from django.conf import settings

from wagering.cashier.bank.connection import BankRefused, BankSilent, Document

TIMEOUT_S: Final = 10


class SandboxBank:
    """Speaks to settings.SANDBOX_URL with SANDBOX_SECRET."""

    @cached_property
    def http(self) -> httpx.Client:
        return httpx.Client(timeout=TIMEOUT_S, trust_env=False)

    def submit(self, *, message: str, file: bytes) -> None:
        status, told = self._ask("POST", "orders", json={"message": message, "file": file.decode()})
        if status not in (200, 201):
            error = told.get("error", {})
            raise BankRefused(f"{error.get('code')}: {error.get('message')}")

    def has(self, *, message: str) -> bool:
        status, _ = self._ask("GET", "orders", params={"message": message})
        if status not in (200, 404):
            raise BankSilent(f"orders: answered {status}")
        return status == 200

    def documents(self) -> Sequence[Document]:
        status, told = self._ask("GET", "documents")
        if status != 200:
            raise BankSilent(f"documents: answered {status}")
        return [Document(each["name"], each["body"].encode()) for each in told["documents"]]

    def taken(self, *, name: str) -> None:
        status, _ = self._ask("POST", "documents", json={"name": name})
        if status != 200:
            raise BankSilent(f"documents: answered {status}")

    def _ask(self, method: str, what: str, **asked: Any) -> tuple[int, dict[str, Any]]:
        headers = {"Authorization": f"Bearer {settings.SANDBOX_SECRET}"}
        try:
            answer = self.http.request(method, f"{settings.SANDBOX_URL}/bank/{what}", headers=headers, **asked)
            told = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise BankSilent(f"{what}: {type(error).__name__}") from error
        if answer.status_code >= 500 or answer.status_code in (401, 429) or not isinstance(told, dict):
            raise BankSilent(f"{what}: answered {answer.status_code}")
        return answer.status_code, told
