"""Two clients at one table that act out of order, twice, late and both at once, come and go, and let time run out.

Whatever they do, the game is a legal one by the word of another generator of plays, the snapshot is what replaying
gives, no cent comes or goes, and the book proves.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from games.live import rows, selectors
from games.live import services as live
from games.live.models import Action, Live
from games.live.rules.pace import Pace
from games.live.rules.wishes import KINDS, BadAction, wish
from games.live.services import Done, StaleVersion
from games.rules.dice import hash_of
from games.rules.dice_json import read_transcript
from games.rules.dice_transcript import verify
from games.rules.ids import read_position_id
from games.rules.notation import UnreadablePlay
from games.rules.refusals import RuleBroken
from games.rules.sides import SIDES, Side, opponent_of
from ledger import proofs
from tests.factories import NOON, earned, escrow, seated, terms, wallet
from tests.games.test_plays import gvformat_after
from tests.live.tables import CONNECTIONS, GAMMON, SEEDS, price_of
from tests.live.test_two_at_once import at_once
from wagering.play.tables import services
from wagering.settlement.models import Adjudication, Settlement
from wagering.stakes.models import Stake

REFUSED = (RuleBroken, StaleVersion, UnreadablePlay, BadAction)
FUNDS = Decimal(1000)

sides: st.SearchStrategy[Side] = st.sampled_from((1, 2))
single = st.fixed_dictionaries(
    {
        "match_length": st.just(0),
        "beavers": st.booleans(),
        "jacoby": st.booleans(),
        "automatic_doubles": st.integers(0, 2),
    }
)
match = st.fixed_dictionaries({"match_length": st.integers(1, 3), "crawford": st.booleans()})
turns = st.lists(st.integers(0, 999), max_size=6)


class TwoClients(RuleBasedStateMachine):
    """The table, the clock on the wall, and what was done last."""

    def __init__(self) -> None:
        super().__init__()
        self.at: datetime = NOON
        self.done: list[tuple[Side, int, dict[str, Any]]] = []
        self.version = 0

    @initialize(
        options=single | match,
        hurried=st.sampled_from((False, False, True)),
        seeded=st.sampled_from((True, True, True, False)),
        chance=st.binary(min_size=32, max_size=32),
    )
    def sit_down(self, options: dict[str, Any], hurried: bool, seeded: bool, chance: bytes) -> None:
        length = options.pop("match_length")
        agreed = terms("5", match_length=length) if length else terms("5", cap="15")
        self.stake: Stake = seated(agreed, funds=str(FUNDS), **options)
        self.pk = self.stake.table_id
        pace = Pace(move_s=2, reserve_s=5) if hurried else Pace(move_s=15, reserve_s=120)
        with patch("games.live.services.secrets.token_bytes", return_value=chance):
            live.start(table=self.stake.table, pace=pace, at=self.at)
        for side in SIDES if seeded else ():
            services.commit_seed(table=self.pk, side=side, digest=hash_of(seed=SEEDS[side - 1]).hex(), now=self.now)
        for side in SIDES if seeded else ():
            services.reveal_seed(table=self.pk, side=side, seed=SEEDS[side - 1].hex(), now=self.now)

    # --- What they do; most of it after a few plays, so that it happens all through the game -------------------------

    @rule(side=sides, honest=st.integers(0, 9), leaves=st.integers(0, 9))
    def gives_what_is_due_of_the_dice(self, side: Side, honest: int, leaves: int) -> None:
        if self.status != "seeds":
            return
        if not leaves:
            services.leave(table=self.pk, now=self.now)
            return
        seed = SEEDS[side - 1] if honest else b"c" * 32
        try:
            if "seed" in self.offered(side) or not honest:
                services.reveal_seed(table=self.pk, side=side, seed=seed.hex(), now=self.now)
            else:
                services.commit_seed(table=self.pk, side=side, digest=hash_of(seed=seed).hex(), now=self.now)
        except RuleBroken:
            pass

    @rule(picks=st.lists(st.integers(0, 999), min_size=5, max_size=30), thinks=st.sampled_from((0, 0, 1, 4)))
    def whoever_is_to_act_plays_on(self, picks: list[int], thinks: int) -> None:
        self.play_on(picks, thinks=thinks)

    @rule(
        picks=turns,
        side=sides,
        concession=st.sampled_from(("single", "gammon", "backgammon", "match")),
        accepted=st.booleans(),
    )
    def one_would_resign(self, picks: list[int], side: Side, concession: str, accepted: bool) -> None:
        self.play_on(picks)
        offered = self.acts(side, {"kind": "resign", "concession": concession})
        if isinstance(offered, Done):
            self.acts(opponent_of(side), {"kind": f"{'accept' if accepted else 'decline'}_resignation"})

    @rule(picks=turns, side=sides, kind=st.sampled_from([str(kind) for kind in KINDS]), off=st.integers(-2, 1))
    def somebody_acts_out_of_order(self, picks: list[int], side: Side, kind: str, off: int) -> None:
        self.play_on(picks)
        offered = kind in self.offered(side)
        more = {"play": {"play": "24/23 24/22"}, "resign": {"concession": "single"}}.get(kind, {})
        answer = self.acts(side, {"kind": kind, **more}, version=max(0, self.version + off))
        if off == 0 and not offered:
            assert not isinstance(answer, Done) or answer.replayed

    @rule(picks=turns, which=st.integers(0, 3))
    def the_same_comes_again(self, picks: list[int], which: int) -> None:
        self.play_on(picks)
        if not self.done:
            return
        side, version, what = self.done[-1 - which % len(self.done)]
        before = self.rows()
        again = self.acts(side, what, version=version)
        assert isinstance(again, Done)
        assert again.replayed
        assert (again.version, self.rows()) == (self.version, before)

    @rule(
        picks=turns,
        pick=st.integers(0, 999),
        other=st.sampled_from(("roll", "double", "take", "claim")),
        twice=st.booleans(),
    )
    def both_act_at_once(self, picks: list[int], pick: int, other: str, twice: bool) -> None:
        self.play_on(picks)
        side = selectors.stand(table=self.pk).to_act
        if side is None:
            return
        what = self.choice(side, pick)
        rival = (side, what) if twice else (opponent_of(side), {"kind": other})
        before = self.position()
        answers = at_once(
            lambda: self.act(side, what, version=self.version), lambda: self.act(*rival, version=self.version)
        )
        for answer in answers:
            assert isinstance(answer, (Done, *REFUSED)), answer
        fresh = [answer for answer in answers if isinstance(answer, Done) and not answer.replayed]
        assert len(fresh) <= 1
        if twice and fresh:
            assert all(isinstance(answer, Done) for answer in answers)
        for answer in fresh:
            self.is_done(answer, before)

    @rule(
        picks=turns,
        seconds=st.sampled_from((0, 0, 1, 3, 20, 119, 299)),
        side=sides,
        happens=st.sampled_from(("comes", "goes", "nothing")),
        swept=st.booleans(),
    )
    def time_goes_by(self, picks: list[int], seconds: int, side: Side, happens: str, swept: bool) -> None:
        self.play_on(picks)
        if happens != "nothing":
            does = live.came if happens == "comes" else live.went
            does(table=self.pk, side=side, connection=CONNECTIONS[side - 1], now=self.now)
        self.at += timedelta(seconds=seconds)
        if swept:
            services.expire(table=self.pk, now=self.now)
        self.version = Live.objects.get(pk=self.pk).version

    @rule(six=st.sampled_from((GAMMON, ("1", "0", "0", "0", "0", "0"), ("0", "0", "0", "0", "0.5", "0.5"))))
    def a_game_lost_on_time_is_priced(self, six: tuple[str, ...]) -> None:
        if self.status != "pricing":
            return
        price = price_of(selectors.stand(table=self.pk), *six)
        answers = at_once(*[lambda: services.price(table=self.pk, price=price, now=self.now)] * 2)
        assert sorted(answer is None for answer in answers) == [False, True], answers
        self.version = Live.objects.get(pk=self.pk).version

    # --- What holds ------------------------------------------------------------------------------------------------

    @invariant()
    def no_cent_comes_or_goes(self) -> None:
        if hasattr(self, "stake"):
            theirs = [wallet(player) + escrow(player) for player in self.stake.table.seats]
            assert sum(theirs) + earned(self.stake.table.room) == 2 * FUNDS

    @invariant()
    def versions_only_grow(self) -> None:
        if hasattr(self, "stake"):
            version = Live.objects.get(pk=self.pk).version
            assert version >= self.version
            self.version = version

    def teardown(self) -> None:
        if not hasattr(self, "stake"):
            return
        found = rows.seen(table=self.pk)
        stand = selectors.stand_of(found)
        assert selectors.replayed(found, selectors.events_of(found)) == stand
        assert [(proof.name, proof.fault) for proof in proofs.run() if not proof.holds] == []
        settled = Settlement.objects.filter(stake=self.stake)
        match stand.status.value:
            case "over":
                waits = Adjudication.objects.filter(stake=self.stake).exists()
                assert settled.count() == 1 or (waits and not settled)
            case "voided":
                assert [wallet(player) for player in self.stake.table.seats] == [FUNDS, FUNDS]
            case "seeds" | "playing" | "pricing":
                assert not settled
        if stand.status.is_final and all(stand.seeds):
            assert verify(read_transcript(self.transcript())) == []

    # --- How ---------------------------------------------------------------------------------------------------------

    def now(self) -> datetime:
        return self.at

    @property
    def status(self) -> str:
        return selectors.stand(table=self.pk).status.value if hasattr(self, "stake") else ""

    def offered(self, side: Side) -> list[str]:
        return list(selectors.state(table=self.pk, viewer=side, at=self.at)["actions"])

    def play_on(self, picks: list[int], *, thinks: int = 0) -> None:
        for pick in picks:
            side = selectors.stand(table=self.pk).to_act
            if side is None:
                return
            self.at += timedelta(seconds=thinks)
            if not isinstance(self.acts(side, self.choice(side, pick)), Done):
                return

    def choice(self, side: Side, pick: int) -> dict[str, Any]:
        """One of the things that the state offers, rolling and playing oftener than the rest."""
        state = selectors.state(table=self.pk, viewer=side, at=self.at)
        kinds = [kind for kind in state["actions"] if kind != "resign" and (kind != "double" or pick % 4 == 0)]
        kind = kinds[pick % len(kinds)]
        return {"kind": kind} | ({"play": state["plays"][pick % len(state["plays"])]["play"]} if kind == "play" else {})

    def act(self, side: Side, what: dict[str, Any], *, version: int) -> Done:
        return services.act(table=self.pk, side=side, version=version, wish=wish(what), now=self.now)

    def acts(self, side: Side, what: dict[str, Any], *, version: int | None = None) -> Done | Exception:
        named = self.version if version is None else version
        before = self.position()
        try:
            done = self.act(side, what, version=named)
        except REFUSED as refused:
            return refused
        if not done.replayed:
            self.done.append((side, named, what))
            self.is_done(done, before)
        return done

    def position(self) -> Any:
        game = selectors.stand(table=self.pk).game
        return game.position, game.dice

    def is_done(self, done: Done, before: Any) -> None:
        """A play goes where gvformat says that the dice let it go."""
        self.version = done.version
        position, dice = before
        play = Action.objects.filter(live=self.pk, version=done.version, kind="play").first()
        if play is not None and dice is not None:
            assert read_position_id(play.payload["to"]).points in gvformat_after(position, dice)

    def rows(self) -> int:
        return Action.objects.filter(live=self.pk).count()

    def transcript(self) -> str:
        return json.dumps(selectors.dice(table=self.pk))


@pytest.mark.django_db(transaction=True)
def test_whatever_two_clients_do_the_game_is_legal_and_the_book_proves() -> None:
    effort = settings(
        max_examples=20, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    run_state_machine_as_test(TwoClients, settings=effort)
