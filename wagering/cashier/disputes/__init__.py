"""What was paid in and is taken back by the payer's bank, and what players owe since (P-3).

services    a dispute as the provider tells it: taken from the wallet, or given back after all
receivables what is owed is paid from what comes in      write_offs  what an operator gives up of it
covers      what disputes took beyond deposits, made good by the operator (P-4)
"""
