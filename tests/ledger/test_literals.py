"""Arrays written as PostgreSQL reads them."""

from uuid import UUID

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from ledger.literals import octets, plain, quoted

TEXTS = st.lists(st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12))


@pytest.mark.django_db
@given(texts=TEXTS)
def test_any_text_comes_back_as_it_was(texts: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::text[]", [quoted(texts)])
        assert cursor.fetchone() == (texts,)


@pytest.mark.parametrize(
    "texts", [[], [""], ["a", "b"], ['"'], ["\\"], ['","'], ['a"b', "c\\d"], ["NULL"], ["{}", " "], ["ä\n"]]
)
@pytest.mark.django_db
def test_what_means_something_to_postgresql_is_text(texts: list[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::text[]", [quoted(texts)])
        assert cursor.fetchone() == (texts,)


@pytest.mark.django_db
@given(values=st.lists(st.binary()))
def test_any_bytes_come_back_as_they_were(values: list[bytes]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::bytea[]", [octets(values)])
        assert cursor.fetchone() == (values,)


@pytest.mark.parametrize(
    ("values", "literal"),
    [([], "{}"), ([1, None, 3], "{1,NULL,3}"), ([UUID(int=0)], "{00000000-0000-0000-0000-000000000000}")],
)
def test_numbers_and_ids_need_no_quotes(values: list[object], literal: str) -> None:
    assert plain(values) == literal
