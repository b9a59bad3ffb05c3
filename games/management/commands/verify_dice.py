"""``manage.py verify_dice FILE``: whether a transcript proves its dice (F)."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.dice import Malformed
from games.rules.dice_json import read_transcript
from games.rules.dice_transcript import Fault, ThrowKind, Transcript, verify

SIZE_MAX = 16 * 1024 * 1024
"""Bytes that are read at most: some 200,000 throws."""


class Command(BaseCommand):
    """Refuses what is no transcript with its field, value and rule on standard error and status 2."""

    help = (
        "Computes every throw of a dice transcript again from the seeds and prints what that proves, or each fault "
        "with its place. Status 1 if there is a fault, 2 if the file is no transcript."
    )
    requires_system_checks: list[str] = []  # needs no database, so nothing about one is checked

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="a dice transcript, as games/rules/dice_json.py writes it")
        parser.add_argument("--json", action="store_true", help="one object: proved, throws, commitment, faults")

    def handle(self, *, file: str, json: bool, **options: Any) -> None:
        try:
            transcript = read_transcript(_read(file))
        except OSError as error:
            raise CommandError(f"file: {file!r} cannot be read: {error.strerror or error}", returncode=2) from None
        except Malformed as bad:
            raise CommandError(f"no transcript: {bad}", returncode=2) from None
        faults = verify(transcript)
        self.stdout.write(as_json(transcript, faults) if json else as_page(transcript, faults))
        if faults:
            sys.exit(1)


def as_json(transcript: Transcript, faults: list[Fault]) -> str:
    """One object on one line; ``commitment`` is null where there is none."""
    return json.dumps(
        {
            "proved": not faults,
            "throws": len(transcript.throws),
            "commitment": transcript.commitment.hex() if transcript.commitment else None,
            "faults": [{"fault": fault.kind, "where": fault.where, "reason": fault.reason} for fault in faults],
        }
    )


def as_page(transcript: Transcript, faults: list[Fault]) -> str:
    """What was proved, a line a promise, or a line a fault."""
    throws = transcript.throws
    if faults:
        count = f"{len(faults)} fault{'s' * (len(faults) > 1)} in {len(throws)} throws"
        return "\n".join([*map(str, faults), f"Not proved: {count}."])
    assert transcript.commitment is not None, "a transcript without a commitment has a fault"
    told = [f"The server committed itself to {transcript.commitment.hex()} first, and its seed is the one it gave."]
    if not throws:
        return "\n".join([*told, "Proved: nothing was thrown."])
    openings = sum(throw.kind is ThrowKind.OPENING for throw in throws)
    return "\n".join(
        [
            *told,
            "Both hashes were in before either side's seed, and both seeds are those of the hashes.",
            f"Counters run from 0 to {throws[-1].counter}, none left out and none twice; all came before the reveal.",
            "All dice follow from the three seeds.",
            f"Proved: {len(throws)} throws, {openings} of them opening. Compare their number with the game's record,",
            "and the commitment and the hashes with those your client was told.",
        ]
    )


def _read(file: str) -> bytes:
    """The bytes of ``file``. Raises OSError, and Malformed where there are too many."""
    if "\0" in file:
        raise OSError("a name has no zero byte")
    with Path(file).open("rb") as stream:
        data = stream.read(SIZE_MAX + 1)
    if len(data) > SIZE_MAX:
        raise Malformed(field="file", value=f"over {SIZE_MAX}", rule="bytes are more than any transcript has")
    return data
