"""Texts that people edit, however their editors save them."""

from __future__ import annotations

import codecs

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def decoded(data: bytes, name: str) -> str:
    """What a file says: UTF-8 with a byte order mark or without, or UTF-16 with one. ``name`` is what an error calls it.

    Raises:
        ValueError: it is neither, and how to mend that.
    """
    mark, encoding = next(((mark, encoding) for mark, encoding in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    try:
        text = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: {error.reason} at byte {error.start}: it is no text in UTF-8: save it as UTF-8") from None
    if "\0" in text:
        raise ValueError(f"{name}: it has bytes of 0: this is UTF-16 without a mark, or no text: save it as UTF-8")
    return text


def unmarked(text: str) -> str:
    """A text without the byte order mark that a reader has left before it."""
    return text.removeprefix("\ufeff")
