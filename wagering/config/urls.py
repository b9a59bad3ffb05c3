"""The HTTP surface on one page."""

from django.contrib import admin
from django.urls import URLPattern, include, path, re_path
from django.views.generic import RedirectView

from games import api as games
from games.access import api as access
from games.live.stream import Stream
from wagering.cashier.bank import api as bank
from wagering.cashier.deposits import api as deposits
from wagering.cashier.payouts import api as payouts
from wagering.commission import api as commission
from wagering.config.http import docs, health, metrics, pages
from wagering.notices import api as notices
from wagering.play import rooms_api as elsewhere
from wagering.play.lobby import api as lobby
from wagering.play.machine import api as machine
from wagering.play.people import api as people
from wagering.play.tables import api as at_table
from wagering.play.wallet import api as wallet
from wagering.privacy import api as privacy
from wagering.protection import api as protection
from wagering.protection.exclusion import api as exclusion
from wagering.protection.identity import api as identity
from wagering.protection.limits import api as limits
from wagering.seamless import api as seamless
from wagering.seamless import players_api as seamless_players

admin.autodiscover()

v1: list[URLPattern] = [
    path("players", access.Players.as_view()),
    path("tokens", protection.LogIn.as_view()),
    path("tokens/<uuid:token>", access.Token.as_view()),
    path("me", access.Me.as_view()),
    path("me/data", privacy.MyData.as_view()),
    path("me/password", access.Password.as_view()),
    path("games/<uuid:game>/stream", Stream.as_view()),
    path("tables/<uuid:table>", at_table.TableState.as_view()),
    path("tables/<uuid:table>/actions", at_table.Actions.as_view()),
    path("tables/<uuid:table>/seeds", at_table.Seeds.as_view()),
    path("tables/<uuid:table>/heartbeat", at_table.Heartbeat.as_view()),
    path("tables/<uuid:table>/leave", at_table.Leave.as_view()),
    path("games/<uuid:game>/dice", at_table.Dice.as_view()),
    path("games/<uuid:game>/record", at_table.GameRecord.as_view()),
    path("machine-tables", machine.MachineTables.as_view()),
    path("rooms", games.Rooms.as_view()),
    path("offers", lobby.Offers.as_view()),
    path("offers/<uuid:offer>", lobby.OneOffer.as_view()),
    path("offers/<uuid:offer>/accept", lobby.Accept.as_view()),
    path("offers/<uuid:offer>/withdraw", lobby.Withdraw.as_view()),
    path("offers/<uuid:offer>/counters", lobby.Counters.as_view()),
    path("offers/<uuid:offer>/counters/<uuid:counter>/accept", lobby.AcceptCounter.as_view()),
    path("offers/<uuid:offer>/counters/<uuid:counter>/decline", lobby.DeclineCounter.as_view()),
    path("offers/<uuid:offer>/counters/<uuid:counter>/withdraw", lobby.WithdrawCounter.as_view()),
    path("tables/<uuid:table>/rematch", lobby.Rematch.as_view()),
    path("players/<uuid:player>", people.Person.as_view()),
    path("players/<uuid:player>/games", people.Contests.as_view()),
    path("me/profile", people.MyProfile.as_view()),
    path("tables", people.MyTables.as_view()),
    path("ratings", people.Ladder.as_view()),
    path("ratings/<uuid:player>/history", people.RatingHistory.as_view()),
    path("statistics", people.Statistics.as_view()),
    path("wallet", wallet.Wallets.as_view()),
    path("wallet/statement", wallet.WalletStatement.as_view()),
    path("wallet/totals", wallet.WalletTotals.as_view()),
    path("wallet/play-money", wallet.PlayMoney.as_view()),
    path("deposits", deposits.Deposits.as_view()),
    path("deposits/<uuid:deposit>", deposits.OneDeposit.as_view()),
    path("deposits/<uuid:deposit>/start", deposits.StartDeposit.as_view()),
    path("transfer-reference", bank.TransferReference.as_view()),
    path("payouts", payouts.Payouts.as_view()),
    path("payouts/<uuid:payout>", payouts.OnePayout.as_view()),
    path("payouts/<uuid:payout>/cancel", payouts.CancelPayout.as_view()),
    path("payment-methods/bank-accounts", payouts.BankAccounts.as_view()),
    path("notices", notices.Notices.as_view()),
    path("notices/read", notices.NoticesRead.as_view()),
    path("payment-methods", deposits.PaymentMethods.as_view()),
    path("webhooks/<slug:provider>", deposits.Webhooks.as_view()),
    path("protection", protection.Protection.as_view()),
    path("protection/reality-check", protection.RealityCheck.as_view()),
    path("protection/reality-check/seen", protection.RealityCheckSeen.as_view()),
    path("limits", limits.Limits.as_view()),
    path("limits/removal", limits.Removal.as_view()),
    path("limits/confirmation", limits.Confirmation.as_view()),
    path("exclusion", exclusion.Exclusion.as_view()),
    path("exclusion/lift", exclusion.Lift.as_view()),
    path("time-out", exclusion.TimeOut.as_view()),
    path("identity", identity.MyIdentity.as_view()),
    path("quotes", commission.Quotes.as_view()),
    path("rooms/<slug:slug>/tables", elsewhere.RoomTables.as_view()),
    path("rooms/<slug:slug>/tables/<uuid:table>", elsewhere.RoomTable.as_view()),
    path("rooms/<slug:slug>/tables/<uuid:table>/result", elsewhere.RoomResult.as_view()),
    path("rooms/<slug:slug>/tables/<uuid:table>/void", elsewhere.RoomVoid.as_view()),
    path("rooms/<slug:slug>/tables/<uuid:table>/abandon", elsewhere.RoomAbandoned.as_view()),
    path("rooms/<slug:slug>/tables/<uuid:table>/reverse", elsewhere.RoomReversal.as_view()),
    path("seamless/authenticate", seamless.Authenticate.as_view()),
    path("seamless/balance", seamless.Balance.as_view()),
    path("seamless/bet", seamless.Bets.as_view()),
    path("seamless/win", seamless.Wins.as_view()),
    path("seamless/rollback", seamless.Rollbacks.as_view()),
    path("seamless/refund", seamless.Refunds.as_view()),
    path("seamless/sessions", seamless_players.Sessions.as_view()),
    path("seamless/rounds", seamless_players.Rounds.as_view()),
    path("schema", docs.Schema.as_view(), name="schema"),
    path("docs", docs.Docs.as_view(), name="docs"),
    re_path("", pages.Nowhere.as_view()),
]

urlpatterns = [
    path("", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
    path("v1/", include(v1)),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics.metrics),
]

handler400 = "wagering.config.http.pages.bad_request"
handler403 = "wagering.config.http.pages.not_allowed"
handler404 = "wagering.config.http.pages.not_found"
handler500 = "wagering.config.http.pages.went_wrong"
