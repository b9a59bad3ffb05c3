"""SHA-256 and HMAC from their definitions (FIPS 180-4, RFC 2104), and fair dice from theirs: a second opinion.

Nothing here uses hashlib, hmac or the code under test. Slow, and only for tests.
"""

from math import isqrt

WORD = 2**32


def _primes(number: int) -> list[int]:
    found: list[int] = []
    candidate = 2
    while len(found) < number:
        if all(candidate % prime for prime in found):
            found.append(candidate)
        candidate += 1
    return found


def _cube_root(value: int) -> int:
    root = 1 << -(-value.bit_length() // 3)
    while root**3 > value:
        root = (2 * root + value // root**2) // 3
    return root


# The first 32 bits of the fractions of the square and cube roots of the first primes.
START = [isqrt(prime << 64) % WORD for prime in _primes(8)]
ROUND = [_cube_root(prime << 96) % WORD for prime in _primes(64)]


def _turned(word: int, places: int) -> int:
    return (word >> places | word << 32 - places) % WORD


def sha256(message: bytes) -> bytes:
    padding = b"\x80" + bytes((55 - len(message)) % 64) + (8 * len(message)).to_bytes(8, "big")
    padded = message + padding
    state = START
    for at in range(0, len(padded), 64):
        words = [int.from_bytes(padded[at + 4 * n : at + 4 * n + 4], "big") for n in range(16)]
        for n in range(16, 64):
            early, late = words[n - 15], words[n - 2]
            mixed = _turned(early, 7) ^ _turned(early, 18) ^ early >> 3
            mixed += _turned(late, 17) ^ _turned(late, 19) ^ late >> 10
            words.append((words[n - 16] + words[n - 7] + mixed) % WORD)
        a, b, c, d, e, f, g, h = state
        for word, constant in zip(words, ROUND, strict=True):
            first = h + (_turned(e, 6) ^ _turned(e, 11) ^ _turned(e, 25)) + (e & f ^ ~e & g) + constant + word
            second = (_turned(a, 2) ^ _turned(a, 13) ^ _turned(a, 22)) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (first + second) % WORD, a, b, c, (d + first) % WORD, e, f, g
        state = [(old + new) % WORD for old, new in zip(state, (a, b, c, d, e, f, g, h), strict=True)]
    return b"".join(word.to_bytes(4, "big") for word in state)


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    assert len(key) <= 64
    padded = key + bytes(64 - len(key))
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + message)
    return sha256(bytes(byte ^ 0x5C for byte in padded) + inner)


def digest(server: bytes, first: bytes, second: bytes, counter: int, block: int = 0) -> bytes:
    tail = bytes((counter >> 8 * shift) % 256 for shift in range(7, -1, -1))
    tail += bytes((block >> 8 * shift) % 256 for shift in range(3, -1, -1))
    return hmac_sha256(server, b"backgammon-room/dice/1" + first + second + tail)


def dice(server: bytes, first: bytes, second: bytes, counter: int) -> tuple[int, int]:
    faces: list[int] = []
    block = 0
    while len(faces) < 2:
        faces += [byte % 6 + 1 for byte in digest(server, first, second, counter, block) if byte < 252]
        block += 1
    return faces[0], faces[1]
