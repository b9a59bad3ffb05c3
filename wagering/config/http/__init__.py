"""The manners of the API: what every endpoint under /v1 does, whoever wrote it."""
