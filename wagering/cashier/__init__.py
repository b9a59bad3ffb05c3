"""In and out of the house: deposits, payouts, disputes, the bank. Each folder here is a small app.

providers/  what a payment provider is to us, and those there are     sandbox/  one to try it all with, as a server
methods/    cards and accounts that players pay from and to           deposits/ in
disputes/   what was paid in and is taken back; what players owe      payouts/  out
bank/       our bank: ISO 20022 files, statements, business days
"""
