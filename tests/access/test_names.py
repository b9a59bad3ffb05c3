"""Names: which are allowed, and which are one."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.access import names
from games.access.names import NameRefused

LATIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZàéîõüçñøåæœßłđþžșŐ"
plain = st.builds(
    lambda first, rest: first + rest,
    st.sampled_from(LATIN),
    st.text(LATIN + "0123456789", min_size=2, max_size=15),
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ann", "ann"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),  # the mark written apart
        ("Ａｎｎ", "Ann"),  # wide letters
        ("J.R-smith_3", "J.R-smith_3"),
        ("Łukasz", "Łukasz"),
        ("a" * 20, "a" * 20),
    ],
)
def test_a_name_is_shown_in_one_form(text: str, name: str) -> None:
    assert names.shown(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "", "an", "a" * 21, "3ann", "-ann", "ann-", "a--nn", "ann bob", " ann", "ann\0", "ann\n", "аnn",  # Cyrillic а
        "annα", "ann\u200b", "ann\u202e", "ann😀", "ann\ud800", "名前名", "a\u0301\u0302\u0303nn", "ɑnn",
        "ann٣", "ann/../",
    ],
)  # fmt: skip
def test_nobody_is_called(text: str) -> None:
    with pytest.raises(NameRefused):
        names.shown(text)


@pytest.mark.parametrize("text", ["admin", "Admin", "ADM1N", "s_t-a.f.f", "Möderator", "rnachine", "H0use"])
def test_the_house_s_words_are_kept(text: str) -> None:
    with pytest.raises(NameRefused, match="kept for the house"):
        names.shown(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "ANN"), ("ann", "Änn"), ("bill", "BiII"), ("bill", "b1ll"), ("bob", "b0b"), ("burn", "bum"),
        ("vvim", "wim"), ("straße", "STRASSE"), ("ann_b", "ann-b"), ("ann.b", "annb"), ("ıan", "Ian"), ("łøđ", "LOD"),
    ],
)  # fmt: skip
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert names.key(one) == names.key(other)


@pytest.mark.parametrize(("one", "other"), [("ann", "anna"), ("bob", "rob"), ("cleo", "cleo2"), ("dan", "don")])
def test_names_that_do_not_are_two(one: str, other: str) -> None:
    assert names.key(one) != names.key(other)


@given(st.text())
def test_every_text_has_a_key_that_is_its_own_key(text: str) -> None:
    key = names.key(text)
    assert names.key(unicodedata.normalize("NFKC", text)) == key
    for case in (str.upper, str.lower, str.title, str.swapcase):
        assert isinstance(names.key(case(text)), str)


@given(plain)
def test_a_name_keeps_its_key_whatever_is_done_to_its_letters(text: str) -> None:
    key = names.key(text)
    assert key.isascii() and key == key.lower() and 0 < len(key) <= 80
    assert names.key(key) == key
    for seen in (text.upper(), text.lower(), text.swapcase(), unicodedata.normalize("NFD", text)):
        assert names.key(seen) == key
    try:
        shown = names.shown(text)
    except NameRefused:
        return
    assert names.shown(shown) == shown
    assert names.key(shown) == key


@given(st.text(max_size=25))
def test_what_is_allowed_is_latin_and_short(text: str) -> None:
    try:
        shown = names.shown(text)
    except NameRefused:
        return
    assert 3 <= len(shown) <= 20
    assert names.key(shown).isascii()
    assert unicodedata.is_normalized("NFKC", shown)
    assert not any(unicodedata.category(character)[0] in "CZM" for character in shown)
