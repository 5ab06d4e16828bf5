"""The annotation service in a real browser in, docs/images/annotate/*.png out. Run it when a page has changed.

python scripts/annotate_screenshots.py                 # all of them
python scripts/annotate_screenshots.py pair dark       # only these

Every text on the pictures was written for them. A new kind of task is one more entry of EXAMPLES.
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from paraloom.judgments.campaigns import change_state, create_campaign
from paraloom.judgments.checks import keep_check
from paraloom.judgments.game import Check
from paraloom.judgments.items import NewItem, add_items
from paraloom.judgments.people import add_person
from paraloom.judgments.settings import CampaignSettings
from paraloom.judgments.sign_in import open_session
from paraloom.judgments.simulate.serve import Served
from paraloom.judgments.store.columns import now
from paraloom.judgments.store.migrate import open_database

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images" / "annotate"
MOST_BYTES = 120_000
FLAGS = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--font-render-hinting=none"]
DESKTOP = {"viewport": {"width": 1100, "height": 720}, "color_scheme": "light", "reduced_motion": "reduce"}
DARK = {**DESKTOP, "color_scheme": "dark"}
PHONE = {**DESKTOP, "viewport": {"width": 390, "height": 780}, "has_touch": True, "is_mobile": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One picture of one item."""

    task: str
    title: str
    content: Mapping[str, Any]
    keys: str = ""
    """Pressed before the picture is taken, so that it shows an answer under way."""
    expected: Mapping[str, Any] | None = None
    explanation: str | None = None
    screen: Mapping[str, Any] = field(default_factory=lambda: DESKTOP)
    ready: str = "form#answer"
    """What must be on the page before the picture is taken."""
    checks: tuple[tuple[str, Check], ...] = ()
    """In the game: what was tried before."""


def listed(*texts: str) -> list[dict[str, str]]:
    """Sentences with ids."""
    return [{"id": f"s{number}", "text": text} for number, text in enumerate(texts, start=1)]


FERRY = {
    "left": "The night ferry to the islands is cancelled until Friday because of the storm.",
    "right": "No night boats to the islands before Friday: the storm keeps the ferry in the harbour.",
    "topic": "Night ferry",
}
LIBRARY = {
    "original": "The city library will stay open until midnight during the exam weeks.",
    "candidates": listed(
        "During exams the city library closes only at midnight.",
        "The library has bought two hundred new chairs.",
        "Students can sit in the city library until 12 at night while the exams last.",
        "The city library is closed during the exam weeks.",
        "Open till midnight: the library lengthens its hours for the exams #studytime",
        "I wrote my whole thesis in that library",
        "Exam weeks are the hardest weeks of the year.",
        "The library opens at midnight.",
    ),
}
GENERATED = {
    "source": "The mayor promised that the old bridge would be repaired before winter.",
    "generated": "Before the cold months come, the ageing bridge will be mended, the mayor said.",
}
PHRASES = {
    "left": "put off",
    "right": "postponed",
    "sentence_left": "The council put off its decision on the harbour wall until spring.",
    "sentence_right": "The vote on the harbour wall was postponed by three months.",
}
COMET = {
    "key": "#comet",
    "sentences": [
        "The green comet can be seen with the naked eye tonight, low in the north.",
        "Anyone else freezing on the roof to see the comet? Worth it!",
        "Astronomers: it will not be this close again for 50,000 years.",
        "First photo of the comet's second tail, taken from the hill behind our observatory.",
        "Clouds. Of course there are clouds.",
    ],
}
MARATHON = {
    "sentences": listed(
        "Our baker won the city marathon!",
        "What a day for a run.",
        "The man who bakes our bread has won the marathon of the city.",
        "The city marathon was won by Jo Lindt, a baker from the old town.",
        "Roads around the park are closed until six.",
        "A baker was the fastest of 9,000 runners in today's marathon.",
        "Jo Lindt, baker, wins city marathon",
        "My feet hurt.",
    )
}
FOUND_DOG = {
    "left": {
        "title": "Lost dog comes home by train",
        "text": "A dog that had been missing for three days has come home by train. Bruno, a brown terrier, got on the "
        "7:40 to the coast by himself on Tuesday morning and got off four stops later, where his owner's sister works "
        "at the station.\n\n“I looked up and there he was, wagging his tail,” she said. The ride was free.",
    },
    "right": {
        "title": "Terrier takes the 7:40",
        "text": "Passengers on the early train to the coast had an unusual companion on Tuesday: a small brown dog "
        "without a ticket. He left the carriage at the fourth station and walked straight to the counter.\n\nThe woman "
        "behind it knew him. Her brother had been looking for Bruno since Saturday. The dog will not have to pay for "
        "the ride, the railway said.",
    },
}
ARABIC = {
    "left": "أُلغيت العبّارة الليلية إلى الجزر حتى يوم الجمعة بسبب العاصفة.",
    "right": "لا رحلات ليلية إلى الجزر قبل الجمعة: العاصفة تُبقي العبّارة في الميناء.",
    "topic": "#العبّارة",
}


def passage(document: str, words: str) -> dict[str, Any]:
    """A document and where some words stand in it."""
    start = document.index(words)
    return {"text": document, "start": start, "end": start + len(words)}


def spans(left: str, right: str) -> dict[str, int]:
    """Where two passages stand in the documents about the dog."""
    one, other = (passage(FOUND_DOG[side]["text"], words) for side, words in (("left", left), ("right", right)))
    return {
        "left_start": one["start"],
        "left_end": one["end"],
        "right_start": other["start"],
        "right_end": other["end"],
    }


DINNER = (
    "Are you coming?\nI can't find my coat.\nIt hangs behind the door.\nThen we'd better hurry.\n"
    "The last tram leaves in half an hour.\nWe could walk.\nIn these shoes?\nYou wanted to wear them.",
    "Come on!\nWhere is my coat?\nBehind the door.\nLet's be quick.\n"
    "There's no tram after half past eleven.\nThen we'll go on foot.\nNot in these shoes.\nThey were your idea.",
)
SCENE = {
    "left": "The last tram leaves in half an hour.",
    "right": "There's no tram after half past eleven.",
    "left_document": {
        **passage(DINNER[0], "The last tram leaves in half an hour."),
        "title": "The Dinner, first version",
    },
    "right_document": {
        **passage(DINNER[1], "There's no tram after half past eleven."),
        "title": "The Dinner, second version",
    },
}
SAME_DOG = {
    **FOUND_DOG,
    "suggestions": [
        spans("The ride was free.", "The dog will not have to pay for the ride"),
        spans("got off four stops later", "He left the carriage at the fourth station"),
    ],
}
TRIED = (
    (
        "Owing to its price, the committee turned the proposal down.",
        Check(implication=0.93, similarity=0.61, reward=0.0, passes=False),
    ),
    ("Last week high costs sank the plan.", Check(implication=0.08, similarity=-0.42, reward=0.0, passes=False)),
    (
        "High costs were the reason why the plan found no favour with the panel.",
        Check(implication=0.81, similarity=-0.13, reward=0.43, passes=True),
    ),
)

EXAMPLES: dict[str, Example] = {
    "pair": Example(task="pair", title="Ferries and storms", content=FERRY),
    "choose": Example(task="choose", title="One against eight", content=LIBRARY, keys="1 3 5"),
    "rate": Example(task="rate", title="What the generator made", content=GENERATED, keys="5 5"),
    "phrases": Example(task="rate", title="Phrases", content=PHRASES),
    "topic": Example(task="topic", title="Trends of the week", content=COMET),
    "seed": Example(task="seed", title="Seeds", content=MARATHON, keys="4"),
    "match": Example(task="match", title="Documents to extract from", content=FOUND_DOG),
    "grade": Example(task="grade", title="Two subtitles of one film", content=SCENE, keys="3"),
    "extract": Example(
        task="extract",
        title="What both papers tell",
        content=SAME_DOG,
        keys="y k Control+ArrowRight Control+Shift+ArrowRight",
        screen={**DESKTOP, "viewport": {"width": 1280, "height": 720}},
    ),
    "write": Example(
        task="write",
        title="Say it otherwise",
        content={"source": "The committee rejected the proposal because it was too expensive."},
        checks=TRIED,
        keys="Alt+ArrowUp",
        screen={**DESKTOP, "viewport": {"width": 1100, "height": 800}},
    ),
    "right_to_left": Example(task="pair", title="عبّارات وعواصف", content=ARABIC),
    "dark": Example(task="choose", title="One against eight", content=LIBRARY, keys="1 3", screen=DARK),
    "phone": Example(task="rate", title="What the generator made", content=GENERATED, keys="5 4", screen=PHONE),
    "mistake": Example(
        task="pair",
        title="Ferries and storms",
        content=FERRY,
        expected={"is_paraphrase": True},
        explanation="Both say that no night ferry sails before Friday, and why.",
        keys="2",
        ready="dialog#mistake[open]",
    ),
}


def fill(connection: Connection) -> str:
    """A campaign for every example, and somebody to do them; the key of their session."""
    person = add_person(connection, name="Mina", hashed=None, role="annotator", now=now(), by="screenshots")
    for name, example in EXAMPLES.items():
        settings = CampaignSettings(tests_every=0, qualification=1 if example.expected else 0)
        campaign = create_campaign(
            connection,
            task=example.task,
            title=example.title,
            campaign_id=_campaign_id(name),
            now=now(),
            by="screenshots",
            settings=settings,
        )
        change_state(connection, campaign.campaign_id, "open", now=now(), by="screenshots")
        item = NewItem(
            item_id=name, content=example.content, expected=example.expected, explanation=example.explanation
        )
        add_items(connection, campaign, [item], now=now())
        for number, (text, check) in enumerate(example.checks):
            keep_check(
                connection,
                campaign,
                person,
                name,
                text,
                check,
                judged_by="screenshots",
                client_id=f"check-{name}-{number}",
                now=now(),
            )
    return open_session(connection, person, now())


def _campaign_id(name: str) -> str:
    return name.replace("_", "-")


def take(page: Page, address: str, name: str) -> bytes:
    """The picture of one example, or of the list of campaigns."""
    if name == "home":
        page.goto(address)
        return page.screenshot()
    example = EXAMPLES[name]
    page.goto(f"{address}/judge/{_campaign_id(name)}")
    page.wait_for_selector("form#answer")
    page.wait_for_function("() => document.activeElement !== document.body")  # the page's script has begun
    page.evaluate("document.getElementById('welcome')?.remove()")  # it is there for the first item only
    for key in example.keys.split():
        page.keyboard.press(key)
    page.wait_for_selector(example.ready)
    page.wait_for_timeout(300)
    return page.screenshot()


def small(picture: bytes) -> bytes:
    """The same with as many colours as fit into MOST_BYTES."""
    from PIL import Image

    whole = Image.open(io.BytesIO(picture)).convert("RGB")
    for colours in (256, 128, 64, 32):
        made = io.BytesIO()
        whole.quantize(colours, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
        if made.tell() <= MOST_BYTES:
            break
    return made.getvalue()


def write_all(browser: Browser, address: str, key: str, names: list[str]) -> None:
    """Take the pictures and write them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        screen = DESKTOP if name == "home" else EXAMPLES[name].screen
        context = browser.new_context(**screen)
        context.add_cookies([{"name": "paraloom", "value": key, "url": address}])
        picture = small(take(context.new_page(), address, name))
        (FOLDER / f"{name}.png").write_bytes(picture)
        print(f"{name}.png  {len(picture):,} bytes")
        context.close()


def main(names: list[str]) -> None:
    """All pictures, or those that are named."""
    from playwright.sync_api import sync_playwright

    everything = ["home", *EXAMPLES]
    if unknown := [name for name in names if name not in everything]:
        sys.exit(f"There is no picture {unknown[0]!r}. There are: {', '.join(everything)}.")
    browsers = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    chromium = next(filter(None, map(shutil.which, browsers)), None)
    if chromium is None:
        sys.exit("No chromium was found; scripts/ensure_chromium gets one.")
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/pictures.db"
        database = open_database(url)
        key = database.write(fill)
        with Served(url) as served, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            write_all(browser, served.url, key, names or everything)
            browser.close()
        database.close()


if __name__ == "__main__":
    main(sys.argv[1:])
