"""The body of a server's reply in, answers and token counts out; or what the server has against the request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_TOO_LONG = re.compile(
    r"context[_ ]?(?:length|size|window)|maximum context|exceed_context|too many (?:input )?tokens"
    r"|(?<!took )(?<!takes )(?<!taking )too long"
    r"|string_above_max_length|prompt is too|reduce the length",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content[_ ](?:filter|policy|management|moderation)|moderation_blocked|flagged|safety", re.IGNORECASE
)
_NO_MONEY = re.compile(
    r"insufficient[_ ](?:quota|funds|credit|balance)|exceeded your current quota"
    r"|billing[_ ](?:hard|soft|limit|not|account)",  # alone, it may be where the too quick buy more requests a minute
    re.IGNORECASE,
)
_HALF_A_LETTER = re.compile(r"[\ud800-\udfff]")
TOLD = 300
"""Letters of a server's own words that an error repeats."""
LEAST_LIKELY = 1e6
"""Logarithms of probabilities beyond this are none."""


class Malformed(ValueError):
    """A reply that is none: no JSON, or not of the shape that was agreed on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One of the texts in a reply, as the server wrote it."""

    text: str
    finish: str = "stop"
    """Why it ends: `stop`, `length` (at its greatest length), `refusal` or `content_filter`."""
    score: float = 0.0
    """Mean of the logarithms of its words' probabilities; 0 where the server does not tell them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """All that a server answered to one request."""

    answers: tuple[Answer, ...]
    tokens_read: int | None = None
    """None where the server does not count."""
    tokens_written: int | None = None


def read_reply(body: Any) -> Reply:
    """A reply of either endpoint, decoded from JSON.

    >>> read_reply({"choices": [{"text": " So said.", "finish_reason": "stop"}]}).answers[0].text
    ' So said.'
    """
    if not isinstance(body, Mapping) or not isinstance(body.get("choices"), list) or not body["choices"]:
        raise Malformed("it has no list of choices")
    used = body.get("usage")
    used = used if isinstance(used, Mapping) else {}
    return Reply(
        answers=tuple(_answer(choice) for choice in body["choices"]),
        tokens_read=_count(used.get("prompt_tokens")),
        tokens_written=_count(used.get("completion_tokens")),
    )


def _answer(choice: Any) -> Answer:
    if not isinstance(choice, Mapping):
        raise Malformed("a choice is no object")
    finish = str(choice.get("finish_reason") or "stop")
    message = choice.get("message")
    if isinstance(message, Mapping):
        if message.get("refusal"):
            finish = "refusal"
        text = _text(message.get("content"))
    elif "text" in choice:
        text = _text(choice["text"])
    else:
        raise Malformed("a choice has neither message nor text")
    return Answer(text=text, finish=finish, score=_mean(choice.get("logprobs")))


def _text(content: Any) -> str:
    """A text, be it in parts; nothing where the model said nothing."""
    if content is None or isinstance(content, str):
        return _HALF_A_LETTER.sub("\ufffd", content or "")
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, Mapping))
        return _HALF_A_LETTER.sub("\ufffd", "".join(text for text in texts if isinstance(text, str)))
    raise Malformed("a message's content is no text")


def _mean(logprobs: Any) -> float:
    """The mean of words' log-probabilities, in either endpoint's form."""
    if not isinstance(logprobs, Mapping):
        return 0.0
    of_words = logprobs.get("token_logprobs")
    if not isinstance(of_words, list):
        content = logprobs.get("content")
        words = content if isinstance(content, list) else []
        of_words = [word.get("logprob") for word in words if isinstance(word, Mapping)]
    numbers = [float(number) for number in of_words if isinstance(number, int | float) and abs(number) <= LEAST_LIKELY]
    return round(sum(numbers) / len(numbers), 6) if numbers else 0.0


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What a server has against a request."""

    status: int
    told: str
    """In the server's own words."""
    kind: str = ""
    """Its `type` and `code`, for programs."""

    @property
    def is_for_the_moment(self) -> bool:
        """Whether the same request may be answered later."""
        return (self.status in (408, 409, 425, 429) and not self.is_about_money) or (
            self.status >= 500 and self.status not in (501, 505)
        )

    @property
    def is_about_money(self) -> bool:
        """Whether nothing is answered before somebody has paid."""
        return self.status == 402 or bool(_NO_MONEY.search(f"{self.kind} {self.told}"))

    @property
    def about_the_source(self) -> str:
        """The reason why this one source cannot be answered, where it is the source's: `too_long`, `refusal`."""
        if self.status not in (400, 403, 413, 422, 500):
            return ""
        said = f"{self.kind} {self.told}"
        if self.status == 413 or _TOO_LONG.search(said):
            return "too_long"
        return "refusal" if _FILTERED.search(said) else ""


def read_fault(status: int, body: Any, text: str) -> Fault:
    """What a reply with an error says, in any of the forms in use.

    >>> read_fault(404, {"error": {"message": "No such model", "code": "model_not_found"}}, "")
    Fault(status=404, told='No such model', kind='model_not_found')
    """
    error = body.get("error", body) if isinstance(body, Mapping) else None
    if isinstance(error, Mapping):
        told = next((error[name] for name in ("message", "detail", "msg") if error.get(name)), "")
        kind = " ".join(str(error[name]) for name in ("type", "code") if isinstance(error.get(name), str))
        return Fault(status=status, told=_shortened(str(told) or text), kind=kind)
    return Fault(status=status, told=_shortened(error if isinstance(error, str) else text))


def error_inside(body: Any) -> int | None:
    """The status of an error that was sent as if all were well (some gateways do); None where there is none."""
    if not isinstance(body, Mapping) or not body.get("error") or body.get("choices"):
        return None
    error = body["error"]
    code = error.get("code") if isinstance(error, Mapping) else None
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def _shortened(told: str) -> str:
    one_line = " ".join(told.split())
    return one_line if len(one_line) <= TOLD else one_line[:TOLD] + " …"
