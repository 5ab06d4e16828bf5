"""`paraloom annotate simulate`: annotators of known competence at work, through the real service."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from paraloom.workflows.annotate.simulate_options import SimulateOptions


def simulate(
    *,
    campaign: str | None = None,
    url: str | None = None,
    token: Annotated[str | None, Parameter(env_var="PARALOOM_TOKEN")] = None,
    db: str | None = None,
    options: Annotated[SimulateOptions, Parameter(name="*")] = SimulateOptions(),
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Let simulated annotators work on a campaign, and hold what is stored against what was acknowledged.

    They work over HTTP as programs do, each with an account of their own, called `sim-…`, which stays with its answers:
    use a campaign, better a database, that was made for it. When they are through, their tokens are revoked, and nobody
    can sign in to these accounts. Without --url a service is started on --db, or on a new database with a made-up
    campaign, and stopped again.

    Example: `paraloom annotate simulate --mix careful:0.85=70,spammer=15,adversary=15 --seconds 20 --think 0.2`

    Example: `paraloom annotate simulate --campaign storms --url http://127.0.0.1:8000 --token TOKEN`

    Parameters
    ----------
    campaign
        The campaign's name; it must be open.
    url
        Where a service runs.
    token
        An admin's token for it: `paraloom annotate token NAME --role admin`.
    db
        Where campaigns are kept, for a service that is started for the simulation.
    json
        Print one JSON object.
    """
    import json as writer

    from paraloom.workflows.annotate.opened import check_installed

    check_installed()
    from paraloom.workflows.annotate.simulate import simulate as simulate_campaign

    simulated = simulate_campaign(campaign, options, url=url, token=token, db=db)
    if json:
        print(writer.dumps(simulated.as_json(), ensure_ascii=False, allow_nan=False))
    else:
        print(simulated.as_text())
