"""Play within limits: what a player may deposit and stake, who may at all, and what is known of the person.

``gate`` is the way in for everybody else: it is asked before a deposit, before a stake is held, and before a payout.
Everything of one player is done under the lock of their ``Person``.
"""
