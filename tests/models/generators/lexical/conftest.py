"""A WordNet of a dozen senses, in the form of the real one."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

NOUNS = """\
  1 This line stands for the licence at the head of each file.
00000100 06 n 02 hamlet 0 village 0 000 | a community of people smaller than a town; "the village is by the sea"
00000200 06 n 02 dray 0 cart 0 000 | a heavy wagon
00000300 06 n 02 yokel 0 farmer 0 000 | (disparaging) an unsophisticated country person
00000400 06 n 02 Paris 0 capital 0 000 | the seat of a government
00000500 06 n 01 farmer 0 000 | a person who operates a farm; "the farmer sold his grain"; "farmers rise early"
"""
VERBS = """\
00000600 30 v 02 mend 0 patch_up 0 001 @ 00000600 v 0000 01 + 08 00 | restore by replacing a part; "she mended it"
"""
INDEX = {
    "noun": """\
  1 This line stands for the licence at the head of each file.
cart n 1 1 @ 1 1 00000200
capital n 1 1 @ 1 1 00000400
dray n 1 1 @ 1 0 00000200
farmer n 2 1 @ 2 2 00000500 00000300
hamlet n 1 1 @ 1 1 00000100
paris n 1 1 @ 1 1 00000400
village n 1 1 @ 1 1 00000100
yokel n 1 1 @ 1 1 00000300
""",
    "verb": "mend v 1 1 @ 1 1 00000600\npatch_up v 1 1 @ 1 1 00000600\n",
    "adj": "",
    "adv": "",
}
COUNTS = """\
capital%1:06:00:: 1 9
cart%1:06:00:: 1 9
farmer%1:06:00:: 1 30
farmer%1:06:01:: 2 1
hamlet%1:06:00:: 1 12
mend%2:30:00:: 1 8
paris%1:06:00:: 1 9
patch_up%2:30:00:: 1 5
village%1:06:00:: 1 40
yokel%1:06:00:: 1 6
"""


@pytest.fixture(scope="session")
def wordnet_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("wordnet") / "corpora" / "wordnet.zip"
    file.parent.mkdir()
    with ZipFile(file, "w") as written:
        for part in ("noun", "verb", "adj", "adv"):
            written.writestr(f"wordnet/data.{part}", {"noun": NOUNS, "verb": VERBS}.get(part, ""))
            written.writestr(f"wordnet/index.{part}", INDEX[part])
        written.writestr("wordnet/cntlist.rev", COUNTS)
    return file
