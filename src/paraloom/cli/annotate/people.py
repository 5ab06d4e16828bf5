"""`paraloom annotate invite|people|token`: who may do what."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import App, Parameter

from paraloom.cli.annotate.database import DEFAULT_DB, Db

Role = Literal["admin", "expert", "annotator"]

people = App(
    name="people",
    help="See who is there, give roles, block, forget.\n\nExample: `paraloom annotate people list`",
)


def invite(
    *,
    role: Role = "annotator",
    campaign: str | None = None,
    uses: int = 1,
    days: float = 14,
    address: str = "http://127.0.0.1:8000",
    db: Db = DEFAULT_DB,
) -> None:
    """Print a link that lets people make an account.

    Example: `paraloom annotate invite --campaign storms --uses 20 --address https://annotate.example.org`

    Parameters
    ----------
    role
        What the account may do: work (annotator), decide conflicts too (expert), or everything (admin).
    campaign
        Add them to this campaign, as one for members only asks.
    uses
        So many people can use the link.
    days
        It runs out after so many days.
    address
        Where people reach the service, with http:// or https://.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, create=True, campaign=campaign) as database:
        from paraloom.workflows.annotate.people import invitation_link

        print(invitation_link(database, role=role, campaign=campaign, uses=uses, days=days, address=address))


@people.command(name="list")
def list_people(*, db: Db = DEFAULT_DB, json: Annotated[bool, Parameter(negative="")] = False) -> None:
    """Show everybody, the newest first.

    Example: `paraloom annotate people list --json`

    Parameters
    ----------
    json
        Print one JSON object a line.
    """
    import json as writer

    from paraloom.workflows.annotate.opened import opened

    with opened(db) as database:
        from paraloom.workflows.annotate.people import everyone

        found = everyone(database)
    if not found and not json:
        print("There is nobody yet. `paraloom annotate invite` prints a link that lets people make an account.")
    for person in found:
        state = "simulated" if person.is_simulated else "blocked" if person.blocked_at else "active"
        state = "erased" if person.erased_at else state
        if json:
            told = {"person_id": person.person_id, "name": person.name, "role": person.role, "state": state}
            print(writer.dumps(told, ensure_ascii=False))
        else:
            print(f"{person.person_id}  {person.role:<9}  {state:<9}  {person.shown_name}")


@people.command
def role(name: str, role: Role, /, *, db: Db = DEFAULT_DB) -> None:
    """Give somebody another role; the last admin stays one.

    Example: `paraloom annotate people role ann expert`

    Parameters
    ----------
    name
        Name or id.
    role
        admin, expert or annotator.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db) as database:
        from paraloom.workflows.annotate.people import give_role

        give_role(database, name, role)
    print(f"{name} is {role} now")


@people.command
def block(name: str, /, *, undo: Annotated[bool, Parameter(negative="")] = False, db: Db = DEFAULT_DB) -> None:
    """Shut the door to somebody. What they said stays.

    Example: `paraloom annotate people block ann`

    Parameters
    ----------
    name
        Name or id.
    undo
        Open the door again.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db) as database:
        from paraloom.workflows.annotate.people import set_blocked

        set_blocked(database, name, blocked=not undo)
    print(f"{name} is {'not blocked any more' if undo else 'blocked'}")


@people.command
def erase(name: str, /, *, db: Db = DEFAULT_DB) -> None:
    """Forget who somebody was: name, password, sessions, tokens. Their judgments stay, under an id that leads nowhere.

    Example: `paraloom annotate people erase ann`

    Parameters
    ----------
    name
        Name or id.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db) as database:
        from paraloom.workflows.annotate.people import erase as erase_person

        person_id = erase_person(database, name)
    print(f"Nobody is called {name} any more; the judgments are by {person_id}")


def token(name: str, /, *, role: Role | None = None, called: str = "command line", db: Db = DEFAULT_DB) -> None:
    """Print a key for a program, which may do through the API what this person may do. It is shown once.

    Example: `paraloom annotate token importer --role admin`

    Parameters
    ----------
    name
        Whose key it is; somebody new is added, and cannot sign in otherwise.
    role
        Of somebody new: annotator unless given. To fill campaigns and to read what was judged takes an admin.
    called
        What the key is for, as its owner sees it.
    """
    from paraloom.workflows.annotate.opened import opened

    with opened(db, create=True) as database:
        from paraloom.workflows.annotate.people import new_token

        print(new_token(database, name, role=role, called=called))
