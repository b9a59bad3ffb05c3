"""How likely each outcome of a position is. What that is worth in money is the wagering's to say (A-2).

Floats are at home here and nowhere else: what leaves this folder are ``Probabilities``, which are exact.
"""
