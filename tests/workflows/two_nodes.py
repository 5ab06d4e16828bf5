"""A Ray cluster of two local nodes, each said to have a GPU: prints its address, is shut down when standard input ends.

python two_nodes.py FOLDER_FOR_ITS_FILES
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> None:
    folder = Path(sys.argv[1])
    os.environ["RAY_TMPDIR"] = str(folder)  # where the address is noted, for which Ray makes no folder
    (folder / "ray").mkdir()
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    try:
        for _ in range(2):
            cluster.add_node(
                wait=False,
                num_cpus=1,
                num_gpus=1,
                object_store_memory=100 << 20,
                include_dashboard=False,
                temp_dir=str(folder),
            )
        cluster.wait_for_nodes(60)
        print(cluster.address, flush=True)
        sys.stdin.read()
    finally:
        cluster.shutdown()


if __name__ == "__main__":
    main()
