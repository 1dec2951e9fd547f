from privateer.v1 import tensor_pb2 as _tensor_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListBotsRequest(_message.Message):
    __slots__ = ("game",)
    GAME_FIELD_NUMBER: _ClassVar[int]
    game: str
    def __init__(self, game: _Optional[str] = ...) -> None: ...

class ListBotsResponse(_message.Message):
    __slots__ = ("bots",)
    BOTS_FIELD_NUMBER: _ClassVar[int]
    bots: _containers.RepeatedCompositeFieldContainer[Bot]
    def __init__(self, bots: _Optional[_Iterable[_Union[Bot, _Mapping]]] = ...) -> None: ...

class Bot(_message.Message):
    __slots__ = ("name", "acts_on_tensors")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ACTS_ON_TENSORS_FIELD_NUMBER: _ClassVar[int]
    name: str
    acts_on_tensors: bool
    def __init__(self, name: _Optional[str] = ..., acts_on_tensors: bool = ...) -> None: ...

class ActRequest(_message.Message):
    __slots__ = ("bot", "seed", "tensors", "session_id", "probabilities")
    BOT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    TENSORS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PROBABILITIES_FIELD_NUMBER: _ClassVar[int]
    bot: str
    seed: int
    tensors: TensorDecisions
    session_id: str
    probabilities: bool
    def __init__(self, bot: _Optional[str] = ..., seed: _Optional[int] = ..., tensors: _Optional[_Union[TensorDecisions, _Mapping]] = ..., session_id: _Optional[str] = ..., probabilities: bool = ...) -> None: ...

class TensorDecisions(_message.Message):
    __slots__ = ("game", "observation", "action_mask", "action_rows", "observation_schema", "row_schema")
    GAME_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    ACTION_MASK_FIELD_NUMBER: _ClassVar[int]
    ACTION_ROWS_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    ROW_SCHEMA_FIELD_NUMBER: _ClassVar[int]
    game: str
    observation: _tensor_pb2.Tensor
    action_mask: _tensor_pb2.Tensor
    action_rows: _tensor_pb2.Tensor
    observation_schema: str
    row_schema: str
    def __init__(self, game: _Optional[str] = ..., observation: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., action_mask: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., action_rows: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., observation_schema: _Optional[str] = ..., row_schema: _Optional[str] = ...) -> None: ...

class ActResponse(_message.Message):
    __slots__ = ("actions", "probabilities", "values")
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    PROBABILITIES_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    actions: _tensor_pb2.Tensor
    probabilities: _tensor_pb2.Tensor
    values: _tensor_pb2.Tensor
    def __init__(self, actions: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., probabilities: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., values: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ...) -> None: ...

class ThinkRequest(_message.Message):
    __slots__ = ("game", "position", "bot", "seed")
    GAME_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    game: str
    position: str
    bot: str
    seed: int
    def __init__(self, game: _Optional[str] = ..., position: _Optional[str] = ..., bot: _Optional[str] = ..., seed: _Optional[int] = ...) -> None: ...

class ThinkResponse(_message.Message):
    __slots__ = ("seat", "question", "action", "actions", "values", "unit", "notes")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    seat: int
    question: str
    action: int
    actions: _containers.RepeatedCompositeFieldContainer[Considered]
    values: _containers.RepeatedScalarFieldContainer[float]
    unit: str
    notes: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, seat: _Optional[int] = ..., question: _Optional[str] = ..., action: _Optional[int] = ..., actions: _Optional[_Iterable[_Union[Considered, _Mapping]]] = ..., values: _Optional[_Iterable[float]] = ..., unit: _Optional[str] = ..., notes: _Optional[_Iterable[str]] = ...) -> None: ...

class Considered(_message.Message):
    __slots__ = ("action", "name", "probability", "visits", "mean", "standard_error")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PROBABILITY_FIELD_NUMBER: _ClassVar[int]
    VISITS_FIELD_NUMBER: _ClassVar[int]
    MEAN_FIELD_NUMBER: _ClassVar[int]
    STANDARD_ERROR_FIELD_NUMBER: _ClassVar[int]
    action: int
    name: str
    probability: float
    visits: int
    mean: float
    standard_error: float
    def __init__(self, action: _Optional[int] = ..., name: _Optional[str] = ..., probability: _Optional[float] = ..., visits: _Optional[int] = ..., mean: _Optional[float] = ..., standard_error: _Optional[float] = ...) -> None: ...

class HostRequest(_message.Message):
    __slots__ = ("game", "seed", "seats", "request_id")
    GAME_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    game: str
    seed: int
    seats: _containers.RepeatedScalarFieldContainer[str]
    request_id: str
    def __init__(self, game: _Optional[str] = ..., seed: _Optional[int] = ..., seats: _Optional[_Iterable[str]] = ..., request_id: _Optional[str] = ...) -> None: ...

class HostResponse(_message.Message):
    __slots__ = ("table_id", "seat_keys", "host_key")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_KEYS_FIELD_NUMBER: _ClassVar[int]
    HOST_KEY_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat_keys: _containers.RepeatedScalarFieldContainer[str]
    host_key: str
    def __init__(self, table_id: _Optional[str] = ..., seat_keys: _Optional[_Iterable[str]] = ..., host_key: _Optional[str] = ...) -> None: ...

class PlayRequest(_message.Message):
    __slots__ = ("table_id", "seat_key", "decision", "action", "answer", "prompt_rules", "view")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_KEY_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    PROMPT_RULES_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat_key: str
    decision: int
    action: int
    answer: str
    prompt_rules: int
    view: bool
    def __init__(self, table_id: _Optional[str] = ..., seat_key: _Optional[str] = ..., decision: _Optional[int] = ..., action: _Optional[int] = ..., answer: _Optional[str] = ..., prompt_rules: _Optional[int] = ..., view: bool = ...) -> None: ...

class Choice(_message.Message):
    __slots__ = ("action", "name", "words")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    action: int
    name: str
    words: str
    def __init__(self, action: _Optional[int] = ..., name: _Optional[str] = ..., words: _Optional[str] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("decision", "seat", "observation", "action_mask", "text", "over", "episode_return", "seed", "prompt", "legal", "log", "events", "position", "picture")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    ACTION_MASK_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    EPISODE_RETURN_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    LOG_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    PICTURE_FIELD_NUMBER: _ClassVar[int]
    decision: int
    seat: int
    observation: _tensor_pb2.Tensor
    action_mask: _tensor_pb2.Tensor
    text: str
    over: bool
    episode_return: _tensor_pb2.Tensor
    seed: int
    prompt: str
    legal: _containers.RepeatedCompositeFieldContainer[Choice]
    log: _containers.RepeatedScalarFieldContainer[str]
    events: _containers.RepeatedScalarFieldContainer[str]
    position: str
    picture: str
    def __init__(self, decision: _Optional[int] = ..., seat: _Optional[int] = ..., observation: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., action_mask: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., text: _Optional[str] = ..., over: bool = ..., episode_return: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., seed: _Optional[int] = ..., prompt: _Optional[str] = ..., legal: _Optional[_Iterable[_Union[Choice, _Mapping]]] = ..., log: _Optional[_Iterable[str]] = ..., events: _Optional[_Iterable[str]] = ..., position: _Optional[str] = ..., picture: _Optional[str] = ...) -> None: ...

class CloseTableRequest(_message.Message):
    __slots__ = ("table_id", "host_key")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    HOST_KEY_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    host_key: str
    def __init__(self, table_id: _Optional[str] = ..., host_key: _Optional[str] = ...) -> None: ...

class CloseTableResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
