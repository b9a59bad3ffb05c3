"""Folder of a clock for child processes; nothing imports it here."""
