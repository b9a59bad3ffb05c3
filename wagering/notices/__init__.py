"""What happened, told to whom it concerns: players read theirs, operators' endpoints are sent them.

A notice is written in the transaction that did what it tells, by ``services.tell``, and is final but for having been
read. Deliveries to endpoints are written with it; they go out by the clock (``outgoing``), at least once each.
"""
