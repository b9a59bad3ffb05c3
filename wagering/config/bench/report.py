"""What was measured, as a table of ratios for people and as JSON for programs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from wagering.config.bench.arithmetic import Measured, typical

TPCB: Final = "tpcb"
TPCB_ALONE: Final = "tpcb_one_client"


@dataclass(frozen=True, slots=True)
class Target:
    """What a ratio must reach: at least, or for a growth at most, ``bound``."""

    bound: float
    at_most: bool = False

    def met(self, ratio: float) -> bool:
        return ratio <= self.bound if self.at_most else ratio >= self.bound

    def __str__(self) -> str:
        return f"{'<=' if self.at_most else '>='} {self.bound:g}"


MEANINGS: Final = {
    "server_spread": "one posting a call in the server, random wallets, by TPC-B",
    "server_hot": "the same, into one hot account",
    "django_spread": "book.post through Django, random wallets",
    "django_hot": "the same, into one hot account",
    "staked_game": "a whole staked game: sit-down and settlement",
    "post_many_100": "post_many, 100 a call, vouchers by TPC-B at one client",
    "post_many_1000": "post_many, 1,000 a call",
    "balance_growth": "a balance, many entries by few",
    "past_balance_growth": "a past balance, many entries by few",
    "legal_plays_vs_gvformat": "legal plays, positions by gvformat's",
    "server_hot_of_spread": "server, hot by spread",
    "django_hot_of_spread": "Django, hot by spread",
    "api_play": "a roll or a play by HTTP, median by that of a view that does nothing",
    "api_wallet": "a look at a wallet by HTTP, by the same",
    "stream_mb": "MB of one web process that holds 1,000 streams, at most",
    "stream_table_s": "seconds from sending an action until all who follow its table have it",
    "stream_behind_s": "an action at each table at once: seconds from the last answer until all 1,000 have theirs",
    "stream_all_s": "the same from sending the first, all these plays included",
}

TARGETS: Final = {
    "server_spread": Target(0.9),
    "django_spread": Target(0.5),
    "post_many_1000": Target(8),
    "balance_growth": Target(1.3, at_most=True),
    "past_balance_growth": Target(2, at_most=True),
    "legal_plays_vs_gvformat": Target(5),
    "server_hot_of_spread": Target(0.8),
    "django_hot_of_spread": Target(0.8),
    "api_play": Target(3, at_most=True),
    "stream_mb": Target(300, at_most=True),
    "stream_table_s": Target(1, at_most=True),
    "stream_behind_s": Target(1, at_most=True),
}


@dataclass(slots=True)
class Report:
    """Filled as the bench goes: ``rounds`` the ratios of each thing, ``figures`` its measurements, round by round."""

    environment: dict[str, Any]
    rounds: dict[str, list[float]] = field(default_factory=dict)
    figures: dict[str, list[Measured]] = field(default_factory=dict)
    microseconds: dict[str, dict[str, float]] = field(default_factory=dict)
    proofs: list[dict[str, Any]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, ratio: float) -> None:
        self.rounds.setdefault(name, []).append(ratio)

    def saw(self, name: str, figure: Measured) -> Measured:
        self.figures.setdefault(name, []).append(figure)
        return figure

    @property
    def ratios(self) -> dict[str, float]:
        """The median of each thing's rounds."""
        return {name: typical(found) for name, found in self.rounds.items()}

    @property
    def missed(self) -> list[str]:
        found = self.ratios
        return [name for name, target in TARGETS.items() if name in found and not target.met(found[name])]

    @property
    def proven(self) -> bool:
        return bool(self.proofs) and all(proof["holds"] for proof in self.proofs)

    def as_dict(self) -> dict[str, Any]:
        ratios = {name: round(ratio, 3) for name, ratio in self.ratios.items()}
        of_spread = {side: ratios.pop(f"{side}_hot_of_spread", None) for side in ("server", "django")}
        return {
            "ratios": ratios,
            "hot_of_spread": of_spread,
            "targets": {name: str(target) for name, target in TARGETS.items()},
            "missed": self.missed,
            "left_out": self.left_out,
            "rounds": {name: [round(ratio, 3) for ratio in found] for name, found in self.rounds.items()},
            "figures": {name: _figures(found) for name, found in self.figures.items()},
            "microseconds": self.microseconds,
            "environment": self.environment,
            "proofs": self.proofs,
        }

    def lines(self) -> Iterable[str]:
        """The table, and the absolute figures under it."""
        found = self.ratios
        yield f"{'':<24} {'median':>7}  {'rounds':<15} {'to reach':<8}"
        for name, meaning in MEANINGS.items():
            if name in self.left_out:
                yield f"{name:<24} {'-':>7}  {self.left_out[name]}"
            if name not in found:
                continue
            target = TARGETS.get(name)
            wanted = "" if target is None else str(target)
            verdict = "" if target is None else "met" if target.met(found[name]) else "MISSED"
            spread = f"{min(self.rounds[name]):.2f} - {max(self.rounds[name]):.2f}"
            yield f"{name:<24} {found[name]:>7.2f}  {spread:<15} {wanted:<8} {verdict:<7} {meaning}"
        if self.figures:
            yield ""
            yield f"{'absolute, of this hour':<24} {'a second':>9} {'p50 ms':>9} {'p99 ms':>9}"
        for name, figures in self.figures.items():
            middle = _figures(figures)
            yield f"{name:<24} {middle['per_second']:>9,.0f} {middle['p50_ms']:>9.2f} {middle['p99_ms']:>9.2f}"
        for name, times in self.microseconds.items():
            yield f"{name:<24} " + ", ".join(f"{value:,.0f} µs {what}" for what, value in times.items())


def _figures(found: Sequence[Measured]) -> Mapping[str, float]:
    """The median of each column."""
    columns = [asdict(one) for one in found]
    return {name: round(typical([column[name] for column in columns]), 3) for name in columns[0]}
