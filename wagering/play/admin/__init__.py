"""Everything of play in the operator's admin, one subject a file."""

from wagering.play.admin import lobby, people, tables  # noqa: F401 - here is where Django looks for them
