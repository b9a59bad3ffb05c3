"""How gunicorn serves the room: ``gunicorn -c python:wagering.config.web wagering.config.asgi``."""

from __future__ import annotations

import warnings
from typing import Any, Final

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # its successor is the same class in a package of its own
    from uvicorn.workers import UvicornWorker

# WhiteNoise's files are read as any server reads them, which Django warns of once a worker.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")

GRACE_S: Final = 3
"""How long a request may still take when the server stops. An open stream is cut: its client comes back."""


class Worker(UvicornWorker):
    CONFIG_KWARGS: dict[str, Any] = {
        **UvicornWorker.CONFIG_KWARGS,
        "timeout_graceful_shutdown": GRACE_S,
        "server_header": False,
    }


worker_class = f"{__name__}.Worker"
workers = 2
preload_app = True  # read once, shared by all
graceful_timeout = GRACE_S + 2
keepalive = 30
control_socket_disable = True
