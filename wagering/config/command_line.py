"""Running a command for a person: what stops it is one line on standard error, not a traceback."""

import os
import sys
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError

from wagering.rest.retries import sqlstate

UNUSABLE = 2
INTERRUPTED = 130
BROKEN_PIPE = 141
UNDEFINED_TABLE = "42P01"


def run(arguments: Sequence[str]) -> int:
    """Run the command and give its exit status; what is no mistake of ours is said in one line."""
    try:
        execute_from_command_line(list(arguments))
    except KeyboardInterrupt:
        return _stopped("interrupted; what was done is kept, and the command may be run again", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has left; nobody is there to be told, not even by Python's own farewell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except ImproperlyConfigured as error:
        return _stopped(f"settings: {error}", UNUSABLE)
    except OperationalError as error:
        return _stopped(f"database: it does not answer: {str(error).splitlines()[0]}", UNUSABLE)
    except ProgrammingError as error:
        if sqlstate(error) != UNDEFINED_TABLE:
            raise
        return _stopped("database: it is not set up; run manage.py migrate, or manage.py demo", UNUSABLE)
    return 0


def _stopped(message: str, status: int) -> int:
    sys.stderr.write(f"\n{message}\n")
    return status
