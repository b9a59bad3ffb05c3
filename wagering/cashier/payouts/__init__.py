"""Money out, from the wish to the bank: held when it is asked for, screened, approved, paid once.

services.py   asking, cancelling, screening, deciding      rules.py, facts.py   the screening, and what it looks at
batches.py    orders to our bank, the same bytes again     sending.py            payouts through a provider
outcomes.py   what an attempt comes to, and the book       bank_says, events     who tells of it
switch.py     one row stops all that pays out              policy.toml           the figures
"""
