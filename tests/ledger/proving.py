"""The book's own proofs. Those that other apps add ask for tables and stakes, which these tests know nothing of."""

from django.test import override_settings

from ledger import proofs


def prove() -> None:
    with override_settings(BOOK_PROOFS=[]):
        assert [f"{proof.name}: {proof.fault}" for proof in proofs.run() if not proof.holds] == []
