"""What may be given as a hash or a seed, and when (F): both hashes before either seed, each seed that of its hash."""

import re
from typing import Final

from games.live.rules.stand import Stand
from games.rules.dice import SEED_BYTES, hash_of
from games.rules.refusals import RuleBroken
from games.rules.sides import Side, opponent_of

_DIGITS: Final = re.compile(f"[0-9a-f]{{{2 * SEED_BYTES}}}")


class NotHexadecimal(RuleBroken):
    """A seed or a hash is 32 bytes."""

    rule = "F"
    reason = f"a {{detail}} is {2 * SEED_BYTES} lower-case hexadecimal digits"


class GivenOtherwise(RuleBroken):
    """What was given once stays."""

    rule = "F"
    reason = "another {detail} was given before"


class HashCopied(RuleBroken):
    """Nobody hides behind another's hash."""

    rule = "F"
    reason = "the hash is another's, given again"


class SeedBeforeHashes(RuleBroken):
    """A seed that is told before both sides are bound could be answered by a chosen one."""

    rule = "F"
    reason = "no seed is given before both hashes are in"


class SeedIsNotOfItsHash(RuleBroken):
    """The seed is another than the one that was promised."""

    rule = "F"
    reason = "the seed is not the one of which the hash was given"


def gives_hash(stand: Stand, side: Side, digest: str) -> bool:
    """Whether the hash of ``side``'s seed is new; False for the same again.

    Raises NotHexadecimal, GivenOtherwise, HashCopied.
    """
    if not _DIGITS.fullmatch(digest):
        raise NotHexadecimal("hash")
    if before := stand.hashes[side - 1]:
        if before != digest:
            raise GivenOtherwise("hash")
        return False
    if digest in (stand.commitment, stand.hashes[opponent_of(side) - 1]):
        raise HashCopied
    return True


def gives_seed(stand: Stand, side: Side, seed: str) -> bool:
    """Whether ``side``'s seed is new; False for the same again.

    Raises NotHexadecimal, GivenOtherwise, SeedBeforeHashes, SeedIsNotOfItsHash.
    """
    if not _DIGITS.fullmatch(seed):
        raise NotHexadecimal("seed")
    if before := stand.seeds[side - 1]:
        if before != seed:
            raise GivenOtherwise("seed")
        return False
    if not all(stand.hashes):
        raise SeedBeforeHashes
    if hash_of(seed=bytes.fromhex(seed)).hex() != stand.hashes[side - 1]:
        raise SeedIsNotOfItsHash
    return True
