"""Commands that are called in tests, and what they did."""

import json
from typing import Any, ClassVar

import pytest
from django.core.management.base import BaseCommand


class Asked:
    """What one call of the ``command`` did."""

    command: ClassVar[type[BaseCommand]]

    def __init__(self, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
        self.status: object = 0
        name = self.command.__module__.rpartition(".")[2]
        try:
            self.command().run_from_argv(["manage.py", name, *arguments])
        except SystemExit as ended:
            self.status = ended.code
        self.out, self.err = capsys.readouterr()

    @property
    def answer(self) -> dict[str, Any]:
        assert (self.status, self.err) == (0, ""), self.err
        answer: dict[str, Any] = json.loads(self.out)
        return answer
