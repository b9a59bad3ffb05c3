"""Which addresses a notice may be sent to: those of the world outside, and hosts that the settings name."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

from django.conf import settings

_TRANSLATED: Final = IPv6Network("64:ff9b::/96")
"""IPv6 that a gateway turns into any IPv4, as 6to4 and Teredo are."""


async def of(host: str, port: int) -> Sequence[str]:
    """Where ``host`` is, as far as anything may be sent there. Raises OSError for one that is nowhere."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(address[0]) for *_, address in found))
    if host in settings.NOTICES_HOSTS:
        return addresses
    return [address for address in addresses if is_outside(address)]


def is_outside(address: str) -> bool:
    """Whether it is on the public network: not this machine, nor one beside it, nor what answers for a cloud."""
    found: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address) and (found.sixtofour or found.teredo or found in _TRANSLATED):
        return False
    return found.is_global and not found.is_multicast
