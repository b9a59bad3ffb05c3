"""Our bank: orders out (pain.001), its answers (pain.002) and statements (camt.053, camt.054) in, players' transfers.

rules/         pure: the files, the business days, IBANs, names, references
connection.py  what a bank is to us, and those there are: the sandbox's, a folder
imports.py     a file comes in, once     entries.py  what each movement on the account is, and operators' words on it
"""
