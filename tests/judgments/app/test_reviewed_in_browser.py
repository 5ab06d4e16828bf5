"""The work page where the line is slow or the browser is full: an answer is neither lost nor asked for twice."""

from __future__ import annotations

import pytest

from tests.judgments.app.test_work_in_browser import (  # noqa: F401 – fixtures
    KillableService,
    begin,
    page,
    press,
    service,
    shown,
    waiting,
)

pytestmark = pytest.mark.browser

SAVED = "() => document.querySelector('#status').innerText === 'Saved'"


def test_an_item_whose_answer_is_still_on_its_way_is_not_shown_again(
    page,  # noqa: F811
    service: KillableService,  # noqa: F811
    open_campaign,
    some_pairs,
) -> None:
    """The service answers everything but answers, which it is too busy for."""
    open_campaign(service.database, some_pairs(20))
    page.route("**/answers", lambda route: route.fulfill(status=503, body='{"error": "Busy."}'))
    begin(page, service)
    page.wait_for_timeout(500)
    seen = []
    for _ in range(5):
        seen.append(shown(page))
        press(page, "1")
        page.wait_for_timeout(300)  # time to fetch ahead
    assert len(set(seen)) == 5
    page.unroute("**/answers")
    page.reload()
    page.wait_for_selector("#item[tabindex='-1'] form#answer")
    assert shown(page) not in seen
    page.wait_for_function(
        "() => Object.keys(localStorage).filter(k => k.startsWith('paraloom:answer:')).length === 0", timeout=20_000
    )
    assert sorted(row["item_id"] for row in service.judgments()) == sorted(seen)


def test_an_answer_that_the_browser_has_no_room_for_is_sent_again_all_the_same(
    page,  # noqa: F811
    service: KillableService,  # noqa: F811
    open_campaign,
    some_pairs,
) -> None:
    open_campaign(service.database, some_pairs(20))
    begin(page, service)
    page.wait_for_timeout(500)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('full'); }; }")
    page.route("**/answers", lambda route: route.abort())
    press(page, "1")
    page.wait_for_function("() => /leave this page open/.test(document.querySelector('#status').innerText)")
    assert page.is_visible("#unsent")
    assert (waiting(page), service.judgments()) == ([], [])
    page.unroute("**/answers")
    page.wait_for_function(SAVED, timeout=20_000)
    assert len(service.judgments()) == 1


def test_an_answer_that_the_service_stumbles_over_does_not_keep_the_others_back(
    page,  # noqa: F811
    service: KillableService,  # noqa: F811
    open_campaign,
    some_pairs,
) -> None:
    open_campaign(service.database, some_pairs(20))
    begin(page, service)
    page.wait_for_timeout(500)
    first = shown(page)
    page.route("**/answers", lambda route: route.abort())
    press(page, "1")
    press(page, "1")
    page.unroute("**/answers")

    def stumble(route) -> None:
        if first in (route.request.post_data or "").partition("holding")[0]:
            route.fulfill(status=500, body="{}")
        else:
            route.continue_()

    page.route("**/answers", stumble)
    page.wait_for_function(
        "() => Object.keys(localStorage).filter(k => k.startsWith('paraloom:answer:')).length === 1", timeout=20_000
    )
    assert [one["item_id"] for one in waiting(page)] == [first]
    assert first not in [row["item_id"] for row in service.judgments()]
