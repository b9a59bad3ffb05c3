"""ETag and If-Match."""

from __future__ import annotations

import pytest
from django.test import RequestFactory

from wagering.config.errors import problem_of
from wagering.rest import etags
from wagering.rest.etags import IfMatchMissing, VersionPassed, require_match, seen

PRESENT = etags.etag("table", 7)
EARLIER = etags.etag("table", 6)


@pytest.mark.parametrize("header", [PRESENT, f"{EARLIER}, {PRESENT}", "*"])
def test_whoever_has_seen_the_present_version_may_change_it(header: str) -> None:
    require_match(RequestFactory().patch("/", headers={"If-Match": header}), PRESENT)


@pytest.mark.parametrize("header", [EARLIER, PRESENT.strip('"'), f"W/{PRESENT}", "nonsense"])
def test_an_old_copy_is_refused(header: str) -> None:
    with pytest.raises(VersionPassed) as refused:
        require_match(RequestFactory().patch("/", headers={"If-Match": header}), PRESENT)
    problem = problem_of(refused.value)
    assert problem and (problem.status, problem.code, problem.headers["ETag"]) == (412, "version_passed", PRESENT)


def test_a_change_says_what_it_was_made_from() -> None:
    with pytest.raises(IfMatchMissing) as refused:
        require_match(RequestFactory().patch("/"), PRESENT)
    problem = problem_of(refused.value)
    assert problem and (problem.status, problem.errors[0].parameter) == (428, "If-Match")


def test_who_holds_it_already_need_not_be_sent_it() -> None:
    assert seen(RequestFactory().get("/", headers={"If-None-Match": f"W/{PRESENT}"}), PRESENT)
    assert not seen(RequestFactory().get("/", headers={"If-None-Match": EARLIER}), PRESENT)
    assert not seen(RequestFactory().get("/"), PRESENT)


def test_parts_do_not_run_into_each_other() -> None:
    assert etags.etag("a", "bc") != etags.etag("ab", "c")
