"""``manage.py up``: web, workers and beat as children of one process, and nothing left of them when it goes."""
