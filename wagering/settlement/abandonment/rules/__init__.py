"""The price of an abandoned contest: ``money_value`` is the formula, ``valuation`` its use, ``split`` who gets what."""
