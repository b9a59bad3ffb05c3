"""Who plays so that money changes hands, and not to win: looked for in what was settled, told by alerts.

``rules`` decides on frozen facts by the figures in ``thresholds.toml``; ``alerts`` opens what it finds, once, and an
operator clears or confirms it. Until it is cleared an alert keeps the payouts of both players waiting.
"""
