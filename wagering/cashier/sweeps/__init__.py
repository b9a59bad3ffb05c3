"""Earned commission leaves the players' bank account for the operator's own, once a day (P-4)."""
