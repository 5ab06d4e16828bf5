"""A folder in, a throw-away PostgreSQL for Label Studio out: its SQLite is not meant for many people at once."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from annotate_peers.server import Server

START_PATIENCE = 60.0
OWNER = "postgres"


class Postgres:
    """A new cluster with its defaults, for one run."""

    def __init__(self, folder: Path) -> None:
        """The folder takes the cluster; PostgreSQL refuses to run as root, so there it runs as its own user."""
        self._folder = folder
        self._server = Server(folder)
        self._user = OWNER if os.geteuid() == 0 else None

    @staticmethod
    def is_there() -> bool:
        """Whether its programs are on the path."""
        return shutil.which("initdb") is not None and shutil.which("postgres") is not None

    def start(self) -> dict[str, str]:
        """Make the cluster, start it, and say where it is in Label Studio's words."""
        self._folder.mkdir(parents=True)
        if self._user:
            shutil.chown(self._folder, self._user)
            for above in (self._folder.parent, self._folder.parent.parent):
                if above.stat().st_uid == 0 and above.name.startswith("paraloom-"):
                    above.chmod(0o711)  # a temporary folder lets nobody else through
        data = self._folder / "cluster"
        make = ["initdb", "-D", str(data), "-U", OWNER, "--auth", "trust", "--encoding", "UTF8", "--no-instructions"]
        subprocess.run(make, check=True, capture_output=True, timeout=START_PATIENCE, user=self._user, cwd=self._folder)
        listen = ["-p", str(self._server.port), "-c", "listen_addresses=127.0.0.1", "-k", str(self._folder)]
        many = ["-c", "max_connections=500"]  # Django's server opens one for every thread
        self._server.start(["postgres", "-D", str(data), *listen, *many], "", START_PATIENCE, user=self._user)
        return {
            "DJANGO_DB": "default",
            "POSTGRE_HOST": "127.0.0.1",
            "POSTGRE_PORT": str(self._server.port),
            "POSTGRE_USER": OWNER,
            "POSTGRE_PASSWORD": "",
            "POSTGRE_NAME": "postgres",
        }

    def cpu_seconds(self) -> float:
        """Of all its processes that are alive."""
        return self._server.cpu_seconds()

    def megabytes(self) -> float:
        """Of all its processes."""
        return self._server.megabytes()

    def stop(self) -> None:
        """End it."""
        self._server.stop()
