"""The signature as its page describes it, computed here once more by hand."""

import hashlib
import hmac
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.access import signatures
from games.access.signatures import SignatureMalformed

KEY = UUID("7c0b6c1e-2d3f-4a5b-8c6d-7e8f90a1b2c3")
AT = datetime(2026, 11, 30, 10, tzinfo=UTC)
GOOD = f"Room key={KEY}, at=2026-11-30T10:00:00Z, nonce=kEe8R0c3m4uJ2fXb, signature={'0f' * 32}"


def test_seven_lines_are_signed() -> None:
    body = b'{"points": 2}'
    header = signatures.header(
        key=KEY, secret="s3cret", method="POST", path="/v1/tables?page=2", body=body, at=AT,
        nonce="kEe8R0c3m4uJ2fXb", errand="k1",
    )  # fmt: skip
    lines = "backgammon-room-1\nPOST\n/v1/tables?page=2\n2026-11-30T10:00:00Z\nkEe8R0c3m4uJ2fXb\nk1\n"
    lines += hashlib.sha256(body).hexdigest()
    by_hand = hmac.new(b"s3cret", lines.encode(), hashlib.sha256).hexdigest()
    assert header == f"Room key={KEY}, at=2026-11-30T10:00:00Z, nonce=kEe8R0c3m4uJ2fXb, signature={by_hand}"
    signed = signatures.parse(header)
    assert (signed.key, signed.moment, signed.nonce, signed.signature) == (KEY, AT, "kEe8R0c3m4uJ2fXb", by_hand)


@pytest.mark.parametrize(
    ("written", "otherwise"),
    [
        ("Room key", "Room  key"), ("key=", "id="), (str(KEY), str(KEY).upper()), (str(KEY), "1"),
        ("T10:00:00Z", "T10:00:00"),
        ("T10", "T25"), ("11-30", "02-30"), ("T10:00:00Z", "T10:00:00+00:00"), ("2026", "٢٠٢٦"),
        ("nonce=kE", "nonce=%E"),
        ("nonce=kEe8R0c3m4uJ2fXb", "nonce=short"), ("nonce=kE", "nonce=" + "k" * 64), ("=0f", "=0F"),
        ("signature=0f", "signature="),
        (", at=", ", at=2026-11-30T10:00:00Z, at="), ("signature=", "signature=0f, signature="),
    ],
)  # fmt: skip
def test_a_header_is_written_one_way(written: str, otherwise: str) -> None:
    assert signatures.parse(GOOD).key == KEY
    assert written in GOOD
    with pytest.raises(SignatureMalformed):
        signatures.parse(GOOD.replace(written, otherwise, 1))


@given(st.text() | st.text("Romkey=,atnoncesignature0123456789abcdef- TZ:"))
def test_any_other_text_is_refused_by_name(text: str) -> None:
    with pytest.raises(SignatureMalformed):
        signatures.parse(text)
