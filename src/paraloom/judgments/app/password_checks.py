"""A name and a password in, whose they are out; guessing waits longer and longer, also where it is done all at once."""

from __future__ import annotations

import asyncio

from paraloom.errors import InputError
from paraloom.judgments.app.service import Service
from paraloom.judgments.people import Person
from paraloom.judgments.sign_in import begin_try, note_failure, seconds_until_next_try, stored_password, take_back
from paraloom.web.passwords import matches


class TooManyTries(InputError):
    """The password was not looked at: too many wrong ones came before, or are being checked now."""


async def person_behind(service: Service, name: str, password: str, *, place: str) -> Person | None:
    """Whom name and password belong to, or None where they do not fit together. `place` is where the try comes from."""
    now = service.clock()
    wait = await service.database.reading(lambda c: seconds_until_next_try(c, name, place, now))
    if wait > 0:  # whoever has to wait is not worth a transaction that writes
        raise _too_many(wait)
    trying = await service.database.writing(lambda c: begin_try(c, name, place, now))
    if trying.wait > 0:
        raise _too_many(trying.wait)
    person, hashed = await service.database.reading(lambda c: stored_password(c, name))
    if not await asyncio.to_thread(matches, hashed, password) or person is None:
        await service.database.writing(lambda c: note_failure(c, now))
        return None
    await service.database.writing(lambda c: take_back(c, trying))
    return person


def _too_many(wait: float) -> TooManyTries:
    return TooManyTries(f"Too many wrong passwords. Try again in {_duration(wait)}.")


def _duration(seconds: float) -> str:
    return f"{round(seconds)} seconds" if seconds < 90 else f"{round(seconds / 60)} minutes"
