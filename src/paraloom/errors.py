"""Every error of Paraloom's own, in one tree. A message says what is wrong, where, and what to do.

    ParaloomError
    ├── TableError          a table is not what its noun promises
    ├── InputError          something the user gave cannot be used: a file, an option, a name
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


class EngineError(ParaloomError):
    """Something about a run folder or a place to run in is not as it must be."""


class TargetTaken(EngineError):
    """The folder holds a table that was made another way."""


class NotMade(EngineError):
    """The table asked for has not been made (yet)."""
