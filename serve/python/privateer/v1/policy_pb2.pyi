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
    __slots__ = ("bot", "seed", "tensors", "session_id")
    BOT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    TENSORS_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    bot: str
    seed: int
    tensors: TensorDecisions
    session_id: str
    def __init__(self, bot: _Optional[str] = ..., seed: _Optional[int] = ..., tensors: _Optional[_Union[TensorDecisions, _Mapping]] = ..., session_id: _Optional[str] = ...) -> None: ...

class TensorDecisions(_message.Message):
    __slots__ = ("game", "observation", "action_mask")
    GAME_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    ACTION_MASK_FIELD_NUMBER: _ClassVar[int]
    game: str
    observation: _tensor_pb2.Tensor
    action_mask: _tensor_pb2.Tensor
    def __init__(self, game: _Optional[str] = ..., observation: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., action_mask: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ...) -> None: ...

class ActResponse(_message.Message):
    __slots__ = ("actions",)
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    actions: _tensor_pb2.Tensor
    def __init__(self, actions: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ...) -> None: ...

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
    __slots__ = ("table_id", "seat_key", "decision", "action", "answer", "prompt_rules")
    TABLE_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_KEY_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    PROMPT_RULES_FIELD_NUMBER: _ClassVar[int]
    table_id: str
    seat_key: str
    decision: int
    action: int
    answer: str
    prompt_rules: int
    def __init__(self, table_id: _Optional[str] = ..., seat_key: _Optional[str] = ..., decision: _Optional[int] = ..., action: _Optional[int] = ..., answer: _Optional[str] = ..., prompt_rules: _Optional[int] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("decision", "seat", "observation", "action_mask", "text", "over", "episode_return", "seed", "prompt")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    OBSERVATION_FIELD_NUMBER: _ClassVar[int]
    ACTION_MASK_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    EPISODE_RETURN_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    decision: int
    seat: int
    observation: _tensor_pb2.Tensor
    action_mask: _tensor_pb2.Tensor
    text: str
    over: bool
    episode_return: _tensor_pb2.Tensor
    seed: int
    prompt: str
    def __init__(self, decision: _Optional[int] = ..., seat: _Optional[int] = ..., observation: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., action_mask: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., text: _Optional[str] = ..., over: bool = ..., episode_return: _Optional[_Union[_tensor_pb2.Tensor, _Mapping]] = ..., seed: _Optional[int] = ..., prompt: _Optional[str] = ...) -> None: ...

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
