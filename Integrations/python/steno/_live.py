"""Live transcription of audio that is pushed."""

from __future__ import annotations

import ctypes
import json
from ctypes import c_char_p, c_void_p
from typing import Any, Dict, Iterator, Optional

from . import _library as c
from ._audio import samples
from ._errors import InvalidOption, StenoError

# The longest wait inside the library, so that Ctrl-C is noticed; an event ends it at once.
_WAIT = 0.1
# The longest block that is pushed at once, in frames.
_BLOCK = 8_000


class Live(c.Handle, Iterator[Dict[str, Any]]):
    """A session: one thread pushes audio, and one iterates over the events.

        with model.live(language="en") as live:
            live.push(samples)
            live.finish()
            for event in live:
                if event["type"] == "final":
                    print(event["text"])

    Events are dictionaries with the fields of Documentation/Reference/Events.md. They wait until they are read; of more
    than 8,192 the levels and the replaced partial texts are dropped, and then all become one snapshot of the text.
    """

    def __init__(self, session: c_void_p, owner: Any, channels: int) -> None:
        self._session: Optional[c_void_p] = session
        self._owner = owner
        self._channels = channels

    def push(self, audio: Any) -> None:
        """Adds samples from −1 to 1; waits while the session has more than it can hold, and so loses nothing."""
        found = samples(audio)
        if found is None or found.channels != self._channels and found.channels != 1:
            raise InvalidOption("Give samples: one dimension, or frames by channels.")
        count = found.frames * found.channels // self._channels
        for start in range(0, count, _BLOCK):
            frames = min(_BLOCK, count - start)
            c.check(c.library().steno_live_wait(self._pointer, frames))
            address = found.address + 4 * start * self._channels
            if c.check(c.library().steno_live_push(self._pointer, address, frames)) == c.DROPPED:
                raise StenoError("The audio did not fit. Push from one thread at a time.")

    def finish(self) -> None:
        """Ends the audio; the last words follow as events."""
        c.library().steno_live_finish(self._pointer)

    def __iter__(self) -> Live:
        return self

    def __next__(self) -> Dict[str, Any]:
        line = c_char_p()
        status = c.TIMED_OUT
        while status == c.TIMED_OUT:
            status = c.check(c.library().steno_live_next(self._pointer, _WAIT, ctypes.byref(line)))
        if status == c.END or line.value is None:
            raise StopIteration
        return json.loads(line.value)

    def next(self, timeout: float) -> Optional[Dict[str, Any]]:
        """The next event; None if there is none within a time in seconds, or at the end."""
        line = c_char_p()
        status = c.check(c.library().steno_live_next(self._pointer, max(0.0, timeout), ctypes.byref(line)))
        return json.loads(line.value) if status == c.OK and line.value is not None else None

    def cancel(self) -> None:
        """Ends the session at once; text that is not final is lost."""
        c.library().steno_live_cancel(self._pointer)

    @property
    def _pointer(self) -> c_void_p:
        if self._session is None:
            raise StenoError("The session was closed. Start another one.", -17)
        return self._session

    def close(self) -> None:
        """Cancels the session if it has not ended, and frees it."""
        session, self._session = self._session, None
        if session is not None:
            c.library().steno_live_free(session)

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        # A constructor that failed has made nothing yet, and at the end of the program modules may be gone.
        if getattr(self, "_session", None) is not None and c is not None:
            self.close()
