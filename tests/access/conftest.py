"""Access is tested through HTTP; passwords are hashed fast, and nobody is told to ask less often."""

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def quick(settings: Settings, request: pytest.FixtureRequest) -> None:
    settings.RATES = {}
    if "real_passwords" not in request.fixturenames:
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def real_passwords() -> None:
    """Ask for it where the hashing itself is tested."""
