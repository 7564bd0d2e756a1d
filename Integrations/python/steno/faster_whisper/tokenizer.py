"""The tokens of Whisper models."""

from __future__ import annotations

import string
from functools import cached_property
from typing import Any, Dict, Iterable, List, Optional, Tuple

from .._model import Model

_TASKS = ("transcribe", "translate")

_LANGUAGE_CODES = tuple(
    (
        "af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it "
        "ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn "
        "so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh yue"
    ).split()
)


class Encoding:
    """The tokens of a text."""

    def __init__(self, ids: List[int]) -> None:
        self.ids = ids


class ModelTokenizer:
    """A model's own tokenizer, with those methods of the package tokenizers that faster-whisper uses."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._special: Dict[str, int] = model.information["specialTokens"]
        self._begin = self._special["<|0.00|>"]

    def token_to_id(self, token: str) -> Optional[int]:
        """The id of a special token, of a timestamp, or of a text that is one token."""
        if token in self._special:
            return self._special[token]
        if token == "<|nocaptions|>":
            return self._special["<|nospeech|>"]
        if token.startswith("<|") and token.endswith("|>"):
            try:
                return self._begin + round(float(token[2:-2]) / 0.02)
            except ValueError:
                return None
        ids = self._model.encode(token.replace("Ġ", " "))
        return ids[0] if len(ids) == 1 else None

    def encode(self, text: str, add_special_tokens: bool = False) -> Encoding:
        """The tokens of a text; special tokens are never added."""
        return Encoding(self._model.encode(text))

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The text of tokens without special ones."""
        return self._model.decode(ids)

    @property
    def non_speech_tokens(self) -> Tuple[int, ...]:
        return tuple(self._model.information["nonSpeechTokens"])


class Tokenizer:
    """Text and tokens of a model, for a task and a language."""

    def __init__(
        self,
        tokenizer: Any,
        multilingual: bool,
        task: Optional[str] = None,
        language: Optional[str] = None,
    ) -> None:
        self.tokenizer = tokenizer
        self.task: Optional[int] = None
        self.language: Optional[int] = None
        self.language_code = "en"
        if multilingual:
            for kind, value, accepted in (("task", task, _TASKS), ("language code", language, _LANGUAGE_CODES)):
                if value not in accepted:
                    raise ValueError(f"'{value}' is not a valid {kind} (accepted: {', '.join(accepted)})")
            self.task = self._id(task)
            self.language = self._id(language)
            self.language_code = str(language)

    def _id(self, name: Optional[str]) -> int:
        return self.tokenizer.token_to_id(f"<|{name}|>")

    transcribe = cached_property(lambda self: self._id("transcribe"))
    translate = cached_property(lambda self: self._id("translate"))
    sot = cached_property(lambda self: self._id("startoftranscript"))
    sot_lm = cached_property(lambda self: self._id("startoflm"))
    sot_prev = cached_property(lambda self: self._id("startofprev"))
    eot = cached_property(lambda self: self._id("endoftext"))
    no_timestamps = cached_property(lambda self: self._id("notimestamps"))
    no_speech = cached_property(lambda self: self._id("nospeech") or self._id("nocaptions"))

    for _property in (transcribe, translate, sot, sot_lm, sot_prev, eot, no_timestamps, no_speech):
        _property.__doc__ = "The id of this special token."
    del _property

    @property
    def timestamp_begin(self) -> int:
        """The id of the timestamp of 0 seconds."""
        return self.no_timestamps + 1

    @property
    def sot_sequence(self) -> List[int]:
        """The tokens that begin every transcript."""
        return [self.sot] + [token for token in (self.language, self.task) if token is not None]

    @cached_property
    def non_speech_tokens(self) -> Tuple[int, ...]:
        """The tokens of text that is not speech, such as brackets and musical notes."""
        return self.tokenizer.non_speech_tokens

    def encode(self, text: str) -> List[int]:
        """The tokens of a text."""
        return self.tokenizer.encode(text, add_special_tokens=False).ids

    def decode(self, tokens: Iterable[int]) -> str:
        """The text of tokens without special ones."""
        return self.tokenizer.decode([token for token in tokens if token < self.eot])

    def decode_with_timestamps(self, tokens: Iterable[int]) -> str:
        """The text of tokens, with timestamps such as ``<|1.08|>``."""
        text, run = "", []
        for token in tokens:
            if token < self.timestamp_begin:
                run.append(token)
                continue
            text += self.tokenizer.decode(run) + f"<|{(token - self.timestamp_begin) * 0.02:.2f}|>"
            run = []
        return text + self.tokenizer.decode(run)

    def split_to_word_tokens(self, tokens: List[int]) -> Tuple[List[str], List[List[int]]]:
        """Words and their tokens: at spaces, or at every character in languages written without them."""
        if self.language_code in ("zh", "ja", "th", "lo", "my", "yue"):
            return self.split_tokens_on_unicode(tokens)
        return self.split_tokens_on_spaces(tokens)

    def split_tokens_on_unicode(self, tokens: List[int]) -> Tuple[List[str], List[List[int]]]:
        """The shortest runs of tokens whose text has only whole characters."""
        broken = "\N{REPLACEMENT CHARACTER}"
        whole = self.decode_with_timestamps(tokens)
        words: List[str] = []
        runs: List[List[int]] = [[]]
        start = 0
        for token in tokens:
            runs[-1].append(token)
            text = self.decode_with_timestamps(runs[-1])
            place = text.find(broken)
            # A character that is broken in the whole text as well never becomes complete.
            if place >= 0 and whole[start + place : start + place + 1] != broken:
                continue
            words.append(text)
            runs.append([])
            start += len(text)
        return words, runs[: len(words)]

    def split_tokens_on_spaces(self, tokens: List[int]) -> Tuple[List[str], List[List[int]]]:
        """Words and their tokens; punctuation is a word of its own."""
        words: List[str] = []
        runs: List[List[int]] = []
        for text, run in zip(*self.split_tokens_on_unicode(tokens)):
            begins = run[0] >= self.eot or text.startswith(" ") or text.strip() in string.punctuation
            if begins or not words:
                words.append(text)
                runs.append(list(run))
            else:
                words[-1] += text
                runs[-1].extend(run)
        return words, runs
