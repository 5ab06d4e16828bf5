"""Every error of Paraloom's own, in one tree. A message says what is wrong, where, and what to do.

    ParaloomError
    ├── TableError          a table is not what its noun promises
    ├── InputError          something the user gave cannot be used: a file, an option, a name
    ├── ServiceError        the annotation service cannot do what it was asked
    │   ├── NotFound        what was named is not there, or not for this person
    │   ├── NotAllowed      this person may not do it
    │   ├── Clash           it contradicts what is stored already
    │   └── Unavailable     the database does not answer just now; nothing was stored
    └── EngineError         a run folder, or the place to run in, is not as it must be
        ├── TargetTaken     the folder holds a table that was made another way
        └── NotMade         the table asked for has not been made

Libraries raise these; only the command line turns them into an exit code.
"""

from __future__ import annotations


class ParaloomError(Exception):
    """Something went wrong that the user can mend."""


class TableError(ParaloomError):
    """A table is not what its noun promises: wrong columns, a null where none may be, a key twice."""


class InputError(ParaloomError):
    """Something the user gave cannot be used: a file, an option, a name."""


class ServiceError(ParaloomError):
    """The annotation service cannot do what it was asked."""


class NotFound(ServiceError):
    """What was named is not there, or is not for this person to know of."""


class NotAllowed(ServiceError):
    """This person may not do it, or not now."""


class Clash(ServiceError):
    """It contradicts what is stored already: a name that is taken, an id that was used for another answer."""


class Unavailable(ServiceError):
    """The database does not answer just now. Nothing is known to be stored: ask again, with the same client id."""


class EngineError(ParaloomError):
    """Something about a run folder or a place to run in is not as it must be."""


class TargetTaken(EngineError):
    """The folder holds a table that was made another way."""


class NotMade(EngineError):
    """The table asked for has not been made (yet)."""
