"""A payment provider and a bank to try everything with: the outside world, in a process and a database of its own.

Nothing here knows the room: it takes requests signed for with a shared secret, keeps its own record in one SQLite file,
shows players its own page, tells what happened by signed webhooks – and misbehaves as it is told to (``mischief``).

server.py    the dispatch table and the HTTP server     record.py    its own record
payments.py  payments, refunds, disputes, payouts        pages.py     the page on which a player pays
bank.py      orders, their answers, the account's statements
webhooks.py  signing, sending, sending again             mischief.py  the catalogue of misbehaviour
cards.py     the test cards, by what becomes of them     control.py   setting mischief, and what a person there would do
"""
