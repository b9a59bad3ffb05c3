"""Money in, from the wish to the wallet; and back, by refunds.

A deposit is asked for (``services.begin``), begun at the provider (``start``), paid on the provider's own page, and
credited once it has succeeded: because a webhook said "look" (``inbox``), or because a sweep looked by itself.
What is credited is what the provider, asked, says was really paid: a webhook is a hint, and no amount is taken from it.
"""
