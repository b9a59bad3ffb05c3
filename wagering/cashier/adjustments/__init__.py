"""Wallets that operators put right by hand: one proposes, another confirms."""
