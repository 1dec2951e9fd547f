"""Exceptions that a program can distinguish."""

from __future__ import annotations

from collections.abc import Iterator

import grpc

from privateer.wire import fields


class PrivateerError(Exception):
    """A request that the server refused.

    ``code`` is the gRPC status code; ``field`` names the faulty part of the request, if the
    server does. It can be pickled, and made from a message alone, as pools of Gymnasium and others do.
    """

    def __init__(self, message: str, code: grpc.StatusCode = grpc.StatusCode.UNKNOWN, field: str = "", reason: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.field = field
        self.reason = reason


class IllegalActionError(PrivateerError):
    """An action that is not legal. Nothing of its batch was performed."""

    row = seat = action = -1  # unknown, where it was made of a message alone


class ConnectionLost(PrivateerError):
    """The server could not be reached, or not again in time. A session may still exist."""


def from_rpc(error: grpc.RpcError) -> PrivateerError:
    """Turn what gRPC raises into one of the exceptions above."""
    code = error.code()
    return _exception(code, error.details() or code.name, status_details(error))


def status_details(error: grpc.RpcError) -> bytes:
    """The google.rpc.Status that the server sent with an error; empty if it sent none."""
    return next((value for key, value in error.trailing_metadata() or () if key == "grpc-status-details-bin"), b"")


def from_status(status: bytes) -> PrivateerError:
    """Turn a google.rpc.Status into one of the exceptions above."""
    number = next((value for field, value in fields(status) if field == 1), 0)
    code = next(code for code in grpc.StatusCode if code.value[0] == number)
    return _exception(code, _text(status, 2) or code.name, status)


def _exception(code: grpc.StatusCode, text: str, status: bytes) -> PrivateerError:
    field = reason = ""
    info: dict[str, str] = {}
    for kind, detail in _details(status):
        if kind == "google.rpc.ErrorInfo":
            reason = _text(detail, 1)
            info = dict(_entries(detail, 3))
        elif kind == "google.rpc.BadRequest":
            field = _text(_first(detail, 1), 1)
        elif kind == "google.rpc.PreconditionFailure":
            field = _text(_first(detail, 1), 2)
        elif kind == "google.rpc.QuotaFailure":
            field = _text(_first(detail, 1), 1)
    if reason == "ILLEGAL_ACTION":
        illegal = IllegalActionError(text, code, field, reason)
        illegal.row, illegal.seat, illegal.action = (int(info[k]) for k in ("row", "seat", "action"))
        return illegal
    if code == grpc.StatusCode.UNAVAILABLE:
        return ConnectionLost(text, code, field, reason)
    return PrivateerError(text, code, field or info.get("field", ""), reason)


# google.rpc.Status is read by hand: its Python classes are in a package that nothing
# else here needs, and only a few strings of it are used.


def _parts(data: bytes, field: int) -> Iterator[bytes]:
    for number, value in fields(data):
        if number == field and isinstance(value, slice):
            yield data[value]


def _first(data: bytes, field: int) -> bytes:
    return next(_parts(data, field), b"")


def _text(data: bytes, field: int) -> str:
    return _first(data, field).decode()


def _details(status: bytes) -> Iterator[tuple[str, bytes]]:
    for value in _parts(status, 3):
        yield _text(value, 1).rpartition("/")[2], _first(value, 2)


def _entries(data: bytes, field: int) -> Iterator[tuple[str, str]]:
    for value in _parts(data, field):
        yield _text(value, 1), _text(value, 2)
