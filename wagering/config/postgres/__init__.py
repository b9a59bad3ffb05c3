"""Django's PostgreSQL backend, which starts the embedded server on the first connection."""

EMBEDDED_HOST = "embedded://"  # stands for the embedded server in settings; no host can have this name
