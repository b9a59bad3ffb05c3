"""What is kept of one person: all of it given to them, and none of it once its time is over.

``export`` gathers it. ``erasure`` destroys the person's key (``wagering.vault``) and replaces what says who it was;
what was played and what was booked stays, of a player who is nobody any more.
"""
