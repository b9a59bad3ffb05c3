"""How gunicorn serves the room: ``gunicorn -c python:wagering.config.web wagering.config.asgi``."""

from __future__ import annotations

import contextlib
import resource
import socket
import warnings
from typing import Any, Final

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its successor is the same class in a package of its own
    from uvicorn.workers import UvicornWorker

from wagering.config.patience import Patient

# WhiteNoise's files are read as any server reads them, which Django warns of once a worker.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

GRACE_S: Final = 3
"""How long a request may still take when the server stops. An open stream says goodbye by itself."""

CONNECTIONS_MAX: Final = 4096
"""Of a worker, streams too; who comes beyond is answered 503. How many one address may have is for a proxy to say."""

UNHEARD_MS: Final = 20_000
"""A client whose machine has confirmed nothing for so long is gone, though it never said so (A-1)."""


class Worker(UvicornWorker):
    CONFIG_KWARGS: dict[str, Any] = {
        **UvicornWorker.CONFIG_KWARGS,
        "timeout_graceful_shutdown": GRACE_S,
        "server_header": False,
        "http": Patient,
        "limit_concurrency": CONNECTIONS_MAX,
        "proxy_headers": False,  # else it believes anybody on this machine; whom to believe is for PROXIES to say
    }


worker_class = f"{__name__}.Worker"
workers = 2
preload_app = True  # read once, shared by all
graceful_timeout = GRACE_S + 2
keepalive = 30
control_socket_disable = True

# Every open stream is an open file.
_, _most = resource.getrlimit(resource.RLIMIT_NOFILE)
with contextlib.suppress(OSError, ValueError):  # some systems allow less than they say
    resource.setrlimit(resource.RLIMIT_NOFILE, (_most, _most))


def when_ready(server: Any) -> None:
    """What is accepted from a listening socket has its options."""
    for listener in server.LISTENERS:
        # One in the file system has no such option, and no need of it; Linux alone knows it.
        with contextlib.suppress(OSError, AttributeError):
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD_MS)
