"""Where the work runs: in this process and its helpers, or on a Ray cluster. The rest of the engine does not ask."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from paraloom.errors import EngineError
from paraloom.metrics.parts import cores

T = TypeVar("T")

QUIET = {
    "DO_NOT_TRACK": "1",
    "DAFT_ANALYTICS_ENABLED": "0",
    "DAFT_PROGRESS_BAR": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
}
"""No telemetry, and one progress bar: ours. Daft and Ray read these when they are imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOptions:
    """Where to run."""

    engine: Literal["local", "ray"] = "local"
    """`local`: on this machine. `ray`: on a Ray cluster; both write the same tables."""
    ray_address: str | None = None
    """Address of a running Ray cluster, such as `127.0.0.1:6379`; without it `RAY_ADDRESS` counts,
    and without that `ray` starts one on this machine."""
    workers: int | None = None
    """Helper processes; by default one per core (of the cluster, with `ray`)."""


def import_daft() -> Any:
    """Daft, with its telemetry off."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    import daft

    return daft


@contextlib.contextmanager
def at(options: PlaceOptions) -> Iterator[int]:
    """Daft is set to run in the chosen place; the value is how many workers there are."""
    if options.engine == "local":
        _run_on("native")
        yield options.workers or cores()
        return
    with _cluster(options):
        _run_on("ray")
        yield options.workers or cores_of_cluster()


def _run_on(runner: Literal["native", "ray"]) -> None:
    """Daft's runner is set once a process; later runs can use the same one, and no other."""
    daft = import_daft()
    from daft.exceptions import DaftCoreException

    with contextlib.suppress(DaftCoreException):
        daft.set_runner_native() if runner == "native" else daft.set_runner_ray()
    if (already := daft.get_or_create_runner().name) != runner:
        raise EngineError(
            f"This process has run Daft on its {already!r} runner and cannot change to {runner!r}. "
            "Start a new Python process for the other engine."
        )


@contextlib.contextmanager
def _cluster(options: PlaceOptions) -> Iterator[None]:
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")  # Ray warns about a missing token otherwise
    try:
        import ray
    except ImportError as missing:
        raise EngineError("--engine ray needs Ray: pip install 'paraloom[ray]'.") from missing
    address = options.ray_address or os.environ.get("RAY_ADDRESS") or "local"  # None would join any cluster found here
    started_here = not ray.is_initialized()
    if started_here:
        try:
            _knock(address, ray.util.get_node_ip_address())  # type: ignore[no-untyped-call]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, include_dashboard=False)
        except (OSError, RuntimeError, ValueError) as refused:
            raise EngineError(
                f"No Ray cluster answers at {address!r}: {refused}. Start one with `ray start --head`, "
                "or leave --ray-address out to have one started here."
            ) from refused
    try:
        yield
    finally:
        if started_here:
            import_daft().get_or_create_runner().flotilla_plan_runner = None  # its actors go with the cluster
            ray.shutdown()


def cores_of_cluster() -> int:
    """Cores of all nodes of the Ray cluster."""
    return max(_resource("CPU"), 1)


def gpus_of_cluster() -> int:
    """GPUs of all its nodes; an error where there is none."""
    if count := _resource("GPU"):
        return count
    raise EngineError("No node of the Ray cluster has a GPU. Add one, or leave out --device cuda.")


def on_a_gpu_of_cluster(work: Callable[[], T]) -> T:
    """What a function gives that is called once, on a node of the Ray cluster that has a GPU."""
    import ray

    gpus_of_cluster()
    called: T = ray.get(ray.remote(num_gpus=1)(lambda: work()).remote())  # Ray takes no partial for a function
    return called


def _resource(name: str) -> int:
    import ray

    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return int(resources.get(name, 0))


def _knock(address: str, own_host: str) -> None:
    """An error at once where nothing listens: Ray itself would go on trying for many minutes."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if not colon or not port.isdigit():  # `local` and `auto` name no place
        return
    host = own_host if host in ("127.0.0.1", "localhost") else host  # a head node listens there, and Ray looks there
    with socket.create_connection((host, int(port)), timeout=10):
        pass
